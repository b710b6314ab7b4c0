//! Limits of the service itself. Those of a question's content are [`analysis::limits`].

use std::time::Duration;

/// The largest request in bytes, or message of a stream. The longest game that can be asked about fits
/// in with room to spare.
pub const MAX_REQUEST_BYTES: usize = 1024 * 1024;

/// The longest list of request headers in bytes.
pub const MAX_HEADER_LIST_BYTES: u32 = 16 * 1024;

/// How much of one stream is taken in before its handler asks for more.
pub const STREAM_WINDOW_BYTES: u32 = 256 * 1024;

/// How much of one connection is taken in before its handlers ask for more; bounds what a client can
/// make the server hold, however many streams it opens.
pub const CONNECTION_WINDOW_BYTES: u32 = 1024 * 1024;

/// How long a new connection may stay silent.
pub const FIRST_BYTES_WITHIN: Duration = Duration::from_secs(10);

/// How long a connection may be idle before it is asked for a sign of life.
pub const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(30);

/// How long the sign of life may take.
pub const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(20);

/// The most moves in a question that is answered at once; some microseconds a move.
pub const MAX_INLINE_MOVES: usize = 256;
