//! The binary: flags, logs, signals and a listener for [`server::serve`].

use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use mimalloc::MiMalloc;
use server::admin::Admin;
use server::config::{self, Asked, Config, OptionalAddress, Wrong};
use server::health::Health;
use server::serve::{Listeners, serve};
use server::shutdown;
use server::telemetry::Telemetry;
use server::telemetry::log::{self, Filter};
use tokio::net::TcpListener;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let config = match config::load() {
        Ok(Asked::Serve(config)) => config,
        Ok(Asked::Print(text)) => return print(&text),
        Err(wrong) => return refuse(&wrong),
    };
    let Ok((log, filter)) = log::init(&config.observe.log_filter, config.observe.log_format) else {
        // Without a thread there is nobody to tell why.
        return ExitCode::FAILURE;
    };
    let served = run(&config, filter);
    if let Err(error) = &served {
        log.tell(&error.to_string());
    }
    log.flush();
    if served.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn print(text: &str) -> ExitCode {
    end_of_print(io::stdout().write_all(text.as_bytes()))
}

/// Whether all that was asked for has been printed.
fn end_of_print(printed: io::Result<()>) -> ExitCode {
    match printed.and_then(|()| io::stdout().flush()) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever closed the output has read enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: cannot write to standard output: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Says what is wrong, or the help that was asked for.
fn refuse(wrong: &Wrong) -> ExitCode {
    match wrong {
        Wrong::Flags(error) if error.use_stderr() => {
            // Whoever closed the output does not want to know.
            let _ = error.print();
            ExitCode::from(2)
        }
        Wrong::Flags(error) => end_of_print(error.print()),
        Wrong::Setting(_) => {
            let _ = writeln!(io::stderr(), "{wrong}");
            ExitCode::from(2)
        }
    }
}

fn run(config: &Config, filter: Filter) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        // It would end the process until somebody follows the files.
        let _caught = shutdown::Hangups::new()?;
        let telemetry = Arc::new(Telemetry::new(config).map_err(io::Error::other)?);
        let health = Health::default();
        if let OptionalAddress(Some(address)) = config.listen.admin_listen {
            let listener = bind(address).await?;
            tracing::info!(address = %listener.local_addr()?, "the admin port answers");
            let admin = Admin { telemetry: telemetry.clone(), stage: health.stage(), filter };
            tokio::spawn(admin.serve(listener));
        }
        // Before the listener: whoever has seen the server listen can stop it properly.
        let signals = shutdown::signals()?;
        let grpc = bind(config.listen.listen).await?;
        let for_health = match config.listen.health_listen {
            Some(address) => Some(bind(address).await?),
            None => None,
        };
        let served =
            serve(config, Listeners { grpc, health: for_health }, signals, health, telemetry.clone()).await;
        // The exporters need the runtime.
        let _ = tokio::task::spawn_blocking(move || telemetry.shut_down()).await;
        served
    });
    // Work that nobody waits for any more must not hold up the exit.
    runtime.shutdown_background();
    served
}

async fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let bound = TcpListener::bind(address).await;
    bound.map_err(|error| io::Error::new(error.kind(), format!("cannot listen on {address}: {error}")))
}
