//! One call: a request out, an answer in, and what became of it.

use std::time::{Duration, Instant};

use bytes::Bytes;
use h2::client::SendRequest;
use h2::{Reason, RecvStream};
use http::{HeaderMap, Request, Response};
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

use crate::answers::Checker;
use crate::frame::Reader;
use crate::questions::Question;

/// What became of a call.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// It was answered, and as far as that was looked at, rightly.
    Right {
        /// The messages of the answer.
        messages: usize,
    },
    /// It was answered, and not rightly.
    Wrong(String),
    /// It was not answered.
    Failed {
        /// The gRPC code.
        code: Code,
        /// The reason of the service, or what happened to the connection.
        reason: String,
    },
}

/// A call that the server has not looked at and that may be sent again.
#[derive(Debug)]
pub(crate) struct Refused(pub(crate) h2::Error);

/// The moment when a call was over, and what became of it.
pub(crate) type Ended = (Instant, Outcome);

/// Sends a question over a connection, and reads the answer.
///
/// # Errors
/// The connection is being closed and has not taken the call.
pub(crate) async fn ask(
    mut sender: SendRequest<Bytes>,
    request: Request<()>,
    question: &Question,
    reads: bool,
) -> Result<Ended, Refused> {
    let (response, mut body) = sender.send_request(request, false).map_err(Refused)?;
    // Its error is that of the response.
    let _ = body.send_data(question.body.clone(), true);
    let answered = match response.await {
        Ok(response) => read(response, question, reads).await,
        Err(error) => Err(error),
    };
    match answered {
        Ok(ended) => Ok(ended),
        Err(error) if is_refusal(&error) => Err(Refused(error)),
        Err(error) => Ok((Instant::now(), broken(&error))),
    }
}

/// Whether the server says that it has not begun with the call.
fn is_refusal(error: &h2::Error) -> bool {
    let reason = error.reason();
    error.is_remote()
        && (reason == Some(Reason::REFUSED_STREAM) || error.is_go_away() && reason == Some(Reason::NO_ERROR))
}

/// What a call comes to whose connection broke.
pub(crate) fn broken(error: &h2::Error) -> Outcome {
    let reason =
        error.reason().map_or_else(|| "connection lost".to_owned(), |reason| format!("HTTP/2 {reason:?}"));
    Outcome::Failed { code: Code::Unavailable, reason }
}

async fn read(response: Response<RecvStream>, question: &Question, reads: bool) -> Result<Ended, h2::Error> {
    let (head, mut body) = response.into_parts();
    if head.status != http::StatusCode::OK {
        let reason = format!("HTTP {}", head.status.as_u16());
        return Ok((Instant::now(), Outcome::Failed { code: Code::Unknown, reason }));
    }
    if let Some(status) = Status::from_header_map(&head.headers) {
        return Ok((Instant::now(), judge(&status, Checker::new(&question.expected, reads))));
    }
    let mut checker = Checker::new(&question.expected, reads);
    let mut reader = Reader::default();
    // The first message of most answers is the only one: it is looked at when the clock has stopped.
    let mut first = None;
    while let Some(piece) = body.data().await {
        let piece = piece?;
        // Whoever reads makes room for more.
        let _ = body.flow_control().release_capacity(piece.len());
        reader.push(piece);
        loop {
            match reader.next() {
                Ok(None) => break,
                Ok(Some(message)) if first.is_none() => first = Some(message),
                Ok(Some(message)) => {
                    if let Some(first) = first.replace(message) {
                        checker.take(first);
                    }
                }
                Err(wrong) => return Ok((Instant::now(), Outcome::Wrong(wrong))),
            }
        }
    }
    let trailers = body.trailers().await?;
    let ended = Instant::now();
    if let Some(last) = first {
        checker.take(last);
    }
    Ok((ended, conclude(trailers.as_ref(), &reader, checker)))
}

fn conclude(trailers: Option<&HeaderMap>, reader: &Reader, checker: Checker<'_>) -> Outcome {
    match trailers.and_then(Status::from_header_map) {
        None => Outcome::Failed { code: Code::Unknown, reason: "no grpc-status".to_owned() },
        Some(status) if status.code() == Code::Ok && !reader.is_empty() => {
            Outcome::Wrong("the last message is cut off".to_owned())
        }
        Some(status) => judge(&status, checker),
    }
}

fn judge(status: &Status, checker: Checker<'_>) -> Outcome {
    if status.code() != Code::Ok {
        let reason = status.get_details_error_info().map(|info| info.reason).unwrap_or_default();
        return Outcome::Failed { code: status.code(), reason };
    }
    let messages = checker.messages();
    checker.finish().map_or(Outcome::Right { messages }, Outcome::Wrong)
}

/// A deadline as gRPC writes it: at most eight digits and a unit.
pub(crate) fn grpc_timeout(deadline: Duration) -> String {
    match deadline.as_micros() {
        micros @ ..=99_999_999 => format!("{micros}u"),
        micros => format!("{}m", micros / 1_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_has_at_most_eight_digits() {
        assert_eq!(grpc_timeout(Duration::from_millis(5)), "5000u");
        assert_eq!(grpc_timeout(Duration::from_secs(600)), "600000m");
    }
}
