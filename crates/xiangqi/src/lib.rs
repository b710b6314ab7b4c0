//! The rules and the notations of xiangqi (Chinese chess).
//!
//! Text becomes a [`Setup`](setup::Setup), which may be impossible; a setup becomes a
//! [`Xiangqi`](position::Xiangqi) position, which is legal. From there on nothing checks legality of a
//! position again.
//!
//! Rule ids such as `XQ-2.2e` name rows of the rules ledger: the numbering that tests, answers and this
//! documentation share.
//!
//! | to know | look in |
//! | --- | --- |
//! | which moves are legal | [`movegen`] (all at once), [`legality`] (one move, and why not) |
//! | where pieces may stand | [`regions`] |
//! | how a game ends, what may be claimed | [`termination`], with the numbers in [`rules`] |
//! | what a search asks for | [`tactics`] |
//! | how things are written | [`fen`], [`uci`], [`iccs`], [`wxf`], [`chinese`], [`message`] |

pub mod attacks;
pub mod board;
pub mod chinese;
pub mod fen;
pub mod iccs;
pub mod legality;
pub mod message;
pub mod movegen;
pub mod moves;
pub mod notation;
pub mod position;
pub mod regions;
pub mod relative;
pub mod repetition;
pub mod role;
pub mod rules;
pub mod setup;
pub mod square;
pub mod tactics;
pub mod termination;
pub mod uci;
pub mod wxf;
pub mod zobrist;
