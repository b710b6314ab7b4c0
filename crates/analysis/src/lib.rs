//! One function for each question that can be asked about a game.
//!
//! | question | function |
//! | --- | --- |
//! | is this move legal, and why not | [`validate_move`](validate_move::validate_move) |
//! | which moves are legal | [`legal_moves`](legal_moves::legal_moves) |
//! | how does the game stand | [`game_status`](game_status::game_status) |
//! | which moves are best | [`search`](mod@search) |
//! | what happened in this game | [`replay_game`](replay_game::replay_game) |
//!
//! Questions and answers are plain data with public fields. This crate holds the only `match` on the
//! game in the whole house ([`Variant::ask`](variant::Variant::ask)); every function below it is
//! generic over [`game::notation::Notation`]. It knows no gRPC, no async and no clock.

pub mod catalogue;
pub mod error;
pub mod eval;
pub mod game_status;
pub mod legal_moves;
pub mod limits;
pub mod repetition;
pub mod replay;
pub mod replay_game;
pub mod report;
mod returns;
pub mod search;
pub mod strength;
pub mod validate_move;
pub mod variant;

// The words that questions and answers share with the floor below: whoever asks needs no other crate.
pub use game::fen_fault::FenFaultKind;
pub use game::illegal::Reason;
pub use game::language::Language;
pub use game::notation::MoveNotation;
pub use game::outcome::{ClaimKind, MatingChance, Termination};
pub use game::position::CastlingSide;
pub use game::role::AnyRole;
pub use game::rule_set::RuleSet;
pub use game::ruling::{Class, Conduct, IdleKind, Means, Root, Verdict};
pub use game::side::Side;
