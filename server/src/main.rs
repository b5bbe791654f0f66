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
