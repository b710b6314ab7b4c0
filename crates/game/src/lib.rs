//! The ground floor: what chess and xiangqi have in common.
//!
//! Three nouns carry the rest.
//!
//! * A [`Position`](position::Position) is what the rules say about one moment of a game. Each game
//!   implements it once; nothing above the game crates asks which game it is.
//! * A [`Notation`](notation::Notation) is how a position and its moves are written down.
//! * A [`Line`](line::Line) is a start position and the plies played from it. Everything that depends
//!   on the past (repetition, claims) is asked of a line, never of a position.
//!
//! What is deliberately absent: any rule of any game, any clock, any thread, any notion of a request.

pub mod bitboard;
pub mod fen;
pub mod fen_fault;
pub mod illegal;
pub mod language;
pub mod laws;
pub mod line;
pub mod message;
pub mod notation;
pub mod outcome;
pub mod perft;
pub mod pgn;
pub mod position;
pub mod role;
pub mod rule_set;
pub mod ruling;
pub mod side;
pub mod square;
pub mod tactics;
pub mod zobrist;
