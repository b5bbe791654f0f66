//! `accord`: Accord from the command line.
//!
//! Tables for people, `--json` for programs. An error says what to do next, and ends with an exit code by its kind
//! ([`failure`]). A wrong command line ends with 2.

mod commands;
mod config_file;
mod confirm;
mod failure;
mod options;
mod output;
mod saved_key;
mod secret;
mod setting_name;
mod settings;
#[cfg(test)]
mod terminal;
mod verbose;

use accord_client::Accord;
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use commands::noun::Noun;
use options::{Options, Secrets};
use output::Output;
use setting_name::Name;
use settings::Settings;

/// Work with Accord: users, API keys, models and agent patterns
#[derive(Parser)]
#[command(
    name = "accord",
    version,
    after_help = "\
To begin:
  accord login                                      approve this device in a browser
  accord keys create my_key --compartment compartment.demo --save
  accord chat \"Hello\"

Exit codes:
  0  success
  1  any other failure
  2  usage error, or --yes is missing
  3  no login, or no permission
  4  not found
  5  already exists, or has changed
  6  the service is temporarily unavailable

With --json, errors are JSON as well, also those of the command line:
  {\"error\":{\"status\":…,\"code\":…,\"message\":…,\"requestId\":…,\"hint\":…}}
The code is that of the service. Without one it is http_404 or the like, or a kind of the command:
usage, declined, not_logged_in, no_api_key, no_client, unavailable, interrupted, model_failed or
failed."
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
    Keys(Noun<commands::keys::List, commands::keys::Keys>),
    /// List the models of the region, or show one
    Models {
        #[command(subcommand)]
        command: Option<commands::chat::Models>,
    },
    Chat(commands::chat::Chat),
    Responses(commands::responses::Responses),
    Usage(commands::usage::Usage),
    /// Manage the agent patterns of a project
    Patterns(Noun<commands::patterns::List, commands::patterns::Patterns>),
    /// Introspect and revoke tokens, and show the keys that verify them
    #[command(subcommand)]
    Tokens(commands::tokens::Tokens),
    Status(commands::status::Status),
    Profiles(commands::profiles::Profiles),
    Config(commands::config::Config),
    Api(commands::api::Api),
    Completions(commands::completions::Completions),
    Man(commands::man::Man),
}

impl Command {
    /// Whether the command may need an API key.
    fn calls_models(&self) -> bool {
        match self {
            Self::Models { .. } | Self::Chat(_) | Self::Responses(_) | Self::Api(_) => true,
            Self::Login(_)
            | Self::Logout(_)
            | Self::Whoami(_)
            | Self::Users(_)
            | Self::Orgs { .. }
            | Self::Apps { .. }
            | Self::Keys(_)
            | Self::Usage(_)
            | Self::Patterns(_)
            | Self::Tokens(_)
            | Self::Status(_)
            | Self::Profiles(_)
            | Self::Config(_)
            | Self::Completions(_)
            | Self::Man(_) => false,
        }
    }
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
    let matches = Arguments::command().try_get_matches();
    let matches = matches.map_err(without_environment);
    let parsed = matches.and_then(|matches| {
        let arguments = Arguments::from_arg_matches(&matches)?;
        Ok((arguments, matches))
    });
    let (Arguments { options, command }, matches) = parsed.unwrap_or_else(|error| {
        std::process::exit(failure::report_usage(&error, requests_json()));
    });
    let output = options.output();
    let fail = |error: anyhow::Error| -> ! {
        std::process::exit(failure::report(&error, output.json));
    };
    if let Command::Completions(command) = command {
        let printed = command.print(&mut Arguments::command());
        return printed.unwrap_or_else(|error| fail(error));
    }
    if let Command::Man(command) = command {
        let written = command.write(Arguments::command());
        return written.unwrap_or_else(|error| fail(error));
    }
    let settings = options.settings(&matches);
    let settings = settings.unwrap_or_else(|error| fail(error));
    if let Command::Profiles(command) = command {
        let file = options.login_file().map_err(anyhow::Error::new);
        let listed = file.and_then(|file| command.run(&file, &output));
        return listed.unwrap_or_else(|error| fail(error));
    }
    if let Command::Config(command) = command {
        let done = command.run(&settings, &output);
        return done.unwrap_or_else(|error| fail(error));
    }
    let secrets = options.secrets(&settings, command.calls_models());
    let secrets = secrets.unwrap_or_else(|error| fail(error));
    let accord = options.client(&settings, &secrets);
    let accord = accord.unwrap_or_else(|error| fail(error));
    let session = Session {
        accord,
        output,
        options,
        settings,
        secrets,
    };
    // Returning would make the runtime wait for a thread that reads the standard input.
    std::process::exit(run_until_interrupted(&session, command).await)
}

