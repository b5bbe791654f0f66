//! `bench edit`: from saving a document to the first error in the code of
//! people, on both sides.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use serde_json::Value;

use crate::repository;

const ROUNDS: usize = 3;

/// An edit that both sides have to follow.
struct Edit {
    name: &'static str,
    document: &'static str,
    from: &'static str,
    to: &'static str,
}

const EDITS: [Edit; 3] = [
    Edit {
        name: "a query parameter is renamed",
        document: "openapi/patterns.yaml",
        from: "name: integrationInstance",
        to: "name: serviceInstance",
    },
    Edit {
        name: "an operation is renamed",
        document: "openapi/accounts.yaml",
        from: "operationId: listOrganizations",
        to: "operationId: readOrganizations",
    },
    Edit {
        name: "an operation is renamed",
        document: "openapi/inference.yaml",
        from: "operationId: listModels",
        to: "operationId: readModels",
    },
];

/// A side, and where people write its code.
const SIDES: [(&str, &str); 2] = [
    ("accord-server", "server/src/"),
    ("accord-client", "client/"),
];

/// Makes each edit, waits for the first error, and takes the edit back.
pub(super) fn run() -> anyhow::Result<()> {
    let status = Command::new("git")
        .args(["status", "--porcelain", "openapi"])
        .current_dir(repository::root())
        .output()
        .context("cannot run git")?;
    ensure!(
        status.stdout.is_empty(),
        "openapi/ has edits that are not committed: they might be lost here"
    );
    let mut rows = Vec::new();
    for edit in &EDITS {
        let mut times = [Vec::new(), Vec::new()];
        for round in 1..=ROUNDS {
            for (times, side) in times.iter_mut().zip(SIDES) {
                warm()?;
                times.push(first_error(edit, side)?);
            }
            eprintln!("{}: round {round} of {ROUNDS}", edit.document);
        }
        rows.push((edit, times.map(median)));
    }
    println!("| edit | document | server | client |\n|---|---|---|---|");
    for (edit, [server, client]) in rows {
        let (name, document) = (edit.name, edit.document);
        println!("| {name} | `{document}` | {server:.1} s | {client:.1} s |");
    }
    Ok(())
}

/// Everything compiles before an edit.
fn warm() -> anyhow::Result<()> {
    let status = Command::new(repository::cargo())
        .args(["check", "--quiet"])
        .args(
            SIDES
                .iter()
                .flat_map(|(package, _)| ["--package", *package]),
        )
        .current_dir(repository::root())
        .status()
        .context("cannot run cargo")?;
    ensure!(status.success(), "it does not compile before the edit");
    Ok(())
}

/// Puts a document back when it goes.
struct Restore(PathBuf, String);

impl Drop for Restore {
    fn drop(&mut self) {
        if let Err(error) = fs::write(&self.0, &self.1) {
            eprintln!("{} could not be put back: {error}", self.0.display());
        }
    }
}

fn first_error(edit: &Edit, (package, folder): (&str, &str)) -> anyhow::Result<Duration> {
    let path = repository::root().join(edit.document);
    let text =
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", edit.document))?;
    ensure!(
        text.contains(edit.from),
        "{} has no `{}`",
        edit.document,
        edit.from
    );
    let edited = text.replace(edit.from, edit.to);
    let _restore = Restore(path.clone(), text);
    fs::write(&path, edited)?;
    let saved = Instant::now();
    let mut cargo = Command::new(repository::cargo())
        .args([
            "check",
            "--quiet",
            "--message-format=json",
            "--package",
            package,
        ])
        .current_dir(repository::root())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .context("cannot run cargo")?;
    let output = cargo.stdout.take().context("cargo has no output")?;
    let mut found = None;
    for line in BufReader::new(output).lines() {
        let message: Value = serde_json::from_str(&line?)?;
        if found.is_none() && is_error_in(&message["message"], folder) {
            found = Some(saved.elapsed());
        }
    }
    cargo.wait()?;
    match found {
        Some(time) => Ok(time),
        None => bail!("`{}` in {}: {package} did not mind", edit.to, edit.document),
    }
}

fn is_error_in(message: &Value, folder: &str) -> bool {
    let spans = message["spans"].as_array().into_iter().flatten();
    let mut files = spans.filter_map(|span| span["file_name"].as_str());
    message["level"] == "error" && files.any(|file| file.starts_with(folder))
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64()
}
