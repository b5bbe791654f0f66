//! The command line: without a command, the service is served.

mod audit;
mod config;
mod keys;
mod options;
mod output;
mod serve;

use clap::{Parser, Subcommand};

/// Accord's service: accounts, identity, inference and patterns.
#[derive(Parser)]
#[command(name = "accord-server", version, about)]
pub struct Arguments {
    #[command(flatten)]
    options: options::Options,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Serve until told to stop (the default).
    Serve,
    /// Print a configuration file with every key, its meaning and its default.
    Config,
    /// Look at the keys that tokens are signed with, or make another.
    #[command(subcommand)]
    Keys(keys::Keys),
    /// Look at the audit trail, or check that it is whole.
    #[command(subcommand)]
    Audit(audit::Audit),
}

/// Does what was asked for.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    match arguments.command {
        None | Some(Command::Serve) => serve::run(&arguments.options),
        Some(Command::Config) => config::run(),
        Some(Command::Keys(keys)) => keys::run(&arguments.options, &keys),
        Some(Command::Audit(audit)) => audit::run(&arguments.options, audit),
    }
}
