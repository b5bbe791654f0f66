//! The whole story, walked with the generated client: `cargo xtask tour`.
//!
//! The service needs only the demo catalog: each step uses the results of the
//! previous one. A failed step ends the tour.

mod browser;
mod service;
mod steps;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use clap::Parser;

/// Walk the whole story with a service.
#[derive(Parser)]
struct Arguments {
    /// A running service with the demo catalog
    #[arg(long, value_name = "URL", required_unless_present = "service")]
    url: Option<String>,
    /// The program to start on a free port
    #[arg(long, value_name = "PATH", conflicts_with = "url")]
    service: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// The exit code: 0 if every step succeeded, 1 if one failed.
fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Runtime::new().context("cannot start a runtime")?;
    runtime.block_on(async {
        let service = match &arguments.service {
            Some(program) => Some(service::Service::start(program).await?),
            None => None,
        };
        let started = service.as_ref().map(service::Service::address);
        let address = started.or(arguments.url.as_deref());
        let address = address.context("neither --url nor --service is given")?;
        let address = address.trim_end_matches('/').to_owned();
        println!("The service is at {address}.");
        let began = Instant::now();
        let outcome = match steps::walk(&address).await {
            Ok(()) => {
                println!(
                    "\nThe whole story, in {:.1} seconds.",
                    began.elapsed().as_secs_f64()
                );
                match &service {
                    Some(_) => println!(
                        "Next: start a service with `cargo run`, and paste the commands that it prints."
                    ),
                    None => println!("Next: try the operations yourself at {address}/docs."),
                }
                ExitCode::SUCCESS
            }
            Err(error) => {
                println!("\nThis step failed: {error:#}");
                if let Some(service) = &service {
                    println!("The log of the service:\n{}", service.log());
                }
                ExitCode::FAILURE
            }
        };
        if let Some(service) = service {
            service.stop().await?;
        }
        Ok(outcome)
    })
}
