//! Programs of other crates of the workspace.

use std::path::{Path, PathBuf};

use tokio::process::Command;

/// Builds a program of the workspace, and returns its path. The features are those of the tests, so that each
/// dependency is compiled once.
///
/// # Panics
///
/// When it does not compile. Cargo has printed why.
pub async fn program(name: &str) -> PathBuf {
    const FEATURES: &str = "accord-client/cli,accord-client/keyring,accord-client/tower";
    let status = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--workspace", "--bin", name])
        .args(["--features", FEATURES])
        .status()
        .await
        .unwrap();
    assert!(status.success(), "{name} cannot be built");
    Path::new(env!("CARGO_BIN_EXE_accord-server")).with_file_name(name)
}
