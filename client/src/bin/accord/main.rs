//! `accord`: Accord from the command line.
//!
//! Tables for people, `--json` for programs. An error says what to do next and ends with exit code 1; a wrong command
//! line ends with 2.

mod commands;
mod options;
mod output;

use clap::{Parser, Subcommand};
use options::Options;
use std::process::ExitCode;

/// Work with Accord: users, API keys, models and agent patterns
#[derive(Parser)]
#[command(
    name = "accord",
    version,
    after_help = "\
To begin:
  accord login                                      approve this device in a browser
  accord keys create my_key --compartment compartment.demo
  accord chat --api-key sk-… \"Hello\"

Exit code: 0 when it is done, 1 when it is not, 2 when the command line is wrong."
)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Login(commands::login::Login),
    Logout(commands::login::Logout),
    Whoami(commands::login::Whoami),
    /// Create users and link their profiles
    #[command(subcommand)]
    Users(commands::users::Users),
    /// The organizations that you administer
    #[command(subcommand)]
    Orgs(commands::users::Organizations),
    /// The application instances that you can use
    #[command(subcommand)]
    Apps(commands::users::Applications),
    /// API keys and their secrets
    #[command(subcommand)]
    Keys(commands::keys::Keys),
    /// The models of the region
    #[command(subcommand)]
    Models(commands::chat::Models),
    Chat(commands::chat::Chat),
    /// Agent patterns of a project
    #[command(subcommand)]
    Patterns(commands::patterns::Patterns),
}

#[tokio::main]
async fn main() -> ExitCode {
    let Arguments { options, command } = Arguments::parse();
    match run(&options, command).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            if let Some(hint) = output::hint(&error) {
                eprintln!("hint: {hint}");
            }
            ExitCode::FAILURE
        }
    }
}

async fn run(options: &Options, command: Command) -> anyhow::Result<()> {
    let accord = options.client()?;
    let output = options.output();
    match command {
        Command::Login(command) => command.run(&accord, &output).await,
        Command::Logout(command) => command.run(&accord, &output).await,
        Command::Whoami(command) => command.run(&accord, &output).await,
        Command::Users(command) => command.run(&accord, &output).await,
        Command::Orgs(command) => command.run(&accord, &output).await,
        Command::Apps(command) => command.run(&accord, &output).await,
        Command::Keys(command) => command.run(&accord, &output).await,
        Command::Models(command) => command.run(&accord, &output).await,
        Command::Chat(command) => command.run(&accord, &output).await,
        Command::Patterns(command) => command.run(&accord, &output).await,
    }
}
