//! What a client says first, taken out of its connection and given back.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, ReadBuf};

/// How every HTTP/2 connection begins (RFC 9113, section 3.4).
const GREETING: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// A stream whose first bytes have been looked at, and are still to be read.
#[derive(Debug)]
pub struct Greeted<S> {
    seen: [u8; GREETING.len()],
    length: usize,
    /// How much of it has been read again.
    given: usize,
    stream: S,
}

impl<S: AsyncRead + Unpin> Greeted<S> {
    /// Waits until it is clear what the peer speaks.
    ///
    /// # Errors
    /// The stream breaks or ends before that.
    pub async fn new(mut stream: S) -> io::Result<Self> {
        let mut seen = [0; GREETING.len()];
        let mut length = 0;
        while length < GREETING.len() && seen[..length] == GREETING[..length] {
            match stream.read(&mut seen[length..]).await? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                more => length += more,
            }
        }
        Ok(Self { seen, length, given: 0, stream })
    }

    /// Whether it is HTTP/2.
    #[must_use]
    pub fn speaks_http2(&self) -> bool {
        self.seen[..self.length] == *GREETING
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Greeted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let rest = &self.seen[self.given..self.length];
        if rest.is_empty() {
            return Pin::new(&mut self.stream).poll_read(context, buffer);
        }
        let length = rest.len().min(buffer.remaining());
        buffer.put_slice(&rest[..length]);
        self.given += length;
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Greeted<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncWriteExt as _, duplex};

    use super::*;

    #[tokio::test]
    async fn a_greeting_may_come_in_pieces_and_is_read_again() {
        let (mut peer, stream) = duplex(64);
        for byte in GREETING {
            peer.write_all(&[*byte]).await.expect("it is taken");
        }
        peer.write_all(b"more").await.expect("it is taken");
        drop(peer);
        let mut greeted = Greeted::new(stream).await.expect("a greeting");
        assert!(greeted.speaks_http2());
        let mut all = Vec::new();
        greeted.read_to_end(&mut all).await.expect("an end");
        assert_eq!(all, [GREETING, b"more"].concat());
    }

    #[tokio::test]
    async fn another_protocol_is_clear_at_once_and_loses_nothing() {
        let (mut peer, stream) = duplex(64);
        peer.write_all(b"POST / HTTP/1.1").await.expect("it is taken");
        let mut greeted = Greeted::new(stream).await.expect("something else");
        assert!(!greeted.speaks_http2());
        let mut all = [0; 15];
        greeted.read_exact(&mut all).await.expect("all of it");
        assert_eq!(&all, b"POST / HTTP/1.1");
    }

    #[tokio::test]
    async fn half_a_greeting_and_an_end_are_no_greeting() {
        let (mut peer, stream) = duplex(64);
        peer.write_all(&GREETING[..9]).await.expect("it is taken");
        drop(peer);
        assert!(Greeted::new(stream).await.is_err());
    }
}
