//! Errors of the command as JSON: one shape for all kinds.

use crate::command::{accord, command, stderr, stdout};
use crate::script::{JSON, Script, login, organizations, refusal, remembered};
use accord_testing::FakeAccord;
use serde_json::{Value, json};
use std::{process::Output, time::Duration};

const KEY: &str = "apikey.local.w3q7k2m5c4t6z1xh8n9b0d2f4g";

fn error(output: &Output) -> Value {
    let text = stderr(output);
    let mut value: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}"));
    let members: Vec<&String> = value["error"]
        .as_object()
        .expect("an object")
        .keys()
        .collect();
    assert_eq!(
        members,
        ["status", "code", "message", "requestId", "hint"],
        "{text}"
    );
    value["error"].take()
}

#[tokio::test]
async fn a_wrong_command_line_is_json_on_demand_and_ends_with_2() {
    let script = Script::start(vec![]).await;
    for (arguments, message) in [
        (&["--json", "keys", "get"][..], "required arguments"),
        (
            &["keys", "gett", "--json"],
            "unrecognized subcommand 'gett'",
        ),
        (&["--json"], "incomplete"),
        (&["--json", "keys", "delete", KEY], "add --yes"),
        (&["--json", "keys", "update", KEY], "required arguments"),
        (&["--json", "--timeout", "x", "models"], "invalid value 'x'"),
    ] {
        let output = accord(&script, arguments).await;
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty());
        let error = error(&output);
        assert_eq!(error["code"], "usage", "{error}");
        assert_eq!(error["status"], Value::Null);
        let words = error["message"].as_str().expect("a text");
        assert!(words.contains(message), "{words}");
        assert!(
            !words.contains('\n') && !words.starts_with("error"),
            "{words}"
        );
    }
    // An argument of the command is not an option.
    let output = accord(&script, &["chat", "--tokens", "--", "--json"]).await;
    assert!(
        stderr(&output).starts_with("error: "),
        "{}",
        stderr(&output)
    );
    // Help is no error.
    let output = accord(&script, &["--json", "keys", "--help"]).await;
    assert!(output.status.success() && output.stderr.is_empty());
}

