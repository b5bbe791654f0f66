//! `accord`: Accord from the command line.
//!
//! Tables for people, `--json` for programs. An error says what to do next, and ends with an exit code by its kind
//! ([`failure`]). A wrong command line ends with 2.

mod commands;
mod confirm;
mod failure;
mod options;
mod output;
mod secret;
mod verbose;

use accord_client::Accord;
use clap::{CommandFactory, Parser, Subcommand};
use options::Options;
use output::Output;

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

Exit code: 0 when it is done, 2 when the command line is wrong or lacks --yes, 3 without a login
or a right, 4 when something does not exist, 5 when it exists already or has changed, 6 when the
service cannot do it now, 1 for all else.
With --json, errors are JSON as well, also those of the command line:
  {\"error\":{\"status\":…,\"code\":…,\"message\":…,\"requestId\":…,\"hint\":…}}
The code is that of the service, else http_ and the status, usage, not_logged_in, no_api_key,
unavailable, interrupted, declined or failed."
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
    /// List the organizations that you administer
    Orgs {
        #[command(subcommand)]
        command: Option<commands::users::Organizations>,
    },
    /// List the application instances that you can use
    Apps {
        #[command(subcommand)]
        command: Option<commands::users::Applications>,
    },
    /// Manage API keys and their secrets
    #[command(subcommand)]
    Keys(commands::keys::Keys),
    /// List the models of the region
    Models {
        #[command(subcommand)]
        command: Option<commands::chat::Models>,
    },
    Chat(commands::chat::Chat),
    Responses(commands::responses::Responses),
    Usage(commands::usage::Usage),
    /// Manage the agent patterns of a project
    #[command(subcommand)]
    Patterns(commands::patterns::Patterns),
    Profiles(commands::profiles::Profiles),
    Api(commands::api::Api),
    Completions(commands::completions::Completions),
}

/// The exit code of a program that Ctrl-C has ended, as shells have it.
const INTERRUPTED: i32 = 130;

#[tokio::main]
async fn main() {
    if std::env::args_os().len() == 1 {
        // The help of the command alone does not depend on environment variables.
        let _ = Arguments::command().print_help();
        std::process::exit(failure::WRONG);
    }
    let Arguments { options, command } = Arguments::try_parse().unwrap_or_else(|error| {
        std::process::exit(failure::report_usage(&error, requests_json()));
    });
    if let Command::Completions(command) = command {
        return command.print(&mut Arguments::command());
    }
    let output = options.output();
    let fail = |error: anyhow::Error| -> ! {
        std::process::exit(failure::report(&error, output.json));
    };
    if let Command::Profiles(command) = command {
        let file = options.login_file();
        let listed = file.and_then(|file| command.run(&file, &output));
        return listed.unwrap_or_else(|error| fail(error));
    }
    let secrets = options.secrets().unwrap_or_else(|error| fail(error));
    let accord = options.client(&secrets);
    let accord = accord.unwrap_or_else(|error| fail(error));
    let code = tokio::select! {
        outcome = run(&accord, &output, secrets.token.as_deref(), command) => match outcome {
            Ok(()) => 0,
            Err(error) => failure::report(&error, output.json),
        },
        Ok(()) = tokio::signal::ctrl_c() => INTERRUPTED,
    };
    // A login that is being refreshed would be lost. A second Ctrl-C ends the wait.
    tokio::select! {
        () = accord.settle() => {}
        Ok(()) = tokio::signal::ctrl_c() => {}
    }
    // Returning would make the runtime wait for a thread that reads the standard input.
    std::process::exit(code)
}

/// Whether an argument requests JSON: the command line may be wrong in another place.
fn requests_json() -> bool {
    let options = std::env::args_os().skip(1);
    let mut options = options.take_while(|argument| argument != "--");
    options.any(|argument| argument == "--json")
}

async fn run(
    accord: &Accord,
    output: &Output,
    token: Option<&str>,
    command: Command,
) -> anyhow::Result<()> {
    match command {
        Command::Login(command) => command.run(accord, output).await,
        Command::Logout(command) => command.run(accord, output).await,
        Command::Whoami(command) => command.run(accord, output, token).await,
        Command::Users(command) => command.run(accord, output).await,
        Command::Orgs { command } => command.unwrap_or_default().run(accord, output).await,
        Command::Apps { command } => command.unwrap_or_default().run(accord, output).await,
        Command::Keys(command) => command.run(accord, output).await,
        Command::Models { command } => command.unwrap_or_default().run(accord, output).await,
        Command::Chat(command) => command.run(accord, output).await,
        Command::Responses(command) => command.run(accord, output).await,
        Command::Usage(command) => command.run(accord, output).await,
        Command::Api(command) => command.run(accord).await,
        Command::Patterns(command) => command.run(accord, output).await,
        // These need no client, and were printed above.
        Command::Completions(_) | Command::Profiles(_) => Ok(()),
    }
}
