//! The binary: flags, logs, signals and a listener for [`server::serve`].

use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::process::ExitCode;

use mimalloc::MiMalloc;
use server::config::{self, Asked, Config, Wrong};
use server::serve::{Listeners, serve};
use server::{shutdown, telemetry};
use tokio::net::TcpListener;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let config = match config::load() {
        Ok(Asked::Serve(config)) => config,
        Ok(Asked::Print(text)) => return print(&text),
        Err(wrong) => return refuse(&wrong),
    };
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

fn print(text: &str) -> ExitCode {
    let printed = io::stdout().lock().write_all(text.as_bytes());
    if printed.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Says what is wrong, or the help that was asked for.
fn refuse(wrong: &Wrong) -> ExitCode {
    match wrong {
        // Whoever closed the output does not want to know.
        Wrong::Flags(error) => {
            let _ = error.print();
            if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS }
        }
        Wrong::Setting(_) => {
            let _ = writeln!(io::stderr(), "{wrong}");
            ExitCode::from(2)
        }
    }
}

fn run(config: &Config) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        // Before the listener: whoever has seen the server listen can stop it properly.
        let signals = shutdown::signals()?;
        let grpc = listen(config.listen).await?;
        let health = match config.health_listen {
            Some(address) => Some(listen(address).await?),
            None => None,
        };
        serve(config, Listeners { grpc, health }, signals).await
    });
    // Work that nobody waits for any more must not hold up the exit.
    runtime.shutdown_background();
    served
}

async fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    TcpListener::bind(address)
        .await
        .map_err(|error| io::Error::new(error.kind(), format!("cannot listen on {address}: {error}")))
}
