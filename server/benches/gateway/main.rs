//! How fast the gateway is, beside what is around it.
//!
//! One program in four roles, each a process: a model server that answers at
//! once, a bare proxy on hyper (what a gateway on this machine could reach at
//! best), the service itself, and the load, which starts the others and the rivals
//! that it is told the places of: vllm-router, Portkey's gateway and LiteLLM
//! (`cargo xtask bench gateway` installs and names them), and nginx and HAProxy as plain
//! proxies.
//!
//! The service is measured as it runs without a configuration, its log on and read, and
//! once more without its log. The load is the benchmark's own and wrk's.
//!
//! Targets are measured in turn, and each second round backwards, many times over for a
//! short while each. What is printed and drawn are medians; what is judged are medians of what each round's
//! figures are of that round's others, so that a machine whose speed changes spoils
//! no comparison. Accord runs with authentication, policy, limits and accounting.
//! Then the memory of each with many idle streams, and Accord in a flood of
//! invented secrets. A bar that is missed makes the run fail.

#![allow(missing_docs)]

mod bars;
mod draw;
mod flood;
mod idle;
mod load;
mod page;
mod plain;
mod proxy;
mod servers;
mod upstream;
mod wrk;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use clap::{Parser, Subcommand, ValueEnum};
use tokio::signal::unix::{SignalKind, signal};

use flood::Flooded;
use load::{Kind, Load, Sample, Tool};
use servers::{ACCORD, DIRECT, Running};

#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    role: Option<Role>,
    #[command(flatten)]
    run: Run,
    /// Cargo says so to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Subcommand)]
enum Role {
    /// Be the model server.
    Upstream { listen: SocketAddr },
    /// Be the bare proxy.
    Proxy {
        listen: SocketAddr,
        upstream: SocketAddr,
    },
}

#[derive(clap::Args)]
struct Run {
    /// Where the drawing and the figures go.
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/bench"))]
    out: PathBuf,
    /// The service, if not the one that is built along.
    #[arg(long, default_value = env!("CARGO_BIN_EXE_accord-server"))]
    service: PathBuf,
    /// Write the table and the picture of the README.
    #[arg(long)]
    write: bool,
    /// Go through everything once and judge nothing: for programs that are built to
    /// count what runs in them.
    #[arg(long)]
    rehearse: bool,
    /// vllm-router, if it shall be measured too.
    #[arg(long)]
    vllm_router: Option<PathBuf>,
    /// The script that starts Portkey's gateway, likewise.
    #[arg(long)]
    portkey: Option<PathBuf>,
    /// litellm, likewise.
    #[arg(long)]
    litellm: Option<PathBuf>,
    /// The service that was built by a profile, to be shown beside.
    #[arg(long)]
    guided: Option<PathBuf>,
    /// nginx, as a plain proxy to be shown beside.
    #[arg(long)]
    nginx: Option<PathBuf>,
    /// haproxy, likewise.
    #[arg(long)]
    haproxy: Option<PathBuf>,
    /// wrk, for the tools that measure.
    #[arg(long, default_value = "wrk")]
    wrk: PathBuf,
    /// Who measures.
    #[arg(long, value_enum, default_value_t = Tools::Both)]
    tool: Tools,
    /// Seconds of each measurement.
    #[arg(long, default_value_t = 1)]
    seconds: u64,
    /// How often each is measured.
    #[arg(long, default_value_t = 11)]
    rounds: usize,
}

/// Who measures.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Tools {
    /// This program alone.
    Own,
    /// wrk alone.
    Wrk,
    /// One after the other, in each round.
    Both,
}

impl Tools {
    fn all(self) -> &'static [Tool] {
        match self {
            Tools::Own => &[Tool::Own],
            Tools::Wrk => &[Tool::Wrk],
            Tools::Both => &[Tool::Own, Tool::Wrk],
        }
    }
}

/// What is measured of each target.
const CASES: [(Kind, usize); 7] = [
    (Kind::Chat, 1),
    (Kind::Chat, 16),
    (Kind::Chat, 64),
    (Kind::Stream, 1),
    (Kind::Stream, 16),
    (Kind::Stream, 64),
    (Kind::Paced, 256),
];

/// One target's figures in one case.
struct Row {
    target: &'static str,
    tool: Tool,
    kind: Kind,
    connections: usize,
    /// Of each round; nothing where it failed.
    rounds: Vec<Option<Sample>>,
    median: Sample,
}

/// How much memory one target takes up, in MiB.
struct Memory {
    target: &'static str,
    /// After the cases of 64 connections.
    busy: u64,
    /// With idle streams open, if it can hold them.
    idle: Option<u64>,
}

#[tokio::main]
async fn main() -> anyhow::Result<ExitCode> {
    let Arguments {
        role,
        run,
        bench: _,
    } = Arguments::parse();
    match role {
        Some(role) => role.play().await?,
        None if run.rehearse => rehearse(&run).await?,
        None => return measure(&run).await,
    }
    Ok(ExitCode::SUCCESS)
}

impl Role {
    /// Plays it until asked to stop.
    async fn play(self) -> anyhow::Result<()> {
        let mut stop = signal(SignalKind::terminate())?;
        let serving = async {
            match self {
                Role::Upstream { listen } => upstream::serve(listen).await,
                Role::Proxy { listen, upstream } => proxy::serve(listen, upstream).await,
            }
        };
        tokio::select! {
            served = serving => served,
            _ = stop.recv() => Ok(()),
        }
    }
}

