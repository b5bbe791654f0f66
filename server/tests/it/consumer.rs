//! A project outside the workspace that depends on the client alone.
//!
//! It is built as its author would build it, with its own lock file, and run
//! against a service.

use std::path::{Path, PathBuf};
use std::process::Output;

use accord_server::accounts::demo::ADMINISTRATOR;

use crate::harness::{Database, Server, run};

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../client/consumer")
}

/// Runs cargo in the project and returns its output.
pub async fn cargo(arguments: &[&str]) -> String {
    let output = tokio::process::Command::new(env!("CARGO"))
        .args(arguments)
        .arg("--locked")
        .current_dir(project())
        .env("CARGO_TARGET_DIR", target())
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        .env("CARGO_INCREMENTAL", "0")
        .output()
        .await
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let problem = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {arguments:?}: {problem}");
    text
}

/// Where the project is built: beside what the workspace has built, so that it is kept, and with
/// the projects of the tool's tests, which share most dependencies.
pub fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("../corpus/target")
}

async fn consume(server: &Server, arguments: &[&str]) -> Output {
    let program = target().join("debug/accord-consumer");
    let mut command = tokio::process::Command::new(program);
    command.arg(server.url("")).args(arguments);
    command.output().await.unwrap()
}

#[test]
fn a_consumer_of_the_client_compiles_no_server() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let tree = runtime.block_on(cargo(&[
        "tree",
        "--prefix",
        "none",
        "--edges",
        "normal,build",
    ]));
    let packages: Vec<&str> = tree
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert!(packages.contains(&"accord-client"), "{tree}");
    for absent in ["dropshot", "dropforge-runtime", "accord-server", "clap"] {
        assert!(
            !packages.contains(&absent),
            "{absent} is in its graph:\n{tree}"
        );
    }
}

#[test]
fn a_consumer_of_the_client_talks_to_the_service() {
    run(Database::Sqlite, async |server: Server| {
        cargo(&["build", "--quiet"]).await;
        let token = server.token(ADMINISTRATOR, "accounts.read").await;
        let listed = consume(&server, &["organizations", &token]).await;
        let text = String::from_utf8_lossy(&listed.stdout);
        assert!(
            listed.status.success(),
            "{}",
            String::from_utf8_lossy(&listed.stderr)
        );
        assert!(text.lines().any(|line| line == "North Works Ltd"), "{text}");

        let refused = consume(&server, &["models", "sk-wrong"]).await;
        let text = String::from_utf8_lossy(&refused.stderr);
        assert!(!refused.status.success());
        assert!(text.starts_with("Incorrect API key provided"), "{text}");
        let end = "(401 Unauthorized, invalid_api_key)";
        assert!(text.trim_end().ends_with(end), "{text}");
    });
}
