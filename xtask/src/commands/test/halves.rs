//! The two halves of the tests, which run at once: those of the service wait more than they compute, and the other ones
//! compute, since they compile projects. The fast tests do neither.

use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::repository;

/// The name of the test programs whose tests wait.
const WAITING: &str = "it";

/// The test programs that compile projects.
const COMPILING: [&str; 4] = ["guide", "package", "package_deb", "projects"];

/// How many tests of a program run at once.
const THREADS: &str = "RUST_TEST_THREADS";

/// The commands of each half, which run one after the other.
///
/// # Errors
///
/// When cargo does not list the programs.
pub(super) fn all() -> anyhow::Result<[Vec<Command>; 2]> {
    let waiting = test(3, &["--test", WAITING]);
    let others = others(&[WAITING])?;
    Ok([vec![waiting], vec![others, test(2, &["--doc"])]])
}

/// The command of the tests that neither start the service nor compile projects.
///
/// # Errors
///
/// When cargo does not list the programs.
pub(super) fn fast() -> anyhow::Result<[Vec<Command>; 1]> {
    let slow = [&[WAITING][..], &COMPILING].concat();
    Ok([vec![others(&slow)?]])
}

/// `cargo test` of a selection, with so many tests at once for each processor unless the environment says another number.
fn test(for_each_processor: usize, selection: &[&str]) -> Command {
    let mut cargo = Command::new(repository::cargo());
    cargo
        .args(["test", "--workspace", "--no-fail-fast"])
        .args(selection)
        .current_dir(repository::root())
        .stdin(Stdio::null());
    if std::env::var_os(THREADS).is_none() {
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        cargo.env(THREADS, (for_each_processor * processors).to_string());
    }
    cargo
}

/// `cargo test` of all libraries and programs, and of the test programs and examples with tests without some names.
fn others(without: &[&str]) -> anyhow::Result<Command> {
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
    let mut cargo = test(2, &["--lib", "--bins"]);
    for target in targets {
        let name = target["name"].as_str().unwrap_or_default();
        let kind = target["kind"][0].as_str().unwrap_or_default();
        let is_chosen = matches!(kind, "test" | "example") && !without.contains(&name);
        if is_chosen && target["test"] == true {
            cargo.args([format!("--{kind}").as_str(), name]);
        }
    }
    Ok(cargo)
}
