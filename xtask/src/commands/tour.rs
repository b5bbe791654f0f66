//! `tour`: the whole story, walked with the generated client.
//!
//! Nothing is prepared but a service with the demo catalogue: what one step
//! makes, the next one uses. A step that does not end as it should ends the
//! tour.

mod browser;
mod service;
mod steps;

use std::time::Instant;

use anyhow::Context;

use crate::Outcome;

/// Start a service on a free port and walk the whole story
///
/// Device login, a user with a collab profile, an API key, a chat that comes as
/// a stream, a rotation without a failed request, an agent pattern, the
/// published documents.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask tour                               with a service of its own
  cargo xtask tour --url http://127.0.0.1:8080   with one that runs, and has the demo catalogue

Exit code: 0 when every step ended well, 1 when one did not, 2 when there is
no service to walk through.")]
pub(crate) struct Arguments {
    /// A service that runs already
    #[arg(long, value_name = "URL")]
    url: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let runtime = tokio::runtime::Runtime::new().context("cannot start a runtime")?;
    runtime.block_on(async {
        let service = match &arguments.url {
            Some(_) => None,
            None => Some(service::Service::start().await?),
        };
        let address = match (&arguments.url, &service) {
            (Some(url), _) => url.trim_end_matches('/').to_owned(),
            (None, Some(service)) => service.address().to_owned(),
            (None, None) => unreachable!("without an address a service was started"),
        };
        println!("The service is at {address}.");
        let began = Instant::now();
        let outcome = match steps::walk(&address).await {
            Ok(()) => {
                println!(
                    "\nThe whole story, in {:.1} seconds.",
                    began.elapsed().as_secs_f64()
                );
                Outcome::Success
            }
            Err(error) => {
                println!("\nThis step failed: {error:#}");
                if let Some(service) = &service {
                    println!("What the service said:\n{}", service.log());
                }
                Outcome::Failure
            }
        };
        if let Some(service) = service {
            service.stop().await?;
        }
        Ok(outcome)
    })
}
