//! Starts the real binary on a free port and talks to it over a real socket.
//!
//! The binary is built first, unless `ARBITER_BIN` names one.

pub mod binary;
pub mod cases;
pub mod certificates;
mod connect;
pub mod dashboard;
pub mod fault;
pub mod folder;
pub mod frames;
pub mod games;
pub mod http;
pub mod promtool;
pub mod python;
pub mod raw;
pub mod scrape;
pub mod searches;
pub mod server;
pub mod sink;

pub use connect::connector;
pub use fault::Fault;
pub use folder::Folder;
pub use server::{Client, Server};
