//! Builds the images, runs the service's as a cluster would, and looks at it from outside.

mod builder;
mod engine;
mod running;

use std::time::Duration;

use crate::command::Failure;
use crate::tools;
use engine::Engine;
use running::Container;

/// The largest that the image of the service may be, unpacked.
const MAX_BYTES: u64 = 40_000_000;

/// How long running calls may take when the service stops: the default of `--drain-deadline`.
const DRAIN_DEADLINE: Duration = Duration::from_secs(10);

/// What says who made an image, as OCI has it.
const LABELS: [&str; 6] = ["title", "description", "version", "revision", "licenses", "base.name"];

/// Programs by which one could work in a container.
const SHELLS: [&str; 5] = ["sh", "bash", "/bin/sh", "/bin/dash", "/busybox/sh"];

pub(crate) fn check() -> Result<(), Failure> {
    let grpcurl = tools::python()?.program("grpcurl")?;
    let engine = Engine::find()?;
    let [service, load] = builder::build(&engine)?;
    for image in [&service, &load] {
        look_at(&engine, image)?;
    }
    // The load generator has nothing to listen to; that it starts is enough.
    engine.output(&["run", "--rm", "--read-only", &load, "--version"])?;
    let container = Container::start(&engine, &service, &grpcurl)?;
    container.is_nobody()?;
    container.is_healthy()?;
    container.validates_moves()?;
    container.stops_within(DRAIN_DEADLINE)?;
    println!("    all is well; the images are {service} and {load}");
    Ok(())
}

/// Looks at an image without running it.
fn look_at(engine: &Engine, image: &str) -> Result<(), Failure> {
    let inspect = |format: &str| engine.output(&["image", "inspect", "--format", format, image]);
    let bytes = inspect("{{.Size}}")?;
    if bytes.parse::<u64>().is_ok_and(|bytes| bytes < MAX_BYTES) {
        println!("    {image}: {bytes} bytes, less than {MAX_BYTES}");
    } else {
        return Err(Failure(format!("{image} has {bytes} bytes; expected less than {MAX_BYTES}")));
    }
    for label in LABELS {
        let value = inspect(&format!("{{{{index .Config.Labels \"org.opencontainers.image.{label}\"}}}}"))?;
        if value.is_empty() {
            return Err(Failure(format!("{image} has no label org.opencontainers.image.{label}")));
        }
        println!("    {image}: {label} is {value}");
    }
    let (user, probe) = (inspect("{{.Config.User}}")?, inspect("{{json .Config.Healthcheck}}")?);
    if !user.starts_with(|first: char| ('1'..='9').contains(&first)) || probe != "null" {
        return Err(Failure(format!(
            "{image} has the user {user:?} and HEALTHCHECK {probe}; expected a number and none"
        )));
    }
    has_no_shell(engine, image)
}

fn has_no_shell(engine: &Engine, image: &str) -> Result<(), Failure> {
    for shell in SHELLS {
        let result = engine.result(&["run", "--rm", "--network", "none", "--entrypoint", shell, image])?;
        // 127: there is no such program. Anything else is a shell, or a fault that says nothing about it.
        if result.status.code() != Some(127) {
            let said = String::from_utf8_lossy(&result.stderr);
            return Err(Failure(format!("{image}: starting {shell} ended with {}: {said}", result.status)));
        }
    }
    println!("    {image}: none of {} is in it", SHELLS.join(", "));
    Ok(())
}
