//! Request bodies, handed on in whole messages.
//!
//! tonic makes room for a message as soon as its length is announced: five bytes would make the server
//! hold [`Method::max_request_bytes`]. Behind this, it hears of a message when all of it is there.

use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use hyper::body::{Body, Bytes, Frame};
use tokio::time::{Instant, Sleep, sleep};
use tonic::Status;
use tower::BoxError;

use crate::in_flight::{InFlight, Place};
use crate::limits::{REQUEST_WITHIN, STREAM_IDLE_WITHIN, STREAM_WINDOW_BYTES};
use crate::method::{Messages, Method};
use crate::refusal::Refusal;
use crate::status;

/// What stands before every message: a flag for compression, and its length in four bytes.
const PREFIX_BYTES: usize = 5;

/// What the flag before a message may say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// It is not compressed.
    None,
    /// It is compressed with gzip, or not.
    Gzip,
}

/// A body that gives whole messages only.
///
/// An announcement that is refused is handed on as it is, for tonic to refuse, and ends the body. So does
/// the beginning of a message that is never completed.
#[derive(Debug)]
pub struct WholeMessages<B> {
    body: B,
    method: Method,
    compression: Compression,
    /// For a stream, the places of which it takes one when it has a long message.
    places: Option<InFlight>,
    place: Option<Place>,
    /// What has arrived of a message that is not whole yet.
    begun: Vec<u8>,
    /// The time that the client has for the rest, once it had to be waited for.
    time: Option<Pin<Box<Sleep>>>,
    /// In a stream, the time that may pass without a message, and whether there was one since it began.
    silence: Option<Pin<Box<Sleep>>>,
    heard: bool,
    ended: bool,
}

type Polled = Poll<Option<Result<Frame<Bytes>, BoxError>>>;

impl<B> WholeMessages<B> {
    /// The whole messages of the `body` of a call. A stream takes one of the `places`, if there are any, for
    /// a message that does not fit into the window of its stream or may be compressed, and keeps it: tonic keeps
    /// the room that it has made for the message.
    pub fn new(body: B, method: Method, compression: Compression, places: Option<InFlight>) -> Self {
        Self {
            body,
            method,
            compression,
            places,
            place: None,
            begun: Vec::new(),
            time: None,
            silence: None,
            heard: false,
            ended: false,
        }
    }

    /// Takes in what has arrived, and gives the messages that are whole with it.
    fn take_in(&mut self, data: &Bytes) -> Option<Bytes> {
        if !self.begun.is_empty() {
            self.begun.extend_from_slice(data);
            let part = Part::of(&self.begun, self.compression, self.method.max_request_bytes());
            let rest = self.begun.split_off(part.whole);
            let whole = mem::replace(&mut self.begun, rest);
            return self.give(whole.into(), part);
        }
        let part = Part::of(data, self.compression, self.method.max_request_bytes());
        // As a rule, a frame is a message.
        if part.whole < data.len() {
            self.begun = data[part.whole..].to_vec();
        }
        self.give(data.slice(..part.whole), part)
    }

    fn give(&mut self, whole: Bytes, part: Part) -> Option<Bytes> {
        if part.refused {
            self.end();
        }
        if whole.is_empty() {
            return None;
        }
        if self.method.asks() == Messages::Many {
            self.time = None;
            self.heard = true;
        }
        Some(whole)
    }

    fn end(&mut self) {
        self.begun = Vec::new();
        self.ended = true;
    }

    /// Ends in the middle of a message, if that is where it is.
    fn end_cut(&mut self) -> Option<Frame<Bytes>> {
        // With any part of a prefix, tonic knows that there should be more, and makes no room for it.
        let cut = self.begun.first().map(|&first| Frame::data(Bytes::from(vec![first])));
        self.end();
        cut
    }

    /// Takes a place if there is much of a message, with so many bytes more. What is compressed may be much.
    fn take_place(&mut self, more: usize) -> Result<(), Refusal> {
        let is_much =
            self.compression == Compression::Gzip || self.begun.len() + more > STREAM_WINDOW_BYTES as usize;
        if let Some(places) = &self.places
            && self.place.is_none()
            && is_much
        {
            self.place = Some(places.question()?);
        }
        Ok(())
    }

