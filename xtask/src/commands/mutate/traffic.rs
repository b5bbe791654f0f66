//! The traffic of the service's tests, recorded once and replayed for each mutant.
//!
//! There are two recordings: of hand-written tests, and of the contract tests. The contract tests
//! were generated from the published documents, so they show whether the published contract's tests
//! reject a changed document.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use dropforge::document::Document;
use dropforge_mutants::recording;
use dropforge_mutants::replay::Traffic;

use super::verdict::Check;
use crate::{built, repository};

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
    let program = built::tests("accord-server", "it")?;
    std::fs::create_dir_all(folder())?;
    for (_, file, arguments) in RECORDINGS {
        let path = folder().join(file);
        if path.exists() {
            std::fs::remove_file(&path)?;
        }
        eprintln!("recording {}", repository::relative(&path).display());
        let output = Command::new(&program)
            .args(arguments)
            .arg("--quiet")
            .env(recording::VARIABLE, &path)
            .current_dir(repository::root().join("server"))
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .context("cannot run the tests")?;
        ensure!(
            output.status.success(),
            "the tests fail before any mutant:\n{}",
            failures(&String::from_utf8_lossy(&output.stdout))
        );
    }
    Ok(())
}

/// What a test program prints of the tests that failed. It begins with a line for each test.
fn failures(output: &str) -> &str {
    let at = output.find("\nfailures:\n").unwrap_or_default();
    output[at..].trim()
}

fn folder() -> PathBuf {
    super::folder::path().join("traffic")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_failures_of_a_test_program_are_named() {
        let output = "running 2 tests\n.F\nfailures:\n\n---- a stdout ----\nno\n";
        assert_eq!(failures(output), "failures:\n\n---- a stdout ----\nno");
        assert_eq!(failures("cannot start"), "cannot start");
    }
}
