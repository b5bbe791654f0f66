//! `serve`: builds and starts the service.

use std::process::Command;

use anyhow::Context;

use crate::{Outcome, repository};

/// Build the service and serve until stopped
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask serve                                  on 127.0.0.1:8080, in ./data
  cargo xtask serve -- --listen 127.0.0.1:9000       on another port
  cargo xtask serve -- --help                        all options of the service

Exit code: 0 when the service ended well, 1 when it did not or cannot be built.")]
pub(crate) struct Arguments {
    /// Build with optimizations
    #[arg(long)]
    release: bool,
    /// Arguments of the service
    #[arg(last = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let mut command = Command::new(repository::cargo());
    command.args(["run", "--package", "accord-server"]);
    if arguments.release {
        command.arg("--release");
    }
    command.arg("--").args(&arguments.arguments);
    // Signals of the terminal reach the service directly.
    let status = command.status().context("cannot run cargo")?;
    Ok(match status.success() {
        true => Outcome::Success,
        false => Outcome::Failure,
    })
}
