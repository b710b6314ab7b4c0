//! Finds the best move: one search for every game.
//!
//! The search asks a position through [`game::tactics::Tactics`] and its worth through an
//! [`Evaluator`](evaluator::Evaluator). It is an iterative deepening principal variation search with a
//! transposition table (<https://www.chessprogramming.org/Principal_Variation_Search>); by which numbers
//! it leaves moves out or looks at them more closely is in `pruning.rs`, in which order it tries moves in
//! `ordering.rs`.
//!
//! | to know | look in |
//! | --- | --- |
//! | how to ask | [`iterate::search`], [`limits`] |
//! | what is answered | [`report`], [`score`] |
//! | when it stops | [`stop`] |
//! | what is kept between searches | [`memory`], [`table`] |
//!
//! The same question gives the same answer: one thread, a table that can be made as if new, and no
//! clock in any decision but the one to stop. What is deliberately absent: any word of any game.

mod aim;
mod alphabeta;
pub mod evaluator;
mod history;
pub mod iterate;
pub mod limits;
mod mates;
pub mod memory;
mod ordering;
mod pruning;
mod pv;
mod quiescence;
mod quiet;
pub mod report;
mod root;
pub mod score;
mod searcher;
pub mod stop;
pub mod table;
