//! `release`: builds the service for production.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, ensure};

use crate::guided::Guided;
use crate::{Outcome, built, repository};

/// The number of tours in the rehearsal.
const TOURS: usize = 5;

/// Build the service for production
///
/// A profile guides the compiler. A first build counts which code runs, and rehearses every kind of
/// call: the load of the gateway's benchmark, and the tour. A second build uses the counts. That
/// takes a little more than twice as long as cargo build --release.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask release
  cargo xtask bench gateway --guided   how fast that is, beside the plain build

Exit code: 0 built, 2 something is missing, or failed.")]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments) -> anyhow::Result<Outcome> {
    build()?;
    Ok(Outcome::Success)
}

/// Builds the service and returns where it is.
pub(crate) fn build() -> anyhow::Result<PathBuf> {
    let guided = Guided::new()?;
    let began = Instant::now();
    let step = |number: u8, what: &str| {
        let minutes = began.elapsed().as_secs_f64() / 60.0;
        println!("{number} of 3, after {minutes:.1} minutes: {what}");
    };
    let [counting, program] = guided.programs("accord-server");
    let service = [
        "--release",
        "--package",
        "accord-server",
        "--bin",
        "accord-server",
    ];
    step(1, "build that counts executed code");
    succeeds(guided.counting("build").args(service))?;
    step(2, "the rehearsal");
    rehearse(&counting)?;
    step(3, "build guided by the counts");
    succeeds(guided.guided("build")?.args(service))?;
    let minutes = began.elapsed().as_secs_f64() / 60.0;
    println!("built in {minutes:.1} minutes: {}", program.display());
    Ok(program)
}

/// Makes a service execute every kind of call. The callers need not be fast, so they are
/// built without optimization, which takes less time.
fn rehearse(service: &Path) -> anyhow::Result<()> {
    let mut load = Command::new(repository::cargo());
    load.args(["bench", "--profile", "dev", "--package", "accord-server"])
        .args(["--bench", "gateway", "--", "--rehearse", "--service"])
        .arg(service);
    succeeds(&mut load)?;
    let tour = built::example("tour")?;
    for _ in 0..TOURS {
        succeeds(Command::new(&tour).arg("--service").arg(service))?;
    }
    Ok(())
}

fn succeeds(command: &mut Command) -> anyhow::Result<()> {
    command.current_dir(repository::root());
    let status = command
        .status()
        .with_context(|| format!("cannot run {command:?}"))?;
    ensure!(status.success(), "{command:?} failed");
    Ok(())
}
