//! Renders the chart with Helm, and starts the real binary as a pod would.
//!
//! Helm and Python are those that `cargo xtask tools` installs.

pub mod chart;
pub mod container;
pub mod pod;
pub mod quantity;
