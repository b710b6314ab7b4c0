//! The gRPC service: decodes a question, asks it, encodes the answer. It knows no rules.
//!
//! [`serve::serve`] is the whole server; the binary adds flags, signals and a listener.

pub mod accept;
pub mod admin;
pub mod calls;
pub mod config;
pub mod connection;
pub mod convert;
pub mod deadline;
pub mod descriptors;
pub mod follow;
pub mod greeting;
pub mod health;
pub mod in_flight;
pub mod limits;
pub mod method;
pub mod observe;
pub mod panics;
pub mod refusal;
pub mod routes;
pub mod searches;
pub mod serve;
pub mod service;
pub mod shutdown;
pub mod small_file;
pub mod status;
pub mod telemetry;
pub mod tls;
pub mod tokens;
pub mod untaken;
pub mod web;
pub mod whole;
pub mod workers;
