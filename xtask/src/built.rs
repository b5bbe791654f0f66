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
        None,
    )
}

/// Builds the program of a package that has its name, with optimizations, and returns its path.
///
/// # Errors
///
/// When it does not compile. Cargo has printed why.
pub(crate) fn released(package: &str) -> anyhow::Result<PathBuf> {
    let arguments = ["build", "--release", "--package", package, "--bin", package];
    executable(&arguments, package, None)
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
        None,
    )
}

/// Builds a test program of the workspace and returns its path. Test programs of two packages may
/// have the same name.
///
/// # Errors
///
/// When it does not compile. Cargo has printed why.
pub(crate) fn tests(package: &str, name: &str) -> anyhow::Result<PathBuf> {
    executable(
        &[&["test", "--no-run", "--test", name][..], &WORKSPACE].concat(),
        name,
        Some(package),
    )
}

/// Builds a program, or a test program of this package, and returns its path.
fn executable(arguments: &[&str], name: &str, tested: Option<&str>) -> anyhow::Result<PathBuf> {
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
        .filter(|message| message["profile"]["test"] == tested.is_some())
        .filter(|message| tested.is_none_or(|package| is_of(message, package)))
        .filter_map(|message| message["executable"].as_str().map(PathBuf::from))
        .next_back()
        .with_context(|| format!("cargo does not report the path of {name}"))
}

/// Whether a message of cargo is about this package. The identifier of a package omits its name if
/// the folder has the same one.
fn is_of(message: &Value, package: &str) -> bool {
    let id = message["package_id"].as_str().unwrap_or_default();
    id.contains(&format!("#{package}@")) || id.contains(&format!("/{package}#"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::is_of;

    #[test]
    fn a_package_is_found_by_its_name_or_its_folder() {
        let of = |id: &str| is_of(&json!({ "package_id": id }), "accord");
        assert!(of("path+file:///a/b#accord@0.1.0"));
        assert!(of("path+file:///a/accord#0.1.0"));
        assert!(!of("path+file:///a/accord/server#accord-server@0.1.0"));
        assert!(!of("path+file:///a/not-accord#0.1.0"));
    }
}
