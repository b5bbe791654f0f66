//! `bench`: runs a benchmark together with its rivals.

mod edit;
mod generate;
mod lsp;

use std::process::Command;

use anyhow::{Context, bail, ensure};
use clap::ValueEnum;

use super::release;
use crate::guided::Guided;
use crate::{Outcome, repository, tools};

/// Measure the service beside its rivals, in one run
///
/// Rivals are installed under target/tools, and the rounds of all alternate. The output shows
/// medians. Run nothing else on the machine, and trust ratios rather than figures.
///
/// Everything is built as cargo build --release builds it. With --guided, the gateway is also
/// measured as cargo xtask release builds it. Generated servers and their hand-written rivals are
/// then all built with a profile.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask bench accounts   creations beside a bare loop of commits, lists of 10,000
  cargo xtask bench edit       from saving a document to the first error, on both sides
  cargo xtask bench generate   time, memory and lines of generated code, beside progenitor alone
  cargo xtask bench generate -- --rounds 5 DOCUMENT…
  cargo xtask bench generate -- --openapi-to-rust PATH --write   writes the table of the README
  cargo xtask bench generate -- --baseline BEFORE.json   with the ratios to an earlier run
  cargo xtask bench growth     each operation on a full store, beside an empty one
  cargo xtask bench growth -- --rows 100000
  cargo xtask bench keys       start, memory, calls and revocations with 100,000 API keys
  cargo xtask bench limits     chats with limits in Redis, beside limits of the replica
  cargo xtask bench sizing     round trips, statements and rows of each operation, on PostgreSQL
  cargo xtask bench sizing -- --write   writes the table of server/deploy/SIZING.md
  cargo xtask bench lsp        from an edit in Neovim to its underline, and to handlers and callers
  cargo xtask bench lsp -- --rounds 9
  cargo xtask bench lsp -- --write   writes the table of openapi/EDITOR.md
  cargo xtask bench server     generated operations beside ones written by hand
  cargo xtask bench server -- --count   what checks and whole requests cost, in instructions
  cargo xtask bench identity   device authorizations and polls, beside oidc-provider
  cargo xtask bench identity -- --write   writes the table of the README
  cargo xtask bench gateway    chats and streams, beside other gateways and proxies
  cargo xtask bench gateway -- --seconds 2 --rounds 5 --tool wrk
  cargo xtask bench gateway -- --write   writes the table and the picture of the README
  cargo xtask bench gateway --guided   with the service of cargo xtask release shown beside

Exit code: 0 measured, 1 a response was wrong or a bar was missed.")]
pub(crate) struct Arguments {
    /// The benchmark
    #[arg(value_name = "WHAT")]
    what: Benchmark,
    /// Also measure a build that is guided by a profile
    #[arg(long)]
    guided: bool,
    /// Arguments of the benchmark
    #[arg(last = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Benchmark {
    /// Creations of users beside a bare loop of commits, and lists
    Accounts,
    /// From saving a document to the first error that it causes
    Edit,
    /// Chats and streams, beside nginx, HAProxy, vllm-router, Portkey and LiteLLM
    Gateway,
    /// Generation, and the check of the generated code, beside progenitor alone
    Generate,
    /// Operations on a store with a million rows of each kind, beside an empty one
    Growth,
    /// Device authorizations and polls, beside oidc-provider (Node)
    Identity,
    /// Two replicas with 100,000 API keys, while keys change and secrets are revoked
    Keys,
    /// Chats with limits in Redis, beside limits that a replica counts itself
    Limits,
    /// From an edit of a document in Neovim to what the editor shows
    Lsp,
    /// Generated operations beside the same written by hand on dropshot and axum
    Server,
    /// What each operation costs PostgreSQL: round trips, statements, rows
    Sizing,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let (package, target, mut rival) = match arguments.what {
        Benchmark::Accounts => ("accord-server", "accounts", Vec::new()),
        Benchmark::Edit => return edit::run(&arguments.arguments).map(|()| Outcome::Success),
        Benchmark::Generate => return generate::run(&arguments.arguments),
        Benchmark::Growth => ("accord-server", "growth", Vec::new()),
        Benchmark::Gateway => ("accord-server", "gateway", tools::gateways()?),
        Benchmark::Identity => {
            tools::oidc_provider()?;
            ("accord-server", "identity", Vec::new())
        }
        Benchmark::Keys => ("accord-server", "keys", Vec::new()),
        Benchmark::Limits => ("accord-server", "limits", Vec::new()),
        Benchmark::Sizing => ("accord-server", "sizing", Vec::new()),
        Benchmark::Lsp => return lsp::run(&arguments.arguments),
        Benchmark::Server => ("accord", "server", Vec::new()),
    };
    let benchmark = ["--package", package, "--bench", target, "--"];
    let mut cargo = match (arguments.what, arguments.guided) {
        (Benchmark::Server, true) => rehearsed(&benchmark)?,
        (Benchmark::Gateway, true) => {
            let service = release::build()?;
            rival.extend(["--guided".into(), service.into()]);
            unguided()
        }
        (_, false) => unguided(),
        (_, true) => bail!("only the gateway and server benchmarks have a guided build"),
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

/// A cargo command that builds the benchmark with the profile of its rehearsal.
fn rehearsed(benchmark: &[&str]) -> anyhow::Result<Command> {
    let guided = Guided::new()?;
    let mut rehearsal = guided.counting("bench");
    let status = rehearsal.args(benchmark).arg("--rehearse").status();
    let status = status.context("cannot run cargo")?;
    ensure!(status.success(), "the rehearsal failed");
    guided.guided("bench")
}

fn unguided() -> Command {
    let mut cargo = Command::new(repository::cargo());
    cargo.arg("bench");
    cargo
}
