//! The API `arbiter.v1`, generated from the files under `proto/`.

pub mod codec;

/// Messages, enums, client and server of the package `arbiter.v1`.
#[allow(missing_docs, unreachable_pub, clippy::all, clippy::doc_markdown, clippy::too_many_lines)]
pub mod v1 {
    tonic::include_proto!("arbiter.v1");
}

/// The encoded `FileDescriptorSet` of the API, comments included, for server reflection.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));
