//! The commands that run the tests.

use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::repository;

/// The test programs that start services or compile projects.
const SLOW: [&str; 5] = ["guide", "it", "package", "package_deb", "projects"];

/// How many tests of a program run at once.
const THREADS: &str = "RUST_TEST_THREADS";

/// How long documents of a grammar are tried.
const FUZZ_SECONDS: &str = "FUZZ_SECONDS";

/// The command of all tests.
pub(super) fn all() -> Command {
    test(&[])
}

/// The command of the tests that neither start services nor compile projects.
///
/// # Errors
///
/// When cargo does not list the programs.
pub(super) fn fast() -> anyhow::Result<Command> {
    let output = Command::new(repository::cargo())
        .args(["metadata", "--no-deps", "--format-version=1"])
        .current_dir(repository::root())
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run cargo metadata")?;
    ensure!(output.status.success(), "cargo metadata failed");
    let metadata: Value = serde_json::from_slice(&output.stdout).context("cargo metadata")?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let targets = packages.flat_map(|package| package["targets"].as_array().into_iter().flatten());
    let mut cargo = test(&["--lib", "--bins"]);
    for target in targets {
        let name = target["name"].as_str().unwrap_or_default();
        let kind = target["kind"][0].as_str().unwrap_or_default();
        let is_chosen = matches!(kind, "test" | "example") && !SLOW.contains(&name);
        if is_chosen && target["test"] == true {
            cargo.args([format!("--{kind}").as_str(), name]);
        }
    }
    // The documents of a grammar could be tried for any time.
    if std::env::var_os(FUZZ_SECONDS).is_none() {
        cargo.env(FUZZ_SECONDS, "2");
    }
    Ok(cargo)
}

/// `cargo test` of a selection. Most tests wait more than they compute, so four of them run at once for each processor.
fn test(selection: &[&str]) -> Command {
    let mut cargo = Command::new(repository::cargo());
    cargo
        .args(["test", "--workspace", "--no-fail-fast"])
        .args(selection)
        .current_dir(repository::root())
        .stdin(Stdio::null());
    if std::env::var_os(THREADS).is_none() {
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        cargo.env(THREADS, (4 * processors).to_string());
    }
    cargo
}
