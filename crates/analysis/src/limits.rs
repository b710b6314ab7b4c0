//! Limits on what a question may contain. They bound the work and the memory of one question.
//!
//! A question is measured before anything in it is read: see
//! [`Game::check_limits`](crate::replay::Game::check_limits).

use crate::error::Error;

/// The longest FEN in bytes. The longest legal ones have about 90.
pub const MAX_FEN_BYTES: usize = 256;

/// The longest text of one move in bytes.
pub const MAX_MOVE_BYTES: usize = 64;

/// The most moves in one game, as a list or in a PGN.
pub const MAX_MOVES: usize = 20_000;

/// The most move limits that an organiser may set.
pub const MAX_MOVE_LIMITS: usize = 64;

/// The longest name of material in a move limit, in bytes. No board has more than 32 men.
pub const MAX_MATERIAL_BYTES: usize = 64;

/// The longest PGN text in bytes, over all its games: what fits into a request of 1 MiB.
pub const MAX_PGN_BYTES: usize = 1_024_000;

/// The most squares in a filter. No board has more.
pub const MAX_SQUARES: usize = 90;

/// The most plies that one answer about a whole game returns; so many stay under the 4 MiB that gRPC
/// clients accept by default.
pub const MAX_PLIES_RETURNED: usize = 20_000;

/// How many plies an answer about a whole game returns when the question does not say.
pub const DEFAULT_PLIES_RETURNED: usize = 1_000;

/// The most lines that a search reports, and the most moves that it is told to look at or to leave out.
pub const MAX_SEARCH_MOVES: usize = 256;

/// The largest transposition table of a search, in MiB.
pub const MAX_HASH_MIB: usize = 256;

/// The transposition table of a search that does not say, in MiB.
pub const DEFAULT_HASH_MIB: usize = 16;

/// The greatest depth that a search can be asked for, in plies.
pub const MAX_DEPTH: u32 = search::limits::MAX_DEPTH;

/// The longest mate that a search can be asked for, in moves.
pub const MAX_MATE: u32 = 60;

/// Refuses a FEN that is too long.
pub(crate) fn check_fen(field: &str, fen: &str) -> Result<(), Error> {
    at_most(("max_fen_bytes", MAX_FEN_BYTES), fen.len(), || field.to_owned())
}

/// Refuses the text of a move that is too long.
pub(crate) fn check_move(text: &str, field: impl FnOnce() -> String) -> Result<(), Error> {
    at_most(("max_move_bytes", MAX_MOVE_BYTES), text.len(), field)
}

/// Refuses a game of too many moves.
pub(crate) fn check_move_count(field: &str, moves: usize) -> Result<(), Error> {
    at_most(("max_moves", MAX_MOVES), moves, || field.to_owned())
}

/// Refuses a size beyond a limit, which is given with its name in the API.
pub(crate) fn at_most(
    (name, limit): (&'static str, usize),
    actual: usize,
    field: impl FnOnce() -> String,
) -> Result<(), Error> {
    if actual <= limit { Ok(()) } else { Err(Error::limit(field(), name, limit, actual)) }
}
