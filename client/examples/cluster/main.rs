//! Replicas of the service behind a balancer, tried with failures: `cargo xtask cluster`.
//!
//! Everything is started from installed programs, listens on 127.0.0.1 and lives in one folder.
//! The generated client calls the service all the time, while the program causes one failure after
//! the other. A table shows what callers noticed, and what the bounds allow.

mod balancer;
mod bounds;
mod cluster;
mod failures;
#[path = "../../../server/tests/it/harness/installed.rs"]
mod installed;
mod journal;
mod load;
mod path;
mod postgres;
mod processes;
mod redis;
mod replicas;
mod stalls;
mod table;
mod upstream;
mod verdict;

#[path = "../tour/browser.rs"]
mod browser;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Parser;

use cluster::Cluster;
use failures::{Failure, Times};
use processes::Folder;
use verdict::Row;

/// Try replicas of the service with failures.
#[derive(Parser)]
struct Arguments {
    /// The program of the service
    #[arg(long, value_name = "PATH")]
    service: PathBuf,
    /// Cause this failure only; may be given several times
    #[arg(long, value_name = "FAILURE")]
    only: Vec<Failure>,
    /// Cause the main failures only, in about two minutes
    #[arg(long)]
    short: bool,
    /// Leave everything running for a look until Ctrl-C, and leave the folder
    #[arg(long)]
    keep: bool,
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(&Arguments::parse()).await {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// The exit code: 0 if every failure was tried and is within its bounds, 1 if one was not.
async fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let folder = Folder::create(arguments.keep).await?;
    let outcome = tokio::select! {
        outcome = try_all(arguments, &folder) => outcome,
        interrupted = tokio::signal::ctrl_c() => {
            interrupted.context("cannot wait for an interrupt")?;
            eprintln!("interrupted: everything is stopped");
            Ok(ExitCode::from(2))
        }
    };
    folder.close().await?;
    outcome
}

/// Causes the failures and prints the table.
async fn try_all(arguments: &Arguments, folder: &Folder) -> anyhow::Result<ExitCode> {
    let service = arguments.service.canonicalize();
    let service = service.with_context(|| format!("{} is missing", arguments.service.display()))?;
    let times = match arguments.short {
        true => Times::SHORT,
        false => Times::LONG,
    };
    eprintln!("starting the cluster in {}", folder.path().display());
    let mut cluster = Cluster::start(folder, &service).await?;
    let mut rows: Vec<Row> = Vec::new();
    for failure in Failure::chosen(&arguments.only, arguments.short) {
        eprintln!("{}", failure.title());
        if let Some(reason) = failure.missing() {
            rows.push(Row::not_tried(failure, reason));
            continue;
        }
        match verdict::of(failure, &mut cluster, &times).await {
            Ok(row) => rows.push(row),
            Err(error) => {
                print!("{}", table::of(&rows));
                return Err(error.context(failure.title()));
            }
        }
    }
    print!("{}", table::of(&rows));
    if arguments.keep {
        eprintln!("{}\nrunning until Ctrl-C", cluster.addresses());
        std::future::pending::<()>().await;
    }
    Ok(match rows.iter().all(Row::is_within_bounds) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}
