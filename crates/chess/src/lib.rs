//! The rules and the notation of chess and Chess960.
//!
//! Text becomes a [`Setup`](setup::Setup), which may be impossible; a setup becomes a
//! [`Chess`](position::Chess) position, which is legal. From there on nothing checks legality of a
//! position again.
//!
//! Rule ids such as `CH-08` name rows of the rules ledger: the numbering that tests, answers and this
//! documentation share.
//!
//! | to know | look in |
//! | --- | --- |
//! | which moves are legal | [`movegen`] (all at once), [`legality`] (one move, and why not) |
//! | castling | [`castling`] |
//! | how a game ends, what may be claimed | [`termination`], with the numbers in [`rules`] |
//! | what a search asks for | [`tactics`] |
//! | how things are written | [`fen`], [`uci`], [`san`], [`message`] |

pub mod attacks;
pub mod board;
pub mod castling;
pub mod fen;
pub mod legality;
pub mod material;
pub mod message;
pub mod movegen;
pub mod moves;
pub mod notation;
pub mod position;
pub mod role;
pub mod rules;
pub mod san;
pub mod setup;
pub mod square;
pub mod tactics;
pub mod termination;
pub mod uci;
pub mod zobrist;
