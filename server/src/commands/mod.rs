//! The command line: without a command, the service is served.

mod accelerators;
mod administrators;
mod audit;
mod clients;
mod compartments;
mod config;
mod design_instances;
mod directory;
mod grants;
mod keyring;
mod keys;
mod limits;
mod mail;
mod models;
mod options;
mod output;
mod passkeys;
mod patterns;
mod policy;
mod serve;
mod sessions;
mod trail;
mod usage;
mod users;

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
    /// Replace the key that secrets are hashed with, while everything goes on: add
    /// another, promote it when every replica holds it, retire the old one when
    /// nothing needs it.
    #[command(subcommand)]
    Keyring(keyring::Keyring),
    /// Register the applications that may ask for tokens, rotate their secrets.
    #[command(subcommand)]
    Clients(clients::Clients),
    /// Add people who can sign in, set their passwords, shut them out.
    #[command(subcommand)]
    Users(users::Users),
    /// Manage hub administrators: list, add, remove.
    #[command(subcommand)]
    Administrators(administrators::Administrators),
    /// Look at the browsers that people have signed in with, or end sessions.
    #[command(subcommand)]
    Sessions(sessions::Sessions),
    /// Look at the audit trail, or check that it is whole.
    #[command(subcommand)]
    Audit(audit::Audit),
    /// Look at the compartments that hold API keys, or make another.
    #[command(subcommand)]
    Compartments(compartments::Compartments),
    /// Manage grants: who may do what with compartments, service instances and projects.
    #[command(subcommand)]
    Grants(grants::Grants),
    /// Say how much API keys may use.
    #[command(subcommand)]
    Limits(limits::Limits),
    /// Look at the models of the configuration, or ask each whether it answers.
    #[command(subcommand)]
    Models(models::Models),
    /// Say which API keys may call which models, and why.
    #[command(subcommand)]
    Policy(policy::Policy),
    /// Show what API keys have used, by model and day.
    Usage(usage::Usage),
    /// Keep the accelerators that agent patterns are made from.
    #[command(subcommand)]
    Accelerators(accelerators::Accelerators),
    /// Manage the owners of service instances of the design service: list, set.
    #[command(subcommand)]
    DesignInstances(design_instances::DesignInstances),
    /// Look at agent patterns, lock them, or give them other values.
    #[command(subcommand)]
    Patterns(patterns::Patterns),
    /// Make organizations, application instances and projects as a file says,
    /// after showing what that changes.
    Apply(directory::Apply),
    /// Print organizations, application instances and projects as such a file.
    Export,
    /// Look at mail, send it again, or try whether it arrives.
    #[command(subcommand)]
    Mail(mail::Mail),
}

/// Does what was asked for.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    match arguments.command {
        None | Some(Command::Serve) => serve::run(&arguments.options),
        Some(Command::Config) => config::run(),
        Some(Command::Keys(keys)) => keys::run(&arguments.options, &keys),
        Some(Command::Keyring(command)) => keyring::run(&arguments.options, &command),
        Some(Command::Clients(clients)) => clients::run(&arguments.options, clients),
        Some(Command::Users(users)) => users::run(&arguments.options, users),
        Some(Command::Administrators(command)) => administrators::run(&arguments.options, &command),
        Some(Command::Sessions(sessions)) => sessions::run(&arguments.options, sessions),
        Some(Command::Audit(audit)) => audit::run(&arguments.options, audit),
        Some(Command::Compartments(command)) => compartments::run(&arguments.options, &command),
        Some(Command::Grants(command)) => grants::run(&arguments.options, &command),
        Some(Command::Limits(command)) => limits::run(&arguments.options, &command),
        Some(Command::Models(command)) => models::run(&arguments.options, &command),
        Some(Command::Policy(command)) => policy::run(&arguments.options, &command),
        Some(Command::Usage(command)) => usage::run(&arguments.options, &command),
        Some(Command::Accelerators(command)) => accelerators::run(&arguments.options, &command),
        Some(Command::DesignInstances(command)) => {
            design_instances::run(&arguments.options, &command)
        }
        Some(Command::Patterns(command)) => patterns::run(&arguments.options, &command),
        Some(Command::Apply(apply)) => directory::apply(&arguments.options, &apply),
        Some(Command::Export) => directory::export(&arguments.options),
        Some(Command::Mail(mail)) => mail::run(&arguments.options, &mail),
    }
}
