//! The binary: flags, logs, signals and a listener for [`server::serve`].

use std::io;
use std::process::ExitCode;

use clap::Parser as _;
use mimalloc::MiMalloc;
use server::config::Config;
use server::serve::serve;
use server::{shutdown, telemetry};
use tokio::net::TcpListener;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let config = Config::parse();
    let Ok(log) = telemetry::init(&config.log_filter) else {
        // Without a thread there is nobody to tell why.
        return ExitCode::FAILURE;
    };
    let served = run(&config);
    if let Err(error) = &served {
        log.tell(&format!("arbiter: {error}"));
    }
    log.flush();
    if served.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run(config: &Config) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        // Before the listener: whoever has seen the server listen can stop it properly.
        let signals = shutdown::signals()?;
        let listener = TcpListener::bind(config.listen).await.map_err(|error| {
            io::Error::new(error.kind(), format!("cannot listen on {}: {error}", config.listen))
        })?;
        serve(config, listener, signals).await
    });
    // Work that nobody waits for any more must not hold up the exit.
    runtime.shutdown_background();
    served
}
