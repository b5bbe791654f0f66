//! The saved secret of an API key.

use crate::command::{command, stderr, stdout};
use crate::script::{JSON, Script};
use serde_json::{Value, json};
use std::{path::Path, process::Output, time::Duration};

/// The command with an access token, and this directory for state.
async fn accord(script: &Script, state: &Path, arguments: &[&str]) -> Output {
    let mut command = command(&script.address);
    let command = command
        .env("XDG_STATE_HOME", state)
        .env("ACCORD_TOKEN", "t");
    command.args(arguments).output().await.expect("it runs")
}

async fn done(script: &Script, state: &Path, arguments: &[&str]) -> String {
    let output = accord(script, state, arguments).await;
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        stderr(&output)
    );
    stdout(&output)
}

/// A service that issues two secrets, of which the second one is active, and lists no models.
async fn service() -> Script {
    Script::serve(|request| {
        let body = match request.contains("/models") {
            true => json!({"object": "list", "data": []}),
            false => key(),
        };
        (Duration::ZERO, (JSON, body.to_string()))
    })
    .await
}

fn key() -> Value {
    let time = "2026-11-21T09:00:00Z";
    let secret = |name: &str, state: &str| {
        json!({"keyName": name, "keyMask": "sk-abc...wxyz", "timeCreated": time, "timeExpiry": time,
               "state": state, "key": format!("sk-very-secret-{name}")})
    };
    json!({"id": "apikey.local.w3q7k2m5c4t6z1xh8n9b0d2f4g", "displayName": "mine", "region": "local",
           "compartmentId": "compartment.demo", "lifecycleState": "ACTIVE", "timeCreated": time, "timeUpdated": time,
           "keys": [secret("key-one", "STANDBY"), secret("key-two", "ACTIVE")]})
}

/// The head of a page that another one follows, so that the list has no end.
const NEXT: &str = "200 OK\r\ncontent-type: application/json\r\naccord-next-page: next";

const CREATE: [&str; 5] = [
    "keys",
    "create",
    "mine",
    "--compartment",
    "compartment.demo",
];
const USED: &str = "authorization: bearer sk-very-secret-key-two";

/// `accord keys create --save | true`
#[cfg(unix)]
#[tokio::test]
async fn a_secret_is_saved_even_if_nobody_reads_the_output() {
    let script = service().await;
    let folder = tempfile::tempdir().expect("a directory");
    let (reader, writer) = std::os::unix::net::UnixStream::pair().expect("a pipe");
    drop(reader);
    let mut command = command(&script.address);
    let command = command
        .env("XDG_STATE_HOME", folder.path())
        .env("ACCORD_TOKEN", "t")
        .args([&CREATE[..], &["--save"]].concat())
        .stdout(std::os::fd::OwnedFd::from(writer));
    let status = command.status().await.expect("it runs");
    assert!(status.success(), "{status}");
    assert!(folder.path().join("accord/login.keys.json").exists());
}

#[tokio::test]
async fn a_list_ends_at_its_limit() {
    let script = Script::serve(|_| {
        (
            Duration::ZERO,
            (NEXT, json!({"items": [key(), key()]}).to_string()),
        )
    })
    .await;
    let folder = tempfile::tempdir().expect("a directory");
    let list = [
        "--json",
        "keys",
        "list",
        "--compartment",
        "c",
        "--limit",
        "3",
    ];
    let printed = done(&script, folder.path(), &list).await;
    let printed: Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!(printed.as_array().map(Vec::len), Some(3), "{printed}");
    assert_eq!(script.requests().len(), 2);
}

