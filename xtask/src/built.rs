//! Programs of the workspace, built for a command of this tool.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::repository;

/// All packages, with the features that their tests have. Cargo compiles a dependency once for each set of its
/// features, and one package alone asks for other sets.
const WORKSPACE: [&str; 3] = [
    "--workspace",
    "--features",
    "accord-client/cli,accord-client/keyring,accord-client/tower",
];

/// Builds a program of the workspace and returns its path.
///
/// # Errors
///
/// When it does not compile. Cargo has printed why.
pub(crate) fn program(name: &str) -> anyhow::Result<PathBuf> {
    executable(
        &[&["build", "--bin", name][..], &WORKSPACE].concat(),
        name,
        false,
    )
}

/// Builds the program of a package that has its name, with optimizations, and returns its path.
///
/// # Errors
///
/// When it does not compile. Cargo has printed why.
pub(crate) fn released(package: &str) -> anyhow::Result<PathBuf> {
    let arguments = ["build", "--release", "--package", package, "--bin", package];
    executable(&arguments, package, false)
}

/// Builds an example of the workspace and returns its path.
///
/// # Errors
///
/// When it does not compile. Cargo has printed why.
pub(crate) fn example(name: &str) -> anyhow::Result<PathBuf> {
    executable(
        &[&["build", "--example", name][..], &WORKSPACE].concat(),
        name,
        false,
    )
}

/// Builds a test program of the workspace and returns its path.
///
/// # Errors
///
/// When it does not compile. Cargo has printed why.
pub(crate) fn tests(name: &str) -> anyhow::Result<PathBuf> {
    executable(
        &[&["test", "--no-run", "--test", name][..], &WORKSPACE].concat(),
        name,
        true,
    )
}

fn executable(arguments: &[&str], name: &str, is_test: bool) -> anyhow::Result<PathBuf> {
    let output = Command::new(repository::cargo())
        .args(arguments)
        .args(["--quiet", "--message-format=json-render-diagnostics"])
        .current_dir(repository::root())
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run cargo")?;
    ensure!(output.status.success(), "{name} cannot be built");
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["target"]["name"] == name)
        .filter(|message| message["profile"]["test"] == is_test)
        .filter_map(|message| message["executable"].as_str().map(PathBuf::from))
        .next_back()
        .with_context(|| format!("cargo does not report the path of {name}"))
}
