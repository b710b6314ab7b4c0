//! Limits of the service itself. Those of a question's content are [`analysis::limits`].

use std::time::Duration;

/// The largest request in bytes, or message of a stream. The longest game that can be asked about fits
/// in with room to spare.
pub const MAX_REQUEST_BYTES: usize = 1024 * 1024;

/// The longest list of request headers in bytes.
pub const MAX_HEADER_LIST_BYTES: u32 = 16 * 1024;

/// How long a request may take from its first byte to its last; in a stream, each message of it.
pub const REQUEST_WITHIN: Duration = Duration::from_secs(20);

/// How long the client of a stream may say nothing, until the stream ends with an error; noticed within twice
/// that time.
pub const STREAM_IDLE_WITHIN: Duration = Duration::from_secs(5 * 60);

/// How long a client may take for an answer, of a stream for each 16 KiB, before the connection is given up.
///
/// Answers in full size, up to 2 MiB for a whole game, wait on their streams until the client opens a
/// window. So connections hold at most the number of calls that may be open on all of them times that, and
/// not longer than twice this time; the last 16 KiB of an answer may wait for as long as their connection
/// gives signs of life. The answers of a stream are made only when they can be sent.
pub const ANSWER_WITHIN: Duration = Duration::from_secs(60);

/// How many streams of questions may be open for each question that may be in flight; with nothing to do, they
/// hold some 24 KiB each.
pub const STREAMS_FACTOR: usize = 4;

/// How much of one stream is taken in before its handler asks for more.
///
/// A handler asks until a message is whole. What the calls of one connection make the server hold before
/// it decodes it is what they have sent, up to their number times [`MAX_REQUEST_BYTES`], and not longer
/// than [`REQUEST_WITHIN`]. Where nobody reads, it is this much for each call. A stream with a longer message
/// takes a place in flight.
pub const STREAM_WINDOW_BYTES: u32 = 64 * 1024;

/// How much of one connection is taken in before its handlers ask for more.
///
/// Far more than its streams need: h2 takes a connection for an attack when the overhead of small frames
/// that wait to be read comes to half of this, and a client of `ValidateMoves` that is faster than its
/// answers sends a window full of questions in frames of a few bytes each.
pub const CONNECTION_WINDOW_BYTES: u32 = 32 * 1024 * 1024;

/// How much of one stream's answers is made before its client takes them.
///
/// What is made is out of the handler's hands, and no longer among the calls in flight.
pub const SEND_BUFFER_BYTES: usize = 64 * 1024;

/// How long what was sent may stay unacknowledged until the connection is given up: its peer is gone, or
/// alive and not reading.
pub const ACKNOWLEDGED_WITHIN: Duration = Duration::from_secs(120);

/// How many calls may be cancelled before the server has seen them, for each that may be open at once,
/// until the connection is taken for an attack.
///
/// A client that gives up a batch of calls cancels all of them in one go, and may have begun and cancelled
/// the next batch when the server gets to read. h2 allows 20, and ends all calls of the connection beyond.
pub const CANCELLED_UNSEEN_FACTOR: usize = 4;

/// The largest request of health and reflection, in bytes: they hold names.
pub const MAX_NAMES_BYTES: usize = 16 * 1024;

/// How long a new connection may take to say that it speaks HTTP/2; over HTTP/1.1, to send a request's
/// headers.
pub const GREETING_WITHIN: Duration = Duration::from_secs(10);

/// How many calls of one connection the server may end for breaking the protocol, until the connection is
/// taken for an attack.
pub const MAX_BROKEN_CALLS: usize = 1024;

/// How long the streams of a connection may take for a last answer, once its grace is over.
pub const LAST_ANSWERS_WITHIN: Duration = Duration::from_secs(1);

/// How long TLS may take to shake hands. How many do so at once is bounded by the number of connections.
pub const HANDSHAKE_WITHIN: Duration = Duration::from_secs(10);

/// The largest file of certificates, keys or hashes of tokens, in bytes.
pub const MAX_SECURITY_FILE_BYTES: u64 = 1024 * 1024;

/// The longest token in bytes.
pub const MAX_TOKEN_BYTES: usize = 512;

/// The most connections that are open at once on the address for health alone; a further one takes the place of the
/// oldest.
pub const MAX_HEALTH_CONNECTIONS: usize = 64;

/// How long a connection that has ended still takes in what its peer sends.
pub const LINGER: Duration = Duration::from_millis(250);

/// How long the end of the server waits for the calls that it has cut off, so that they are counted.
pub const CUT_WITHIN: Duration = Duration::from_millis(100);

/// How long to wait when no connection can be accepted.
pub const ACCEPT_AGAIN_AFTER: Duration = Duration::from_millis(50);

/// The most connections that the admin port has open at once; a further one takes the place of the oldest.
pub const MAX_ADMIN_CONNECTIONS: usize = 32;

/// The most bytes of headers in a request to the admin port.
pub const MAX_ADMIN_HEADER_BYTES: usize = 16 * 1024;

/// The largest body of a request to the admin port in bytes.
pub const MAX_ADMIN_REQUEST_BYTES: usize = 4 * 1024;

/// How long a request to the admin port may take to come, its headers and then its body; and how long its
/// connection may be idle.
pub const ADMIN_REQUEST_WITHIN: Duration = Duration::from_secs(30);

/// How long a connection to the admin port lasts.
pub const ADMIN_CONNECTION_WITHIN: Duration = Duration::from_secs(10 * 60);

/// How long before its call's deadline a search stops, so that its answer arrives in time.
pub const SEARCH_MARGIN: Duration = Duration::from_millis(25);

/// The part of a long deadline, from [`LONG_DEADLINE`] on, that a search leaves besides: gRPC's C core, under Python
/// and others, does not send when its client gives up, but the next tenth of a second beyond 10 s, and the next
/// second beyond 100 s.
pub const SEARCH_MARGIN_PART: u32 = 100;

/// What is rounded by gRPC's C core by up to a hundredth.
pub const LONG_DEADLINE: Duration = Duration::from_secs(10);

/// How long a connection whose peer was told to take no new calls may be without any, until the end of the server
/// waits for it no more.
pub const UNHEARD_WITHIN: Duration = Duration::from_secs(2);

/// The shortest time between two messages of progress of one search.
pub const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// The stack of a search's thread. A search recurses as deep as its longest line.
pub const SEARCH_STACK_BYTES: usize = 32 * 1024 * 1024;

/// The most moves in a question that is answered at once; some microseconds a move. One that may need a
/// ruling on a repetition of xiangqi is never: that can be 100 ms of work.
pub const MAX_INLINE_MOVES: usize = 256;

/// The longest PGN that is answered at once, in bytes: a game with its tags and some comments.
pub const MAX_INLINE_PGN_BYTES: usize = 4 * 1024;
