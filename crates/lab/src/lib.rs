//! The workshop of the search: what measures it and what makes its evaluations.
//!
//! | to | see |
//! | --- | --- |
//! | let any match tool play it | [`uci`] |
//! | see whether it changed | [`bench`](mod@bench) |
//! | see what it solves | [`suite`] |
//! | let it play another engine | [`contest`], with the statistics in [`stats`] |
//! | make evaluations | [`datagen`], then [`tune`] and [`wdl`] |

pub mod bench;
pub mod cli;
pub mod contest;
pub mod datagen;
pub mod engine;
pub mod epd;
pub mod finish;
pub mod openings;
pub mod random;
pub mod speed;
pub mod stats;
pub mod suite;
pub mod tune;
pub mod uci;
pub mod wdl;
