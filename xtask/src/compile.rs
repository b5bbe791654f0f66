//! Compiles both sides of the contract, and adds the lines of the documents to the compiler's
//! messages.

use std::io::{BufRead, BufReader, IsTerminal, Read};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Context;
use dropforge::document::Source;
use serde_json::Value;

use crate::places::{Places, SIDES};
use crate::repository;

/// Compiles both sides, even if one has errors, and prints the compiler's messages. Returns whether
/// there were no errors.
pub(crate) fn both_sides() -> anyhow::Result<bool> {
    let format = match std::io::stderr().is_terminal() {
        true => "--message-format=json-diagnostic-rendered-ansi",
        false => "--message-format=json",
    };
    let mut cargo = command(format).spawn().context("cannot run cargo")?;
    let output = cargo.stdout.take().context("cargo has no output")?;
    messages(output, print)?;
    Ok(cargo.wait()?.success())
}

/// The command that compiles both sides, even if one has errors. Its output is for [`messages`].
pub(crate) fn command(format: &str) -> Command {
    let mut cargo = Command::new(repository::cargo());
    cargo
        .args(["check", "--quiet", "--keep-going", format])
        .args(["--package", "accord-server", "--package", "accord-client"])
        .current_dir(repository::root())
        .stdout(Stdio::piped());
    cargo
}

/// Reads the compiler's messages from the output of cargo, each with the places of the code that
/// is known by then.
pub(crate) fn messages(
    output: impl Read,
    mut each: impl FnMut(&Value, &Places),
) -> std::io::Result<()> {
    let mut places = Places::default();
    for line in BufReader::new(output).lines() {
        let Ok(message) = serde_json::from_str::<Value>(&line?) else {
            continue;
        };
        match message["reason"].as_str() {
            Some("build-script-executed") => {
                if let Some((area, side)) = contract(&message) {
                    let folder = message["out_dir"].as_str().unwrap_or_default();
                    places.read(Path::new(folder), area, side);
                }
            }
            Some("compiler-message") => each(&message["message"], &places),
            _ => {}
        }
    }
    Ok(())
}

/// The area and the side of a package such as `accord-accounts-server`, if the message is about one.
fn contract(message: &Value) -> Option<(&str, &'static str)> {
    let id = message["package_id"].as_str()?;
    let (_, package) = id.rsplit_once("#accord-")?;
    let (name, _) = package.split_once('@')?;
    let (area, side) = name.split_once('-')?;
    let side = SIDES.into_iter().find(|known| *known == side)?;
    Some((area, side))
}

/// Prints a message, and the places in the documents that it is about.
fn print(message: &Value, places: &Places) {
    let text = message["rendered"].as_str().unwrap_or_default().trim_end();
    eprintln!("{text}");
    for place in places.of(message) {
        eprintln!("  --> {place}{}", line(&place).unwrap_or_default());
    }
    eprintln!();
}

/// The line of the document, after ` | `.
fn line(place: &str) -> Option<String> {
    let (file, line) = place.rsplit_once(':')?;
    let Source { text, .. } = repository::source(&repository::root().join(file)).ok()?;
    let line = text
        .lines()
        .nth(line.parse::<usize>().ok()?.checked_sub(1)?)?;
    Some(format!(" | {}", line.trim()))
}