async fn rehearse(run: &Run) -> anyhow::Result<()> {
    let targets = servers::start(run).await?;
    rows(run, 1, &targets).await?;
    flood::measure(accord(&targets)?).await?;
    Ok(())
}

fn accord(targets: &[Running]) -> anyhow::Result<&Running> {
    let accord = targets.iter().find(|target| target.name == ACCORD);
    accord.context("the service was not started")
}

async fn measure(run: &Run) -> anyhow::Result<ExitCode> {
    std::fs::create_dir_all(&run.out).context("cannot make the directory of the figures")?;
    let targets = servers::start(run).await?;
    let rows = rows(run, run.rounds, &targets).await?;
    let mut memory = Vec::new();
    let others = targets.iter().filter(|target| target.name != DIRECT);
    for target in others.filter(|target| target.is_one_process()) {
        let busy = target.memory_mib().context("no process to look at")?;
        let idle = match idle::memory(target).await {
            Ok(idle) => Some(idle),
            Err(_) if target.is_rival() => None,
            Err(error) => return Err(error.context(target.name)),
        };
        memory.push(Memory {
            target: target.name,
            busy,
            idle,
        });
    }
    let flooded = flood::measure(accord(&targets)?).await?;
    let bars = bars::judge(&rows, &memory, &flooded);
    let text = format!(
        "{}\n{}",
        table(&rows, &memory, &flooded),
        bars::table(&bars)
    );
    print!("{text}");
    std::fs::write(run.out.join("gateway.txt"), &text)?;
    std::fs::write(run.out.join("gateway.svg"), draw::svg(&rows))?;
    println!("drawn: {}", run.out.join("gateway.svg").display());
    if run.write {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        page::write(&root, &rows, &memory, run.rounds)?;
    }
    Ok(match bars.iter().all(bars::Bar::is_met) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// What a tool measures: the plain cases, and what only the benchmark's own tool can.
fn cases(tools: Tools) -> Vec<(Tool, Kind, usize)> {
    let mut cases = Vec::new();
    for (kind, connections) in CASES {
        let is_plain = matches!(kind, Kind::Chat | Kind::Stream) && connections > 1;
        for tool in tools.all() {
            if *tool == Tool::Own || is_plain {
                cases.push((*tool, kind, connections));
            }
        }
    }
    cases
}

/// The figures of all targets in all cases.
async fn rows(run: &Run, rounds: usize, targets: &[Running]) -> anyhow::Result<Vec<Row>> {
    let cases = cases(if run.rehearse { Tools::Own } else { run.tool });
    let mut samples: Vec<Vec<Vec<Option<Sample>>>> =
        vec![vec![Vec::new(); cases.len()]; targets.len()];
    for round in 0..rounds {
        for (case, (tool, kind, connections)) in cases.iter().copied().enumerate() {
            let mut order: Vec<usize> = (0..targets.len()).collect();
            if round % 2 == 1 {
                order.reverse();
            }
            for index in order {
                let target = &targets[index];
                let load = Load {
                    target,
                    kind,
                    connections,
                    time: Duration::from_secs(run.seconds),
                };
                let what = format!(
                    "round {} {} {tool} {kind} x{connections}",
                    round + 1,
                    target.name
                );
                let measured = match tool {
                    Tool::Own => load.run().await,
                    Tool::Wrk => wrk::run(&run.wrk, &load).await,
                };
                match measured {
                    Ok(sample) => {
                        eprintln!("{what}: {:.0}/s", sample.per_second);
                        samples[index][case].push(Some(sample));
                    }
                    // What a rival cannot do has no figure.
                    Err(error) if target.is_rival() => {
                        eprintln!("{what}: fails: {error}");
                        samples[index][case].push(None);
                    }
                    Err(error) => return Err(error.context(what)),
                }
            }
        }
    }
    let mut rows = Vec::new();
    for (target, samples) in targets.iter().zip(&samples) {
        for ((tool, kind, connections), rounds) in cases.iter().copied().zip(samples) {
            let samples: Vec<_> = rounds.iter().flatten().copied().collect();
            if !samples.is_empty() {
                rows.push(Row {
                    target: target.name,
                    tool,
                    kind,
                    connections,
                    rounds: rounds.clone(),
                    median: Sample::median(&samples),
                });
            }
        }
    }
    Ok(rows)
}

fn table(rows: &[Row], memory: &[Memory], flooded: &Flooded) -> String {
    let mut text = format!(
        "{:<16}{:<5}{:<8}{:>6}{:>12}{:>10}{:>10}{:>14}\n",
        "target", "tool", "case", "conns", "answers/s", "p50 ms", "p99 ms", "1st event ms"
    );
    for row in rows {
        let Sample {
            per_second,
            p50,
            p99,
            first,
        } = row.median;
        text += &format!(
            "{:<16}{:<5}{:<8}{:>6}{per_second:>12.0}{p50:>10.2}{p99:>10.2}{:>14}\n",
            row.target,
            row.tool,
            row.kind,
            row.connections,
            match first.is_nan() {
                true => "-".to_owned(),
                false => format!("{first:.3}"),
            }
        );
    }
    for Memory { target, busy, idle } in memory {
        text += &format!("{target:<16}{busy} MiB resident after 64 connections");
        text += &match idle {
            Some(idle) => format!(", {idle} MiB with {} idle streams\n", idle::STREAMS),
            None => "\n".to_owned(),
        };
    }
    text += &format!(
        "{ACCORD:<16}{:.0} chats/s while {:.0} invented secrets a second are tried, {:.0} before\n",
        flooded.during.per_second, flooded.attempts, flooded.before.per_second
    );
    text
}
