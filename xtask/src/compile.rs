//! Compiles both sides of the contract, and adds the lines of the documents to the compiler's
//! messages.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{BufRead, BufReader, IsTerminal, Read};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Context;
use dropforge::document::Source;
use serde_json::Value;

use crate::color;
use crate::places::{Places, SIDES};
use crate::repository;
use crate::running::Running;

/// Compiles both sides, even if one has errors, and prints the compiler's messages, followed by the
/// list of places in hand-written code that have errors. Returns whether there were no errors.
///
/// In a terminal, cargo shows its progress.
pub(crate) fn both_sides() -> anyhow::Result<bool> {
    let is_terminal = std::io::stderr().is_terminal();
    let mut cargo = command(match color::is_wanted(is_terminal) {
        true => "--message-format=json-diagnostic-rendered-ansi",
        false => "--message-format=json",
    });
    if !is_terminal {
        cargo.arg("--quiet");
    }
    let mut cargo = Running::start(&mut cargo).context("cannot run cargo")?;
    let output = cargo.0.stdout.take().context("cargo has no output")?;
    let mut errors = ErrorLines::default();
    messages(output, |message, places| {
        print(message, places);
        errors.add(message);
    })?;
    eprint!("{errors}");
    Ok(cargo.wait()?.success())
}

/// The features with which both sides are compiled: the program `accord` calls operations, too. Cargo ignores
/// `accord-client/cli` here without a word.
pub(crate) const FEATURES: [&str; 2] = ["--features", "cli"];

/// The command that compiles both sides, even if one has errors. Its output is for [`messages`].
pub(crate) fn command(format: &str) -> Command {
    let mut cargo = Command::new(repository::cargo());
    cargo
        .args(["check", "--keep-going", format])
        .args(["--package", "accord-server", "--package", "accord-client"])
        .args(FEATURES)
        .current_dir(repository::root())
        .stdout(Stdio::piped());
    cargo
}

/// Fails for a client without the feature of the program `accord`: its calls would not be compiled.
fn has_program(artifact: &Value) -> std::io::Result<()> {
    let features = artifact["features"].as_array();
    let has_feature = features.is_some_and(|features| features.iter().any(|one| one == "cli"));
    if artifact["target"]["name"] == "accord_client" && !has_feature {
        let what = "cargo has compiled the client without the program accord";
        return Err(std::io::Error::other(what));
    }
    Ok(())
}

/// Reads the compiler's messages from the output of cargo, and calls `each` with a message and the
/// places of the generated code that cargo has reported before it.
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
            Some("compiler-artifact") => has_program(&message)?,
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

/// The lines of hand-written code that have errors, by file.
#[derive(Default)]
struct ErrorLines(BTreeMap<String, BTreeSet<u64>>);

impl ErrorLines {
    /// Adds the lines that an error points to. Paths of generated code are absolute, since it is
    /// outside of the sources, and are left out.
    fn add(&mut self, message: &Value) {
        if message["level"] != "error" {
            return;
        }
        for span in message["spans"].as_array().into_iter().flatten() {
            if let (Some(true), Some(file), Some(line)) = (
                span["is_primary"].as_bool(),
                span["file_name"].as_str(),
                span["line_start"].as_u64(),
            ) && Path::new(file).is_relative()
            {
                self.0.entry(file.to_owned()).or_default().insert(line);
            }
        }
    }
}

impl fmt::Display for ErrorLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count: usize = self.0.values().map(BTreeSet::len).sum();
        match count {
            0 => return Ok(()),
            1 => writeln!(f, "1 line has to follow:")?,
            _ => writeln!(f, "{count} lines have to follow:")?,
        }
        for (file, lines) in &self.0 {
            let lines: Vec<String> = lines.iter().map(u64::to_string).collect();
            writeln!(f, "  {file}: {}", lines.join(", "))?;
        }
        Ok(())
    }
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{ErrorLines, has_program};

    #[test]
    fn a_client_without_the_program_is_an_error() {
        let of =
            |name: &str, features: &[&str]| json!({"target": {"name": name}, "features": features});
        assert!(has_program(&of("accord_client", &["cli"])).is_ok());
        assert!(has_program(&of("accord_server", &[])).is_ok());
        assert!(has_program(&of("accord_client", &["default"])).is_err());
    }

    #[test]
    fn lines_of_hand_written_code_are_listed_by_file() {
        let mut errors = ErrorLines::default();
        let span = |file: &str, line: u64, is_primary: bool| json!({"file_name": file, "line_start": line, "is_primary": is_primary});
        for (level, spans) in [
            (
                "error",
                json!([
                    span("server/src/b.rs", 9, true),
                    span("server/src/b.rs", 2, false)
                ]),
            ),
            ("error", json!([span("server/src/b.rs", 4, true)])),
            ("error", json!([span("/target/out/server.rs", 1, true)])),
            ("warning", json!([span("server/src/c.rs", 3, true)])),
            ("error", json!([span("client/src/a.rs", 7, true)])),
        ] {
            errors.add(&json!({"level": level, "spans": spans}));
        }
        assert_eq!(
            errors.to_string(),
            "3 lines have to follow:\n  client/src/a.rs: 7\n  server/src/b.rs: 4, 9\n"
        );
        assert_eq!(ErrorLines::default().to_string(), "");
    }
}
