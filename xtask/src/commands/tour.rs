//! `tour`: calls a service from login to chat with the generated client.
//!
//! The tour is an example of the client, which cargo builds, so that this tool builds in any state
//! of the documents.

use std::process::Command;

use anyhow::{Context, bail};

use crate::{Outcome, built};

/// Start a service on a free port and call it from login to chat
///
/// Device login, a user with a collab profile, an API key, a streamed chat, a rotation without a
/// failed request, an agent pattern, the published documents.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask tour                               with a service of its own
  cargo xtask tour --url http://127.0.0.1:8080   with one that runs, and has the demo catalog

Exit code: 0 when every step ended well, 1 when one did not, 2 when there is
no service to call.")]
pub(crate) struct Arguments {
    /// Address of a running service [default: start one]
    #[arg(long, value_name = "URL")]
    url: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let mut tour = Command::new(built::example("tour")?);
    match &arguments.url {
        Some(url) => tour.args(["--url", url]),
        None => {
            let service = built::program("accord-server")?;
            tour.arg("--service").arg(service)
        }
    };
    let status = tour.status().context("cannot start the tour")?;
    match status.code() {
        Some(0) => Ok(Outcome::Success),
        Some(1) => Ok(Outcome::Failure),
        _ => bail!("the tour failed"),
    }
}
