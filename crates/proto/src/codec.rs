//! How messages become bytes and back.

use std::marker::PhantomData;

use bytes::Buf as _;
use prost::Message;
use tonic::Status;
use tonic::codec::{Codec, DecodeBuf, Decoder};
use tonic_prost::ProstEncoder;

/// The codec of the API: what is sent is written as tonic's own codec writes it; what is received is read from
/// one slice, since a message nearly always lies in one piece. Read through tonic's buffer, each byte passes two wrappers that
/// the compiler does not see through: a game of forty moves takes half as long to read from the slice.
#[derive(Debug, Clone)]
pub struct MessageCodec<T, U> {
    messages: PhantomData<(T, U)>,
}

impl<T, U> Default for MessageCodec<T, U> {
    fn default() -> Self {
        Self { messages: PhantomData }
    }
}

impl<T, U> Codec for MessageCodec<T, U>
where
    T: Message + Send + 'static,
    U: Message + Default + Send + 'static,
{
    type Encode = T;
    type Decode = U;
    type Encoder = ProstEncoder<T>;
    type Decoder = MessageDecoder<U>;

    fn encoder(&mut self) -> Self::Encoder {
        ProstEncoder::default()
    }

    fn decoder(&mut self) -> Self::Decoder {
        MessageDecoder { message: PhantomData }
    }
}

/// Reads messages of one type.
#[derive(Debug, Clone)]
pub struct MessageDecoder<U> {
    message: PhantomData<U>,
}

impl<U: Message + Default> Decoder for MessageDecoder<U> {
    type Item = U;
    type Error = Status;

    fn decode(&mut self, buf: &mut DecodeBuf<'_>) -> Result<Option<U>, Status> {
        let length = buf.remaining();
        let whole = buf.chunk();
        let message = if whole.len() == length {
            let message = U::decode(whole);
            buf.advance(length);
            message
        } else {
            U::decode(buf)
        };
        // As tonic's codec says it; a server that knows better says so.
        message.map(Some).map_err(|error| Status::internal(error.to_string()))
    }
}
