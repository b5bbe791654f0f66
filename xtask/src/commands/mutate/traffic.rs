//! The traffic of the service's tests, recorded once and replayed for each mutant.
//!
//! There are two recordings: of hand-written tests, and of the contract tests. The contract tests
//! were generated from the published documents, so they show whether the published contract's tests
//! reject a changed document.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use dropforge::document::Document;
use dropforge_mutants::recording;
use dropforge_mutants::replay::Traffic;
use serde_json::Value;

use super::verdict::Check;
use crate::repository;

/// The recordings: the check that replays them, their file, and the arguments of the test
/// program.
const RECORDINGS: [(Check, &str, &[&str]); 2] = [
    (Check::Tests, "tests.jsonl", &["--skip", "contract::"]),
    (Check::ContractTests, "contract.jsonl", &["contract::"]),
];

/// The traffic of one document, by recording. Empty if there is no recording.
pub(super) fn of(document: &Document) -> Vec<(Check, Traffic)> {
    let read = |(check, file, _): (Check, &str, &[&str])| {
        let lines = std::fs::read_to_string(folder().join(file)).ok()?;
        let traffic = Traffic::read(&lines, document);
        (!traffic.is_empty()).then_some((check, traffic))
    };
    RECORDINGS.into_iter().filter_map(read).collect()
}

/// The files of the recordings, whose change makes stored results invalid.
pub(super) fn files() -> impl Iterator<Item = PathBuf> {
    let files = RECORDINGS.into_iter();
    files.map(|(_, file, _)| folder().join(file))
}

/// Runs the tests of the service and records their requests.
pub(super) fn record() -> anyhow::Result<()> {
    let program = program()?;
    std::fs::create_dir_all(folder())?;
    for (_, file, arguments) in RECORDINGS {
        let path = folder().join(file);
        if path.exists() {
            std::fs::remove_file(&path)?;
        }
        eprintln!("recording {}", repository::relative(&path).display());
        let status = Command::new(&program)
            .args(arguments)
            .arg("--quiet")
            .env(recording::VARIABLE, &path)
            .current_dir(repository::root().join("server"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .status()
            .context("cannot run the tests")?;
        ensure!(status.success(), "the tests fail before any mutant");
    }
    Ok(())
}

fn folder() -> PathBuf {
    super::folder::path().join("traffic")
}

/// The test program of the service, built.
fn program() -> anyhow::Result<PathBuf> {
    let output = Command::new(repository::cargo())
        .args(["test", "--package", "accord-server", "--test", "it"])
        .args(["--no-run", "--message-format=json-render-diagnostics"])
        .current_dir(repository::root())
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run cargo")?;
    ensure!(output.status.success(), "the tests cannot be built");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let messages = said
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    messages
        .filter(|message| message["target"]["name"] == "it")
        .find_map(|message| {
            message["executable"]
                .as_str()
                .map(|path| Path::new(path).to_owned())
        })
        .context("cargo does not say where the tests are")
}