    fn poll_time(&mut self, context: &mut Context<'_>) -> Polled {
        if self.method.asks() == Messages::Many && self.begun.is_empty() {
            return self.poll_silence(context);
        }
        let time = self.time.get_or_insert_with(|| Box::pin(sleep(REQUEST_WITHIN)));
        ready!(time.as_mut().poll(context));
        self.fail(status::request_too_slow())
    }

    /// Whether the client of a stream has said nothing for too long. The time begins anew when it has passed
    /// and there was something: so it is noticed within twice that time, and a message costs no timer.
    fn poll_silence(&mut self, context: &mut Context<'_>) -> Polled {
        let silence = self.silence.get_or_insert_with(|| Box::pin(sleep(STREAM_IDLE_WITHIN)));
        ready!(silence.as_mut().poll(context));
        if !mem::take(&mut self.heard) {
            return self.fail(status::stream_idle());
        }
        silence.as_mut().reset(Instant::now() + STREAM_IDLE_WITHIN);
        // It has to know whom to wake.
        silence.as_mut().poll(context).map(|()| None)
    }

    fn fail(&mut self, status: Status) -> Polled {
        self.end();
        Poll::Ready(Some(Err(status.into())))
    }
}

impl<B: Body<Data = Bytes, Error: Into<BoxError>> + Unpin> Body for WholeMessages<B> {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Polled {
        loop {
            if self.ended {
                return Poll::Ready(None);
            }
            let frame = match Pin::new(&mut self.body).poll_frame(context) {
                Poll::Ready(Some(Ok(frame))) => frame,
                Poll::Ready(Some(Err(error))) => {
                    tracing::debug!(error = %error.into(), "a request was not sent to its end");
                    return self.fail(status::given_up());
                }
                Poll::Ready(None) => return Poll::Ready(self.end_cut().map(Ok)),
                Poll::Pending => return self.poll_time(context),
            };
            match frame.into_data() {
                Ok(data) => {
                    if let Err(refusal) = self.take_place(data.len()) {
                        return self.fail(refusal.into());
                    }
                    if let Some(whole) = self.take_in(&data) {
                        return Poll::Ready(Some(Ok(Frame::data(whole))));
                    }
                }
                Err(trailers) => return Poll::Ready(Some(Ok(self.end_cut().unwrap_or(trailers)))),
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.ended || (self.begun.is_empty() && self.body.is_end_stream())
    }
}

/// How far some bytes can be handed on.
#[derive(Debug, Clone, Copy)]
struct Part {
    /// How many of them: whole messages, and at last an announcement that is refused.
    whole: usize,
    refused: bool,
}

impl Part {
    fn of(bytes: &[u8], compression: Compression, limit: usize) -> Part {
        let highest_flag = u8::from(compression == Compression::Gzip);
        let mut whole = 0;
        while let Some((&[flag, length @ ..], rest)) = bytes[whole..].split_first_chunk::<PREFIX_BYTES>() {
            let length = u32::from_be_bytes(length) as usize;
            if flag > highest_flag || length > limit {
                return Part { whole: whole + PREFIX_BYTES, refused: true };
            }
            if rest.len() < length {
                break;
            }
            whole += PREFIX_BYTES + length;
        }
        Part { whole, refused: false }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::future::poll_fn;
    use std::pin::pin;

    use http::HeaderMap;
    use tokio::time::timeout_at;
    use tonic::Code;

    use super::*;
    use crate::limits::MAX_REQUEST_BYTES;

    const ONE: Method = Method::VALIDATE_MOVE;
    const MANY: Method = Method::VALIDATE_MOVES;

    /// A body of these frames, which ends after them or never.
    struct Frames(VecDeque<Frame<Bytes>>, bool);

    impl Body for Frames {
        type Data = Bytes;
        type Error = BoxError;

        fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Polled {
            match self.0.pop_front() {
                None if !self.1 => Poll::Pending,
                frame => Poll::Ready(frame.map(Ok)),
            }
        }
    }

    fn body(frames: &[&[u8]], method: Method, ends: bool) -> WholeMessages<Frames> {
        let frames = frames.iter().map(|&frame| Frame::data(Bytes::copy_from_slice(frame)));
        WholeMessages::new(Frames(frames.collect(), ends), method, Compression::None, None)
    }

    async fn next<B>(body: &mut WholeMessages<B>) -> Option<Result<Frame<Bytes>, BoxError>>
    where
        B: Body<Data = Bytes, Error: Into<BoxError>> + Unpin,
    {
        poll_fn(|context| pin!(&mut *body).poll_frame(context)).await
    }

    /// What comes through, frame by frame.
    async fn through(frames: &[&[u8]]) -> Vec<Vec<u8>> {
        let mut body = body(frames, MANY, true);
        let mut through = Vec::new();
        while let Some(frame) = next(&mut body).await {
            through.push(frame.expect("no error").into_data().expect("data").to_vec());
        }
        assert!(body.is_end_stream());
        through
    }

    #[tokio::test]
    async fn messages_come_whole_however_they_were_cut() {
        let two = b"\0\0\0\0\x02ab\0\0\0\0\0";
        assert_eq!(through(&[two]).await, [two]);
        for cut in 1..two.len() {
            let parts = through(&[&two[..cut], &two[cut..]]).await;
            assert_eq!(parts.concat(), two, "cut at {cut}");
            assert!(parts.iter().all(|part| part.len() >= 5), "cut at {cut}: {parts:?}");
        }
        let bytes: Vec<_> = two.chunks(1).collect();
        assert_eq!(through(&bytes).await, [b"\0\0\0\0\x02ab".as_slice(), b"\0\0\0\0\0"]);
    }

    #[tokio::test]
    async fn a_frame_that_is_a_message_is_not_copied() {
        let message = Bytes::from_static(b"\0\0\0\0\x02ab");
        let frames = VecDeque::from([Frame::data(message.clone())]);
        let mut body = WholeMessages::new(Frames(frames, true), ONE, Compression::None, None);
        let frame = next(&mut body).await.expect("a frame").expect("no error");
        assert_eq!(frame.into_data().expect("data").as_ptr(), message.as_ptr());
    }

    #[tokio::test]
    async fn what_is_refused_is_handed_on_at_once_and_is_the_last() {
        for refused in [b"\0\0\x10\0\x01x", b"\x01\0\0\0\x02x", b"\xff\0\0\0\x02x"] {
            assert_eq!(through(&[refused, b"more"]).await, [&refused[..5]]);
            let after = [b"\0\0\0\0\x01a".as_slice(), refused].concat();
            assert_eq!(through(&[&after]).await, [&after[..11]]);
        }
    }

    #[test]
    fn what_is_compressed_comes_through_where_that_was_agreed_on() {
        let message = b"\x01\0\0\0\x02ab";
        let of = |bytes, compression| {
            let Part { whole, refused } = Part::of(bytes, compression, MAX_REQUEST_BYTES);
            (whole, refused)
        };
        assert_eq!(of(message, Compression::Gzip), (message.len(), false));
        assert_eq!(of(message, Compression::None), (5, true));
        assert_eq!(of(b"\x02\0\0\0\x02ab", Compression::Gzip), (5, true));
        assert_eq!(of(b"\x01\0\x10\0\x01ab", Compression::Gzip), (5, true));
    }

    /// A body that its sender gives up.
    struct GivenUp;

    impl Body for GivenUp {
        type Data = Bytes;
        type Error = std::io::Error;

        fn poll_frame(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, std::io::Error>>> {
            Poll::Ready(Some(Err(std::io::ErrorKind::ConnectionReset.into())))
        }
    }

    #[tokio::test]
    async fn who_gives_up_is_no_fault_of_the_server() {
        let mut body = WholeMessages::new(GivenUp, Method::VALIDATE_MOVE, Compression::None, None);
        let error = next(&mut body).await.expect("an error").expect_err("an error");
        let status = error.downcast_ref::<Status>().expect("a status");
        assert_eq!(status.code(), tonic::Code::Cancelled);
        assert!(next(&mut body).await.is_none());
    }

    #[tokio::test]
    async fn a_message_that_was_cut_is_no_end() {
        assert_eq!(through(&[b"\0\0\0\0\x02a"]).await, [b"\0"]);
        assert_eq!(through(&[b"\0\0\0"]).await, [b"\0"]);
        let mut body = body(&[b"\0\0\0\0\x02a"], MANY, true);
        body.body.0.push_back(Frame::trailers(HeaderMap::new()));
        assert!(next(&mut body).await.expect("a frame").expect("no error").is_data());
        assert!(next(&mut body).await.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_has_its_time_for_a_message_and_no_more() {
        let began = Instant::now();
        for (frames, method) in [
            ([b"".as_slice(), b""], ONE),
            ([b"\0\0\0\0\x02", b"a"], ONE),
            ([b"\0\0\0\0\x01a", b""], ONE),
            ([b"\0\0\0\0\x02", b"a"], MANY),
            ([b"\0\0\0\0\x01a", b"\0"], MANY),
        ] {
            let mut body = body(&frames, method, false);
            let error = loop {
                if let Err(error) = next(&mut body).await.expect("no end") {
                    break error;
                }
            };
            let status = error.downcast::<Status>().expect("a status");
            assert_eq!(status.code(), Code::DeadlineExceeded);
            assert!(next(&mut body).await.is_none());
        }
        assert_eq!(began.elapsed().as_secs(), 5 * REQUEST_WITHIN.as_secs());
    }

    #[tokio::test(start_paused = true)]
    async fn between_its_messages_a_stream_may_wait_but_not_for_ever() {
        let began = Instant::now();
        let mut stream = body(&[b"\0\0\0\0\x01a"], MANY, false);
        for turn in 1..10 {
            assert!(next(&mut stream).await.expect("no end").is_ok());
            let silence = timeout_at(began + turn * STREAM_IDLE_WITHIN, next(&mut stream)).await;
            assert!(silence.is_err(), "{silence:?}");
            stream.body.0.push_back(Frame::data(Bytes::from_static(b"\0\0\0\0\x01b")));
        }
        assert!(next(&mut stream).await.expect("no end").is_ok());
        let end = next(&mut stream).await.expect("a status").expect_err("an error");
        assert_eq!(end.downcast::<Status>().expect("a status").code(), Code::DeadlineExceeded);
        assert_eq!(began.elapsed(), 11 * STREAM_IDLE_WITHIN);
        assert!(next(&mut stream).await.is_none());
    }

    #[tokio::test]
    async fn a_stream_takes_a_place_with_its_first_long_message() {
        let of_length = |length: u32| {
            let mut message = [&[0][..], &length.to_be_bytes()].concat();
            message.resize(message.len() + length as usize, b'a');
            message
        };
        let (short, long) = (of_length(STREAM_WINDOW_BYTES - 5), of_length(STREAM_WINDOW_BYTES + 5));
        let places = InFlight::new(1);
        let streams = [(); 2].map(|()| {
            let frames: VecDeque<_> = [&short, &long]
                .into_iter()
                .flat_map(|message| message.chunks(16 * 1024))
                .map(|frame| Frame::data(Bytes::copy_from_slice(frame)))
                .collect();
            WholeMessages::new(Frames(frames, false), MANY, Compression::None, Some(places.clone()))
        });
        let [mut first, mut second] = streams;
        for stream in [&mut first, &mut second] {
            assert!(next(stream).await.expect("the short message").is_ok());
            assert!(places.question().is_ok(), "a short message takes no place");
        }
        assert!(next(&mut first).await.expect("the long message").is_ok());
        let refused = next(&mut second).await.expect("a refusal").expect_err("there is no place");
        assert_eq!(refused.downcast::<Status>().expect("a status").code(), Code::ResourceExhausted);
        drop(first);
        assert!(places.question().is_ok());
    }
}