#[tokio::test]
async fn a_usage_line_lists_no_option_that_only_the_environment_sets() {
    for (arguments, usage) in [
        (&["keys", "get"][..], "Usage: accord keys get <"),
        (
            &["keys", "get", "--profile", "p"],
            "Usage: accord keys get --profile <NAME> <",
        ),
        (&["--retry", "1", "--no-retry", "models"], "Usage: accord "),
    ] {
        // The command always has ACCORD_URL.
        let mut command = command("http://127.0.0.1:1");
        command.env("ACCORD_LOGIN_FILE", "/nonexistent/login.json");
        let output = command.args(arguments).output().await.expect("it runs");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let text = stderr(&output);
        assert!(text.contains(usage), "{text}");
        assert!(
            !text.contains("--url") && !text.contains("--login-file"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn an_error_has_the_code_of_the_service_or_a_kind_of_the_command() {
    let page = ("404 Not Found\r\ncontent-type: text/html", "<p>".to_owned());
    let invalid = refusal("invalid_request");
    let script = Script::start(vec![invalid.clone(), page, invalid]).await;
    for (arguments, code, status) in [
        (&["orgs"][..], "invalid_request", 400),
        (&["orgs"], "http_404", 404),
        (&["api", "listOrganizations"], "invalid_request", 400),
    ] {
        let arguments = [&["--token", "t", "--json"], arguments].concat();
        let error = error(&accord(&script, &arguments).await);
        assert_eq!(
            (&error["code"], &error["status"]),
            (&json!(code), &json!(status))
        );
    }
    let folder = tempfile::tempdir().expect("a folder");
    for (arguments, code, exit) in [
        (&["orgs", "list"][..], "not_logged_in", 3),
        (&["models"], "no_api_key", 3),
        (&["--token", "t", "orgs"], "unavailable", 6),
        (&["--token-file", "/nonexistent", "orgs"], "failed", 1),
    ] {
        // Nothing listens at this port.
        let mut command = command("http://127.0.0.1:1");
        let command = command.arg("--json").args(arguments);
        let output = command.env("XDG_STATE_HOME", folder.path()).output().await;
        let output = output.expect("it runs");
        assert_eq!(output.status.code(), Some(exit), "{arguments:?}");
        assert_eq!(error(&output)["code"], code, "{arguments:?}");
    }
}

#[tokio::test]
async fn an_error_for_lack_of_a_login_names_the_services_with_one() {
    let script = Script::start(vec![]).await;
    let (_folder, file) = remembered(&login(&script, "a-1", "r-1", 0, 3600));
    let file = file.path().to_str().expect("a path");
    let orgs = async |options: &[&str]| {
        let mut command = command("http://127.0.0.1:1");
        let command = command.args(["--json", "--login-file", file]);
        let output = command.args(options).arg("orgs").output().await;
        error(&output.expect("it runs"))
    };
    let missing = orgs(&[]).await;
    assert_eq!(missing["code"], "not_logged_in");
    let hint = format!(
        "run `accord login` for http://127.0.0.1:1, or choose a service with a login by --url: {}",
        script.address
    );
    assert_eq!(missing["hint"], hint);
    // The address of the identity area takes precedence over `--url`.
    let missing = orgs(&["--identity-url", "http://127.0.0.1:2"]).await;
    let hint = format!(
        "run `accord login` for http://127.0.0.1:2, or choose a service with a login by --identity-url: {}",
        script.address
    );
    assert_eq!(missing["hint"], hint);
    // Another profile is logged in nowhere.
    let missing = orgs(&["--profile", "ops"]).await;
    assert_eq!(missing["hint"], "run `accord login`");
}

/// `accord --verbose orgs 2> >(true)`
#[cfg(unix)]
#[tokio::test]
async fn a_standard_error_that_nobody_reads_changes_no_outcome() {
    let script = Script::serve(|_| (Duration::ZERO, organizations())).await;
    let folder = tempfile::tempdir().expect("a folder");
    for (arguments, code, printed) in [
        (&["--token", "t", "--verbose", "orgs"][..], 0, true),
        (&["orgs"], 3, false),
        (&["--json", "orgs"], 3, false),
    ] {
        let (reader, writer) = std::os::unix::net::UnixStream::pair().expect("a pipe");
        drop(reader);
        let mut command = command(&script.address);
        let command = command
            .args(arguments)
            .env("XDG_STATE_HOME", folder.path())
            .stderr(std::os::fd::OwnedFd::from(writer));
        let running = command.spawn().expect("it runs");
        let output = running.wait_with_output().await.expect("it ends");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert_eq!(stdout(&output).contains("North Works Ltd"), printed);
    }
}

#[tokio::test]
async fn a_text_of_the_service_cannot_control_the_terminal() {
    let name = "\u{1b}]0;North\u{7}\nWorks\u{9b}2J";
    let list = json!([{"id": 1, "name": name, "tradingName": "N"}]);
    let error = json!({"error": "invalid_request", "error_description": name});
    let script = Script::start(vec![
        (JSON, list.to_string()),
        (JSON, list.to_string()),
        (refusal("").0, error.to_string()),
    ])
    .await;
    let orgs = ["--token", "t", "orgs"];
    let shown = stdout(&accord(&script, &orgs).await);
    assert!(shown.contains("North"), "{shown:?}");
    // A row is a line.
    assert_eq!(shown.lines().count(), 2, "{shown:?}");
    let output = accord(&script, &["--token", "t", "--json", "orgs"]).await;
    let printed: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(printed, list);
    let said = stderr(&accord(&script, &orgs).await);
    assert!(said.contains("North"), "{said:?}");
    for text in [shown, said] {
        let mut controls = text.chars().filter(|letter| letter.is_control());
        assert!(controls.all(|letter| letter == '\n'), "{text:?}");
    }
}

#[tokio::test]
async fn a_change_without_a_response_body_prints_its_object() {
    let fake = FakeAccord::start().await;
    for (arguments, expected) in [
        (&["delete", KEY, "--yes"][..], json!({ "deleted": KEY })),
        (
            &["move", KEY, "--compartment", "compartment.demo"],
            json!({ "id": KEY, "compartmentId": "compartment.demo" }),
        ),
    ] {
        let mut command = command(fake.url());
        let command = command.args(["--token", "t", "--json", "keys"]);
        let output = command.args(arguments).output().await.expect("it runs");
        let printed: Value = serde_json::from_slice(&output.stdout).expect("an object");
        assert_eq!(printed, expected);
    }
}
