//! The command line. The default command is `serve`.

mod accelerators;
mod administrators;
mod audit;
mod backup;
mod clients;
mod compartments;
mod config;
mod design_instances;
mod directory;
mod grants;
mod init;
mod input;
mod limits;
mod mail;
mod migrate;
mod models;
mod operators;
mod options;
mod output;
mod passkeys;
mod patterns;
mod policy;
mod reload;
mod removal;
mod serve;
mod server_keys;
mod sessions;
mod signing_keys;
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
    /// Serve until stopped (the default).
    Serve,
    /// Request that the running service on this machine applies its changed configuration: models,
    /// limits of API keys and the log level.
    ///
    /// Checks the configuration first. The log of the service names changed keys that need a
    /// restart. SIGHUP does the same without the check.
    Reload,
    Config(config::Template),
    /// Set up an empty database: an organization, its administrator, and a compartment for API
    /// keys. Prints the commands to the first chat.
    Init(init::Init),
    /// Manage signing keys: list, rotate.
    #[command(subcommand, alias = "keys")]
    SigningKeys(signing_keys::SigningKeys),
    /// Replace the server key that secrets are hashed with, without downtime: list, add,
    /// promote, retire.
    #[command(subcommand, alias = "keyring")]
    ServerKeys(server_keys::ServerKeys),
    /// Manage client applications: add, list, rotate secrets, disable, enable.
    #[command(subcommand)]
    Clients(clients::Clients),
    /// Manage users: add, list, set passwords, disable, enable, remove, manage passkeys.
    #[command(subcommand)]
    Users(users::Users),
    /// Manage hub administrators: list, add, remove.
    #[command(subcommand)]
    Administrators(administrators::Administrators),
    /// Manage operators of the console: list, add, remove.
    #[command(subcommand)]
    Operators(operators::Operators),
    /// Manage browser sessions: list, revoke.
    #[command(subcommand)]
    Sessions(sessions::Sessions),
    /// Show or verify the audit trail.
    #[command(subcommand)]
    Audit(audit::Audit),
    /// Manage the compartments that hold API keys: list, set.
    #[command(subcommand)]
    Compartments(compartments::Compartments),
    /// Manage grants: who may do what with compartments, service instances and projects.
    #[command(subcommand)]
    Grants(grants::Grants),
    /// Manage limits of API keys and tenancies.
    #[command(subcommand)]
    Limits(limits::Limits),
    /// Manage the configured models: list, check.
    #[command(subcommand)]
    Models(models::Models),
    /// Manage the policies that let API keys call models.
    #[command(subcommand)]
    Policy(policy::Policy),
    /// Show the usage of API keys, by model and day.
    Usage(usage::Usage),
    /// Manage the accelerators that agent patterns are created from.
    #[command(subcommand)]
    Accelerators(accelerators::Accelerators),
    /// Manage the owners of service instances of the design service: list, set.
    #[command(subcommand)]
    DesignInstances(design_instances::DesignInstances),
    /// Manage agent patterns: list, show, lock, unlock, set.
    #[command(subcommand)]
    Patterns(patterns::Patterns),
    /// Create or update organizations, application instances and projects from a file,
    /// after showing the changes.
    Apply(directory::Apply),
    /// Print organizations, application instances and projects in the format that apply
    /// reads.
    Export,
    /// Manage outgoing mail: list, show, resend, test.
    #[command(subcommand)]
    Mail(mail::Mail),
    /// List the migrations that the database lacks, or apply them.
    Migrate(migrate::Migrate),
    /// Copy the server keys and a SQLite database to an encrypted file, also while the service runs.
    Backup(backup::Backup),
    /// Restore the server keys and the database of a backup. Replaces no file.
    Restore(backup::Restore),
}

/// Runs the command.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    match arguments.command {
        None | Some(Command::Serve) => serve::run(&arguments.options),
        Some(Command::Reload) => reload::run(&arguments.options),
        Some(Command::Config(command)) => config::run(&arguments.options, &command),
        Some(Command::Init(command)) => init::run(&arguments.options, &command),
        Some(Command::SigningKeys(command)) => signing_keys::run(&arguments.options, &command),
        Some(Command::ServerKeys(command)) => server_keys::run(&arguments.options, &command),
        Some(Command::Clients(clients)) => clients::run(&arguments.options, clients),
        Some(Command::Users(users)) => users::run(&arguments.options, users),
        Some(Command::Administrators(command)) => administrators::run(&arguments.options, &command),
        Some(Command::Operators(command)) => operators::run(&arguments.options, command),
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
        Some(Command::Migrate(command)) => migrate::run(&arguments.options, &command),
        Some(Command::Backup(command)) => backup::create(&arguments.options, &command),
        Some(Command::Restore(command)) => backup::restore(&arguments.options, &command),
    }
}
