//! How much may be asked for. docs/load-testing.md lists these.

use std::time::Duration;

/// The highest rate, in calls a second.
pub(crate) const MAX_RATE: f64 = 1_000_000.0;
/// The most calls in flight at once.
pub(crate) const MAX_IN_FLIGHT: usize = 100_000;
/// The most connections.
pub(crate) const MAX_CONNECTIONS: usize = 1_024;
/// The longest run, and the longest warm-up.
pub(crate) const MAX_DURATION: Duration = Duration::from_secs(60 * 60);
/// The longest deadline of a call.
pub(crate) const MAX_DEADLINE: Duration = Duration::from_secs(10 * 60);
/// The most requests in one `ValidateMoves` stream.
pub(crate) const MAX_ITEMS: usize = 10_000;
/// The most plies of history: the limit of the service.
pub(crate) const MAX_HISTORY: usize = 20_000;
/// The largest answer: what gRPC clients take unless told otherwise.
pub(crate) const MAX_ANSWER_BYTES: usize = 4 << 20;
/// The largest file of games.
pub(crate) const MAX_GAMES_BYTES: u64 = 64 << 20;
/// The most games that are taken from a file.
pub(crate) const MAX_GAMES: usize = 10_000;
/// The largest file with a token.
pub(crate) const MAX_TOKEN_BYTES: u64 = 8 << 10;
/// The largest file with a certificate or a key.
pub(crate) const MAX_PEM_BYTES: u64 = 1 << 20;
/// The largest report that is compared.
pub(crate) const MAX_REPORT_BYTES: u64 = 64 << 20;
/// Different errors that are told apart; the others are counted together. Reasons come from outside.
pub(crate) const MAX_ERROR_KINDS: usize = 64;
/// Wrong answers that are shown.
pub(crate) const MAX_WRONG_SHOWN: usize = 5;
/// How long connecting may take.
pub(crate) const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// After a failed attempt to connect again, the time until the next.
pub(crate) const RECONNECT_PAUSE: Duration = Duration::from_millis(100);
/// Questions of one method that are prepared; they are then asked in turn.
pub(crate) const PREPARED: usize = 2_048;
/// Requests in all prepared streams together.
pub(crate) const PREPARED_ITEMS: usize = 65_536;
