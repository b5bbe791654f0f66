//! Programs of the workspace, built for a command of this tool.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::repository;

/// When this variable is set, a program is built together with the tests of all crates.
///
/// Cargo compiles a dependency once for each set of its features, and one crate alone asks for
/// other sets than all crates with their tests. `cargo xtask test` builds everything in any case,
/// and sets this for its steps and tests, so that each dependency is compiled once. The service's
/// test of imports reads it too.
pub(crate) const WITH_ALL_TESTS: &str = "ACCORD_BUILD_WITH_ALL_TESTS";

/// Builds the program `name` of a package with these features and returns its path.
///
/// # Errors
///
/// When it does not compile. Cargo has printed why.
pub(crate) fn program(package: &str, name: &str, features: &[&str]) -> anyhow::Result<PathBuf> {
    let features = format!("--features={}", features.join(","));
    let arguments = ["build", "--package", package, "--bin", name, &features];
    executable(shared(&arguments), name, false)
}

/// Builds the program `name` of a package with optimizations and returns its path.
///
/// # Errors
///
/// When it does not compile. Cargo has printed why.
pub(crate) fn released(package: &str, name: &str) -> anyhow::Result<PathBuf> {
    let arguments = ["build", "--release", "--package", package, "--bin", name];
    executable(&arguments, name, false)
}

/// Builds the example `name` of a package and returns its path.
///
/// # Errors
///
/// When it does not compile. Cargo has printed why.
pub(crate) fn example(package: &str, name: &str) -> anyhow::Result<PathBuf> {
    // An example with tests is built as a test program with the tests of all crates.
    let arguments: &[&str] = match std::env::var_os(WITH_ALL_TESTS) {
        Some(_) => &["build", "--workspace", "--examples"],
        None => &["build", "--package", package, "--example", name],
    };
    executable(arguments, name, false)
}

/// Builds the test program `name` of a package and returns its path.
///
/// # Errors
///
/// When it does not compile. Cargo has printed why.
pub(crate) fn tests(package: &str, name: &str) -> anyhow::Result<PathBuf> {
    let arguments = ["test", "--package", package, "--test", name, "--no-run"];
    executable(shared(&arguments), name, true)
}

/// The arguments, or those that build everything.
fn shared<'a>(arguments: &'a [&'a str]) -> &'a [&'a str] {
    match std::env::var_os(WITH_ALL_TESTS) {
        Some(_) => &["test", "--workspace", "--no-run"],
        None => arguments,
    }
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
