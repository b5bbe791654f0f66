//! `accord-server`: the service on the command line.

use std::process::ExitCode;

use clap::Parser;

mod commands;

/// A model call allocates about a hundred times; mimalloc takes half as long for it as the
/// allocators of most systems.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = commands::Arguments::parse();
    match commands::run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", with_causes(&error));
            ExitCode::FAILURE
        }
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
