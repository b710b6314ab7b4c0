//! Compiles the proto files without protoc: one parse feeds both the generated code and the descriptors.

use std::error::Error;
use std::path::PathBuf;

use prost::Message as _;

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?).join("../../proto");
    let files =
        ["arbiter_service.proto", "game.proto", "repetition.proto", "search.proto", "error_reason.proto"]
            .map(|file| root.join("arbiter/v1").join(file));
    println!("cargo:rerun-if-changed={}", root.display());
    let descriptors = protox::compile(files, [&root])?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("descriptors.bin"), descriptors.encode_to_vec())?;
    tonic_prost_build::configure().codec_path("crate::codec::MessageCodec").compile_fds(descriptors)?;
    Ok(())
}
