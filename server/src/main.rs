//! `accord-server`: the service on the command line.

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

mod commands;

/// A model call allocates about a hundred times; mimalloc takes half as long for it as the
/// allocators of most systems.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let parsed = commands::Arguments::try_parse();
    let arguments = parsed.unwrap_or_else(|error| without_environment(error).exit());
    match commands::run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", with_causes(&error));
            ExitCode::FAILURE
        }
    }
}

/// The same error, with a usage line that does not depend on the environment. clap lists each option
/// of all commands whose variable is set, as if the command required it.
fn without_environment(error: clap::Error) -> clap::Error {
    let kinds = [
        ErrorKind::ArgumentConflict,
        ErrorKind::MissingRequiredArgument,
    ];
    if !kinds.contains(&error.kind()) {
        return error;
    }
    let command = commands::Arguments::command();
    let command = command.mut_args(|argument| argument.env(None::<&'static str>));
    match command.try_get_matches() {
        Err(other) if other.kind() == error.kind() => other,
        _ => error,
    }
}

/// An error and its causes, each once: many an error's text ends with its cause.
fn with_causes(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The commands whose texts are wider than clap's lines: those would break within a sentence or a
    /// command.
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
    fn a_period_without_a_budget_is_refused() {
        let parse = |more: &[&str]| {
            let all = ["accord-server", "limits", "set", "key"];
            let parsed = commands::Arguments::try_parse_from(all.iter().chain(more).copied());
            parsed.map(drop).map_err(|error| error.kind())
        };
        let period = ["--budget-period", "day"];
        assert_eq!(parse(&period), Err(ErrorKind::MissingRequiredArgument));
        let both = [&period[..], &["--token-budget", "5"]].concat();
        assert_eq!(parse(&both), Ok(()));
        assert_eq!(parse(&["--requests-per-minute", "5"]), Ok(()));
    }

    #[test]
    fn an_invalid_address_is_refused_with_an_example() {
        for (option, value, expected) in [
            ("--listen", "localhost:8080", "such as 127.0.0.1:8080"),
            (
                "--public-url",
                "accord.example",
                "begins with http:// or https://",
            ),
        ] {
            let parsed = commands::Arguments::try_parse_from(["accord-server", option, value]);
            let error = parsed.err().expect("refused").to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn the_texts_below_the_options_fit_100_columns() {
        assert_eq!(wide(&commands::Arguments::command()), [""; 0]);
    }
}
