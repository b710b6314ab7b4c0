//! gRPC's frames: how messages lie in the body of a call.

use bytes::{Buf as _, BufMut as _, Bytes, BytesMut};
use prost::Message;

use crate::limits::MAX_ANSWER_BYTES;

/// A flag for compression, and the length in four bytes.
const HEADER_BYTES: usize = 5;

/// Appends a message in its frame.
pub(crate) fn write(message: &impl Message, out: &mut BytesMut) {
    let length = message.encoded_len();
    out.reserve(HEADER_BYTES + length);
    out.put_u8(0);
    // Requests are at most 1 MiB.
    out.put_u32(u32::try_from(length).unwrap_or(u32::MAX));
    // A buffer that grows takes every message.
    let _ = message.encode(out);
}

/// Messages, taken from a body that arrives in pieces.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    /// What has arrived and is not yet a whole message.
    pending: BytesMut,
    /// A piece that holds nothing but whole messages so far, which is the rule, and need not be copied.
    piece: Bytes,
}

impl Reader {
    /// Takes a piece of the body.
    pub(crate) fn push(&mut self, piece: Bytes) {
        if self.pending.is_empty() && self.piece.is_empty() {
            self.piece = piece;
        } else {
            self.pending.extend_from_slice(&std::mem::take(&mut self.piece));
            self.pending.extend_from_slice(&piece);
        }
    }

    /// The next message, if it has arrived whole.
    ///
    /// # Errors
    /// It is compressed, which was not asked for, or too long.
    pub(crate) fn next(&mut self) -> Result<Option<Bytes>, String> {
        let bytes: &[u8] = if self.pending.is_empty() { &self.piece } else { &self.pending };
        let Some(mut header) = bytes.get(..HEADER_BYTES) else { return Ok(None) };
        if header.get_u8() != 0 {
            return Err("the answer is compressed, and was not asked to be".to_owned());
        }
        let length = usize::try_from(header.get_u32()).unwrap_or(usize::MAX);
        if length > MAX_ANSWER_BYTES {
            return Err(format!("the answer has {length} bytes, more than {MAX_ANSWER_BYTES}"));
        }
        let whole = HEADER_BYTES + length;
        if bytes.len() < whole {
            return Ok(None);
        }
        let mut frame = if self.pending.is_empty() {
            self.piece.split_to(whole)
        } else {
            self.pending.split_to(whole).freeze()
        };
        frame.advance(HEADER_BYTES);
        Ok(Some(frame))
    }

    /// Whether nothing is left over.
    pub(crate) fn is_empty(&self) -> bool {
        self.pending.is_empty() && self.piece.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(texts: &[&str]) -> Bytes {
        let mut out = BytesMut::new();
        texts.iter().for_each(|text| write(&(*text).to_owned(), &mut out));
        out.freeze()
    }

    #[test]
    fn messages_are_found_however_the_body_is_cut() {
        let body = frames(&["one", "", "a longer one"]);
        for size in 1..=body.len() {
            let mut reader = Reader::default();
            let mut found = Vec::new();
            for piece in body.chunks(size) {
                reader.push(Bytes::copy_from_slice(piece));
                while let Some(message) = reader.next().unwrap() {
                    found.push(String::decode(message).unwrap());
                }
            }
            assert_eq!(found, ["one", "", "a longer one"], "in pieces of {size}");
            assert!(reader.is_empty());
        }
    }

    #[test]
    fn compressed_and_endless_messages_are_refused() {
        for header in [[1, 0, 0, 0, 1], [0, 255, 255, 255, 255]] {
            let mut reader = Reader::default();
            reader.push(Bytes::copy_from_slice(&header));
            assert!(reader.next().is_err());
        }
    }
}
