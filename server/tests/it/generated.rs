//! Clients that foreign generators make of the documents that the service publishes. Each signs
//! in by the device flow and calls all four areas, told nothing but its token: what it does with
//! that follows from the document.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;

use crate::harness::{Database, Server, run, tools};
use crate::identity::browser::Browser;
use crate::identity::client::{ANA, PASSWORD};

/// To generate, compile and run the clients takes less than this on a busy machine.
const PATIENCE: Duration = Duration::from_secs(900);

#[test]
fn clients_of_openapi_generator_for_python_call_all_areas() {
    run(Database::Sqlite, async |server: Server| {
        python(&server, "openapi_generator.py", &[]).await;
    });
}

#[test]
fn clients_of_openapi_python_client_call_all_areas() {
    run(Database::Sqlite, async |server: Server| {
        python(&server, "openapi_python_client.py", &[]).await;
    });
}

#[test]
fn clients_of_openapi_generator_for_typescript_call_all_areas() {
    run(Database::Sqlite, async |server: Server| {
        typescript(&server, "openapi_generator").await;
    });
}

#[test]
fn clients_of_hey_api_call_all_areas() {
    run(Database::Sqlite, async |server: Server| {
        typescript(&server, "hey_api").await;
    });
}

/// It is made of the released documents, when it is compiled.
#[test]
fn clients_of_progenitor_call_all_areas() {
    run(Database::Sqlite, async |server: Server| {
        let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../client/consumer");
        // Beside the other consumer, with which it shares most crates.
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("consumer");
        let mut build = Command::new(env!("CARGO"));
        build
            .args(["build", "--quiet", "--locked", "--package", "accord-stock"])
            .current_dir(project)
            .env("CARGO_TARGET_DIR", &target);
        let output = build.output().await.unwrap();
        let problem = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{problem}");
        let mut program = Command::new(target.join("debug/accord-stock"));
        program.arg(server.url(""));
        drive(&server, program).await;
    });
}

async fn typescript(server: &Server, program: &str) {
    let modules = tools::folder("generators-node").join("node_modules");
    assert!(
        modules.is_dir(),
        "the generators for Node are not installed: cargo xtask test --only tools"
    );
    let modules = modules.canonicalize().unwrap();
    python(
        server,
        "typescript.py",
        &[program, modules.to_str().unwrap()],
    )
    .await;
}

/// Runs `server/tests/generators/{script}` with the service's address, an empty folder and these
/// arguments.
async fn python(server: &Server, script: &str, arguments: &[&str]) {
    let interpreter: PathBuf = tools::folder("generators-python").join("bin/python");
    assert!(
        interpreter.exists(),
        "the generators for Python are not installed: cargo xtask test --only tools"
    );
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/generators");
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(interpreter);
    command
        .arg(scripts.join(script))
        .arg(server.url(""))
        .arg(folder.path())
        .args(arguments)
        .env("PYTHONDONTWRITEBYTECODE", "1");
    drive(server, command).await;
}

/// Runs a program, approves the device that it asks for, and waits for `all is well`.
async fn drive(server: &Server, mut command: Command) {
    let mut program = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let mut lines = BufReader::new(program.stdout.take().unwrap()).lines();
    let ended = async {
        let mut last = String::new();
        while let Some(line) = lines.next_line().await.unwrap() {
            if let Some(user_code) = line.strip_prefix("approve ") {
                let mut browser = Browser::new(server);
                browser.sign_in(ANA, PASSWORD).await;
                browser.decide(user_code, "approve").await;
            }
            last = line;
        }
        (last, program.wait_with_output().await.unwrap())
    };
    let (last, output) = tokio::time::timeout(PATIENCE, ended)
        .await
        .unwrap_or_else(|_| panic!("{command:?} does not end"));
    let problem = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{last}\n{problem}");
    assert_eq!(last, "all is well", "{problem}");
}
