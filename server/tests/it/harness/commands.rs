//! The operator's commands, beside a running service.

use std::process::{Output, Stdio};

use serde_json::Value;
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

use super::Server;

/// Runs `accord-server` on the service's database, with this input. The operator is olga.
pub async fn output(server: &Server, arguments: &[&str], input: &str) -> Output {
    let config = &server.app().config;
    let mut child = Command::new(env!("CARGO_BIN_EXE_accord-server"))
        .args(arguments)
        .arg("--data-dir")
        .arg(&config.server.data_dir)
        .args(["--database-url", config.database_url().expose()])
        .env_remove("SUDO_USER")
        .env("USER", "olga")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).await.unwrap();
    drop(stdin);
    child.wait_with_output().await.unwrap()
}

/// The same without input. Whether it succeeded, and what it printed: to standard output, and as a complaint.
pub async fn run(server: &Server, arguments: &[&str]) -> (bool, String, String) {
    let output = output(server, arguments, "").await;
    let printed = String::from_utf8(output.stdout).unwrap();
    let complaint = String::from_utf8(output.stderr).unwrap();
    (output.status.success(), printed, complaint)
}

/// What a command prints that succeeds.
pub async fn succeed(server: &Server, arguments: &[&str]) -> String {
    let (success, printed, complaint) = run(server, arguments).await;
    assert!(success, "{arguments:?}: {complaint}{printed}");
    printed
}

/// What a command prints that fails.
pub async fn fail(server: &Server, arguments: &[&str]) -> String {
    let (success, printed, complaint) = run(server, arguments).await;
    assert!(!success, "{arguments:?}: {printed}");
    assert!(complaint.starts_with("error: "), "{complaint}");
    printed + &complaint
}

/// What a command prints with `--json`.
pub async fn json(server: &Server, arguments: &[&str]) -> Value {
    let printed = succeed(server, &[arguments, &["--json"]].concat()).await;
    serde_json::from_str(&printed).unwrap_or_else(|_| panic!("{arguments:?}: {printed}"))
}
