//! Generates both sides of each document.

use dropforge::build::{load, refused, write};
use dropforge::{Purpose, generate_server_for, pretty};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut exit = ExitCode::SUCCESS;
    for (name, purpose) in [
        ("styles", Purpose::Complete),
        ("modern", Purpose::Prototype),
        ("traps", Purpose::Complete),
    ] {
        if let Err(report) = generate(name, purpose) {
            eprintln!("{report}");
            exit = ExitCode::FAILURE;
        }
    }
    exit
}

fn generate(name: &str, purpose: Purpose) -> Result<(), String> {
    let document = load(format!("{name}.yaml"))?;
    let server = generate_server_for(&document, name, purpose)
        .map_err(|findings| refused(&document, &findings))?;
    let client = dropforge::emit::client::generate(&document)
        .map_err(|findings| refused(&document, &findings))?;
    write(&format!("{name}_server.rs"), &pretty(server.tokens))?;
    write(&format!("{name}_client.rs"), &pretty(client.tokens))?;
    write(&format!("{name}_loss.md"), &client.report.to_markdown())
}
