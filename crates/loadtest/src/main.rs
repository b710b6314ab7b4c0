//! `arbiter-load`: puts a load on the service, measures it, and checks that every answer is right.

mod answers;
mod arrival;
mod asker;
mod baseline;
mod bench_server;
mod board;
mod call;
mod cli;
mod closed_loop;
mod compare;
mod connection;
mod cores;
mod corpus;
mod cpu;
mod echo;
mod exit;
mod figures;
mod find;
mod frame;
mod games_file;
mod html;
mod limits;
mod method;
mod mix;
mod open_loop;
mod output;
mod plan;
mod plot;
mod progress;
mod questions;
mod record;
mod report;
mod run;
mod slo;
mod target;
mod ticker;
mod tls;
mod values;

use std::process::ExitCode;

use clap::Parser as _;
use mimalloc::MiMalloc;

/// The server's allocator, so that the echo, which is this program, too, differs from it in nothing but the
/// question.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    cli::Cli::parse().run()
}