#[tokio::test]
async fn a_saved_secret_is_used_until_it_is_forgotten() {
    let script = service().await;
    let folder = tempfile::tempdir().expect("a directory");
    let state = folder.path();
    let file = state.join("accord/login.keys.json");
    done(&script, state, &CREATE).await;
    assert!(!file.exists(), "it is not saved without --save");
    let output = accord(&script, state, &["models"]).await;
    assert_eq!(output.status.code(), Some(3));
    assert!(
        stderr(&output).contains("keys create --save"),
        "{}",
        stderr(&output)
    );
    let said = done(&script, state, &[&CREATE[..], &["--save"]].concat()).await;
    assert!(said.contains("Saved key-two for later commands"), "{said}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&file)
            .expect("a file")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let left = std::fs::read_dir(state.join("accord")).expect("a directory");
    let left: Vec<_> = left
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert_eq!(left.len(), 2, "{left:?}");
    done(&script, state, &["models"]).await;
    assert_eq!(script.count(USED), 1);
    // Another profile and another service have none.
    for elsewhere in [
        ["--profile", "ops"],
        ["--inference-url", "http://127.0.0.1:1"],
    ] {
        let output = accord(&script, state, &[&elsewhere[..], &["models"]].concat()).await;
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    }
    // Any given secret counts more.
    done(&script, state, &["--api-key", "sk-given", "models"]).await;
    assert_eq!(script.count("authorization: bearer sk-given"), 1);
    assert_eq!(script.count(USED), 1);
    let said = done(&script, state, &["keys", "forget"]).await;
    assert_eq!(said, "Forgot the saved secret.\n");
    assert!(!file.exists());
    let said = done(&script, state, &["--json", "keys", "forget"]).await;
    let forgotten: Value = serde_json::from_str(&said).expect("an object");
    assert_eq!(forgotten, json!({ "forgotten": false }));
    let output = accord(&script, state, &["models"]).await;
    assert_eq!(output.status.code(), Some(3));
}

#[tokio::test]
async fn each_profile_has_a_saved_secret_and_json_has_the_key_alone() {
    let script = service().await;
    let folder = tempfile::tempdir().expect("a directory");
    let state = folder.path();
    for profile in ["default", "ops"] {
        let arguments = [&["--profile", profile, "--json"], &CREATE[..], &["--save"]].concat();
        let printed = done(&script, state, &arguments).await;
        let printed: Value = serde_json::from_str(&printed).expect("an object");
        assert_eq!(printed["keys"][1]["key"], "sk-very-secret-key-two");
    }
    done(&script, state, &["keys", "forget"]).await;
    done(&script, state, &["--profile", "ops", "models"]).await;
    assert_eq!(script.count(USED), 1);
}

#[tokio::test]
async fn a_file_that_cannot_be_used_creates_no_key_and_is_not_printed() {
    let script = service().await;
    let folder = tempfile::tempdir().expect("a directory");
    let state = folder.path();
    done(&script, state, &[&CREATE[..], &["--save"]].concat()).await;
    let file = state.join("accord/login.keys.json");
    let sent = script.requests().len();
    let create = [&CREATE[..], &["--save"]].concat();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let set = |mode| {
            let permissions = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(&file, permissions).expect("it is mine");
        };
        set(0o640);
        for arguments in [&["models"][..], &create, &["keys", "forget"]] {
            let output = accord(&script, state, arguments).await;
            assert_eq!(output.status.code(), Some(1), "{arguments:?}");
            assert!(
                stderr(&output).contains("run `chmod 600 "),
                "{}",
                stderr(&output)
            );
        }
        set(0o600);
    }
    std::fs::write(&file, "\"sk-very-secret\"").expect("it is mine");
    for arguments in [&["models"][..], &create, &["keys", "forget"]] {
        let output = accord(&script, state, arguments).await;
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let said = stderr(&output);
        assert!(
            said.contains("not a file of saved secrets; remove it"),
            "{said}"
        );
        assert!(!said.contains("very-secret"), "{said}");
    }
    assert_eq!(script.requests().len(), sent);
    // Commands that call no model do not read it.
    done(
        &script,
        state,
        &["keys", "get", "apikey.local.w3q7k2m5c4t6z1xh8n9b0d2f4g"],
    )
    .await;
}