/// Runs a command until it or Ctrl-C ends it. Returns the exit code.
async fn run_until_interrupted(session: &Session, command: Command) -> i32 {
    let code = tokio::select! {
        outcome = run(session, command) => match outcome {
            Ok(()) => 0,
            Err(mut error) => {
                failure::add_logins(&mut error, || session.options.logins_elsewhere(&session.settings));
                failure::report(&error, session.output.json)
            }
        },
        Ok(()) = tokio::signal::ctrl_c() => INTERRUPTED,
    };
    // A login that is being refreshed would be lost. A second Ctrl-C ends the wait.
    tokio::select! {
        () = session.accord.settle() => {}
        Ok(()) = tokio::signal::ctrl_c() => {}
    }
    code
}

/// The same error, with a usage line that does not depend on the environment. clap lists each option of all commands
/// whose variable is set, as if the command required it.
fn without_environment(error: clap::Error) -> clap::Error {
    let kinds = [
        ErrorKind::ArgumentConflict,
        ErrorKind::MissingRequiredArgument,
    ];
    if !kinds.contains(&error.kind()) {
        return error;
    }
    let command = Arguments::command().mut_args(|argument| argument.env(None::<&'static str>));
    match command.try_get_matches() {
        Err(other) if other.kind() == error.kind() => other,
        _ => error,
    }
}

/// Whether an argument requests JSON: the command line may be wrong in another place.
fn requests_json() -> bool {
    let options = std::env::args_os().skip(1);
    let mut options = options.take_while(|argument| argument != "--");
    options.any(|argument| argument == "--json")
}

/// All that commands work with.
struct Session {
    accord: Accord,
    output: Output,
    options: Options,
    settings: Settings,
    secrets: Secrets,
}

async fn run(session: &Session, command: Command) -> anyhow::Result<()> {
    let Session {
        accord,
        output,
        options,
        settings,
        secrets,
    } = session;
    let token = secrets.token.as_deref();
    match command {
        Command::Login(command) => {
            let client = settings.get(Name::ClientId);
            command.run(accord, output, client).await
        }
        Command::Logout(command) => command.run(accord, output).await,
        Command::Whoami(command) => command.run(accord, output, token).await,
        Command::Users(command) => command.run(accord, output).await,
        Command::Orgs { command } => command.unwrap_or_default().run(accord, output).await,
        Command::Apps { command } => command.unwrap_or_default().run(accord, output).await,
        Command::Keys(noun) => {
            let saved = || options.saved_key(settings);
            noun.command.run(accord, output, saved).await
        }
        Command::Models { command } => command.unwrap_or_default().run(accord, output).await,
        Command::Chat(command) => command.run(accord, output).await,
        Command::Responses(command) => command.run(accord, output).await,
        Command::Usage(command) => command.run(accord, output).await,
        Command::Api(command) => command.run(accord).await,
        Command::Patterns(noun) => noun.command.run(accord, output).await,
        Command::Tokens(command) => {
            let is_confidential = secrets.client.is_some();
            command.run(accord, output, settings, is_confidential).await
        }
        Command::Status(command) => {
            command
                .run(accord, output, options, settings, secrets)
                .await
        }
        // These need no client, and were printed above.
        Command::Completions(_) | Command::Config(_) | Command::Man(_) | Command::Profiles(_) => {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The commands whose texts are wider than clap's lines: those would break within a sentence or a command.
    fn wide(command: &clap::Command) -> Vec<String> {
        let texts = [command.get_after_help(), command.get_after_long_help()];
        let texts = texts.into_iter().flatten().map(ToString::to_string);
        let is_wide = |text: &str| text.lines().any(|line| line.chars().count() > 100);
        let own = texts.filter(|text| is_wide(text));
        let own = own.map(|_| command.get_name().to_owned());
        own.chain(command.get_subcommands().flat_map(wide))
            .collect()
    }

    #[test]
    fn the_texts_below_the_options_fit_100_columns() {
        assert_eq!(wide(&Arguments::command()), [""; 0]);
    }

    /// The words of a command. Quotes are not nested.
    fn words(command: &str) -> Vec<&str> {
        let parts = command.split('"').enumerate();
        let words = parts.flat_map(|(number, part)| match number % 2 {
            0 => part.split_whitespace().collect::<Vec<_>>(),
            _ => vec![part],
        });
        words.collect()
    }

    #[test]
    fn the_commands_of_the_readme_exist() {
        let readme = include_str!("../../../README.md");
        let lines = readme.lines().filter(|line| line.starts_with("accord "));
        let commands: Vec<Vec<&str>> = lines.map(words).collect();
        assert!(commands.contains(&vec!["accord", "chat", "Explain contracts"]));
        for command in commands {
            if let Err(error) = Arguments::try_parse_from(&command) {
                panic!("{command:?}: {error}");
            }
        }
    }
}
