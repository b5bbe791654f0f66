//! `bench`: a benchmark beside its rivals.

mod edit;

use std::process::Command;

use anyhow::{Context, bail, ensure};
use clap::ValueEnum;

use crate::guided::Guided;
use crate::{Outcome, repository, tools};

/// Measure the service beside its rivals, in one run
///
/// Everything is built with optimizations, rivals are installed under
/// target/tools, and the rounds of all alternate; what is printed are medians.
/// Leave the machine alone meanwhile, and trust ratios rather than figures.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask bench accounts   creations beside a bare loop of commits, lists of 10,000
  cargo xtask bench edit       from saving a document to the first error, on both sides
  cargo xtask bench server     generated operations beside ones written by hand
  cargo xtask bench server -- --count   what checks and whole requests cost, in instructions
  cargo xtask bench identity   device authorizations and polls, beside oidc-provider
  cargo xtask bench gateway    chats and streams, beside a bare proxy, vllm-router, Portkey and LiteLLM
  cargo xtask bench gateway -- --seconds 2 --rounds 5
  cargo xtask bench gateway --guided   built as cargo xtask release builds, the bare proxy too

Exit code: 0 measured, 1 an answer was wrong or a bar was missed.")]
pub(crate) struct Arguments {
    /// What is measured
    #[arg(value_name = "WHAT")]
    what: Benchmark,
    /// Build by a profile of the benchmark's own load, all sides (gateway, server)
    #[arg(long)]
    guided: bool,
    /// What the benchmark is given
    #[arg(last = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Benchmark {
    /// Creations of users beside a bare loop of commits, and lists
    Accounts,
    /// From saving a document to the first error that it causes
    Edit,
    /// Chats and streams, beside a bare proxy, vllm-router, Portkey and LiteLLM
    Gateway,
    /// Device authorizations and polls, beside oidc-provider (Node)
    Identity,
    /// Generated operations beside the same written by hand on dropshot and axum
    Server,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let (package, target, rival) = match arguments.what {
        Benchmark::Accounts => ("accord-server", "accounts", Vec::new()),
        Benchmark::Edit => return edit::run(&arguments.arguments).map(|()| Outcome::Success),
        Benchmark::Gateway => ("accord-server", "gateway", tools::gateways()?),
        Benchmark::Identity => {
            tools::oidc_provider()?;
            ("accord-server", "identity", Vec::new())
        }
        Benchmark::Server => ("accord", "server", Vec::new()),
    };
    let benchmark = ["--package", package, "--bench", target, "--"];
    let mut cargo = match (arguments.guided, arguments.what) {
        (false, _) => {
            let mut cargo = Command::new(repository::cargo());
            cargo.arg("bench");
            cargo
        }
        (true, Benchmark::Gateway | Benchmark::Server) => {
            let guided = Guided::new()?;
            let mut rehearsal = guided.counting("bench");
            let status = rehearsal.args(benchmark).arg("--rehearse").status();
            ensure!(
                status.context("cannot run cargo")?.success(),
                "the rehearsal failed"
            );
            guided.guided("bench")?
        }
        (true, _) => bail!("only `gateway` and `server` can be measured with --guided"),
    };
    let status = cargo
        .args(benchmark)
        .args(rival)
        .args(&arguments.arguments)
        .current_dir(repository::root())
        .status()
        .context("cannot run cargo")?;
    Ok(match status.success() {
        true => Outcome::Success,
        false => Outcome::Failure,
    })
}
