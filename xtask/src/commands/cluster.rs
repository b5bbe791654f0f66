//! `cluster`: tries replicas of the service with failures.
//!
//! The trial is an example of the client. Cargo builds it, so that this tool builds in any state of
//! the documents.

use std::os::unix::process::CommandExt as _;
use std::process::Command;

use anyhow::Context;
use clap::ValueEnum;

use crate::{Outcome, built};

/// The failures of the trial. An unknown one is rejected here, before anything is built.
const FAILURES: [&str; 9] = [
    "kill", "rolling", "restart", "promote", "hosts", "pause", "redis", "skew", "full",
];

/// Test three replicas behind a balancer with failures
///
/// Starts PostgreSQL with a synchronous standby, Redis, three replicas, HAProxy and a model server on
/// 127.0.0.1. HAProxy uses `server/deploy/haproxy.cfg` with other addresses and paths. Calls the
/// service by the generated client, while it causes one failure after the other. Prints what callers
/// noticed, and whether that is within the bounds. Causes a failure once more when a busy machine
/// explains all that was out of bounds, such as a late call. Everything is stopped and removed at the end.
#[derive(clap::Args)]
#[command(after_help = "\
Failures:
  kill       kill -9 of a replica
  rolling    SIGTERM of each replica, and a new one
  restart    restart of PostgreSQL
  promote    death of the primary, and promotion of its standby
  hosts      the same with both servers in the address of the database
  pause      no packets to and from the primary for 20 s
  redis      Redis stops, and starts again later
  skew       the clock of one replica 30 s ahead
  full       no space for the files of one replica

Examples:
  cargo xtask cluster                               the release build, about five minutes
  cargo xtask cluster --profile dev --only kill     one failure, with a build for development
  cargo xtask cluster --short --profile dev         the main failures, about two minutes
  cargo xtask cluster --only pause --keep           leave everything running for a look

Exit code: 0 when all were tried and are within their bounds, 1 when one is out of its bounds or was
not tried, 2 when the cluster does not start or a trial ends early.")]
pub(crate) struct Arguments {
    /// The build of the service
    #[arg(long, value_name = "PROFILE", default_value = "release")]
    profile: Profile,
    /// Cause this failure only; may be given several times
    #[arg(long, value_name = "FAILURE", value_parser = FAILURES, hide_possible_values = true)]
    only: Vec<String>,
    /// Cause the main failures only, in about two minutes
    #[arg(long)]
    short: bool,
    /// Leave everything running until Ctrl-C, and leave the folder with the logs
    #[arg(long)]
    keep: bool,
}

/// A build of the service.
#[derive(Clone, Copy, ValueEnum)]
enum Profile {
    /// With optimizations
    Release,
    /// As the tests build it
    Dev,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    eprintln!("building the service and its callers");
    let service = match arguments.profile {
        Profile::Release => built::released("accord-server")?,
        Profile::Dev => built::program("accord-server")?,
    };
    let mut trial = Command::new(built::example("cluster")?);
    trial.arg("--service").arg(service);
    for failure in &arguments.only {
        trial.args(["--only", failure]);
    }
    trial.args(arguments.short.then_some("--short"));
    trial.args(arguments.keep.then_some("--keep"));
    // The trial replaces this program, so that Ctrl-C reaches it alone, and the shell waits until it has cleaned up.
    Err(trial.exec()).context("cannot start the trial")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_failures_are_those_of_the_trial() {
        let source = include_str!("../../../client/examples/cluster/failures.rs");
        let (_, rest) = source.split_once("pub enum Failure {").expect("failures");
        let (variants, _) = rest.split_once("\n}").expect("their end");
        let lines = variants.lines().map(str::trim);
        let names = lines.filter_map(|line| line.strip_suffix(','));
        let names: Vec<String> = names.map(str::to_lowercase).collect();
        assert_eq!(names, FAILURES);
    }

    #[test]
    fn an_unknown_failure_is_refused_before_anything_is_built() {
        let command = <Arguments as clap::Args>::augment_args(clap::Command::new("cluster"));
        let parse = |failure: &str| {
            let line = ["cluster", "--only", failure];
            command.clone().try_get_matches_from(line).is_ok()
        };
        assert!(parse("kill"));
        assert!(!parse("foo"));
    }
}
