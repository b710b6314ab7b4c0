//! Several instances as one service: how evenly they are asked, and what is lost when one of them goes.
//!
//! Each measurement is made twice: briefly by the tests, and at length by `cargo xtask scale`. Instances listen on
//! 127.0.0.2 and the addresses after it, all on one port, as pods do.

pub mod behind_envoy;
pub mod document;
pub mod envoy;
pub mod finding;
pub mod fleet;
pub mod headless;
pub mod load;
pub mod round_robin;
pub mod searches;

pub use envoy::Envoy;
pub use finding::Finding;
pub use fleet::Fleet;
pub use headless::Headless;
