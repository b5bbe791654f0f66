//! The configuration file of the command, and `accord config`.

use crate::command::{command, stderr, stdout};
use crate::script::{Script, organizations};
use serde_json::{Value, json};
use std::{path::Path, process::Output, time::Duration};

/// The command, with this directory for configuration.
async fn accord(folder: &Path, variables: &[(&str, &str)], arguments: &[&str]) -> Output {
    let mut command = command("");
    let command = command.env("XDG_CONFIG_HOME", folder).args(arguments);
    let command = command.envs(variables.iter().copied());
    command.output().await.expect("it runs")
}

#[tokio::test]
async fn a_command_uses_the_settings_of_its_profile() {
    let script = Script::serve(|_| (Duration::ZERO, organizations())).await;
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let set = ["--profile", "ops", "config", "set"];
    for arguments in [
        &[&set[..], &["url", &script.address]].concat()[..],
        &[&set[..], &["client-id", "robot"]].concat(),
        &["config", "set", "profile", "ops"],
    ] {
        let output = accord(folder, &[], arguments).await;
        assert!(output.status.success(), "{}", stderr(&output));
    }
    let list = ["--token", "t", "orgs", "list"];
    let output = accord(folder, &[], &list).await;
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(script.requests().len(), 1);
    // A variable counts more.
    let elsewhere = [("ACCORD_URL", "http://127.0.0.1:1")];
    let output = accord(folder, &elsewhere, &list).await;
    assert_eq!(output.status.code(), Some(6));
    let arguments = ["--json", "--url", "http://a.example", "config"];
    let output = accord(folder, &[("ACCORD_CLIENT_ID", "tester")], &arguments).await;
    let shown: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let file = folder.join("accord/config.toml");
    assert_eq!(shown["file"], file.to_str().expect("a path"));
    let expected = json!([
        {"name": "profile", "value": "ops", "source": "file"},
        {"name": "url", "value": "http://a.example", "source": "flag"},
        {"name": "accounts-url", "value": null, "source": "default"},
        {"name": "identity-url", "value": null, "source": "default"},
        {"name": "inference-url", "value": null, "source": "default"},
        {"name": "patterns-url", "value": null, "source": "default"},
        {"name": "client-id", "value": "tester", "source": "environment"},
    ]);
    assert_eq!(shown["settings"], expected);
    let output = accord(folder, &[], &["config", "unset", "profile"]).await;
    assert!(output.status.success(), "{}", stderr(&output));
    let shown = stdout(&accord(folder, &[], &["config"]).await);
    assert!(
        shown.contains("url            http://127.0.0.1:8080  default\n"),
        "{shown}"
    );
}

#[tokio::test]
async fn an_invalid_file_stops_every_command_and_is_not_changed() {
    let script = Script::start(vec![organizations()]).await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("accord/config.toml");
    std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
    let text = "# mine\n[profiles.ops]\napi-key = \"sk-very-secret\"\n";
    std::fs::write(&file, text).expect("a file");
    for arguments in [
        &["--token", "t", "orgs", "list"][..],
        &["profiles"],
        &["config"],
        &["config", "set", "url", "http://a.example"],
    ] {
        let variables = [("ACCORD_URL", script.address.as_str())];
        let output = accord(folder.path(), &variables, arguments).await;
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let said = stderr(&output);
        assert!(
            said.contains("config.toml: line 3: unknown field `api-key`"),
            "{said}"
        );
        assert!(!said.contains("very-secret"), "{said}");
    }
    assert!(script.requests().is_empty());
    assert_eq!(std::fs::read_to_string(&file).expect("a file"), text);
}

#[tokio::test]
async fn a_password_in_an_address_is_not_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let variables = [("ACCORD_URL", "https://ana:very-secret@a.example")];
    for arguments in [
        &["config"][..],
        &["--json", "config"],
        &["--token", "t", "orgs"],
    ] {
        let output = accord(folder.path(), &variables, arguments).await;
        let shown = stdout(&output) + &stderr(&output);
        assert!(shown.contains("…@a.example"), "{shown}");
        assert!(!shown.contains("very-secret"), "{shown}");
    }
}

#[tokio::test]
async fn an_invalid_value_is_not_set() {
    let folder = tempfile::tempdir().expect("a folder");
    for (arguments, code, words) in [
        (
            &["config", "set", "url", "a.example"][..],
            1,
            "write an address",
        ),
        (&["config", "set", "profile", "a b"], 1, "letters, digits"),
        (
            &["--profile", "a]b", "config", "set", "client-id", "x"],
            1,
            "letters, digits",
        ),
        (
            &["config", "set", "api-key", "sk"],
            2,
            "invalid value 'api-key'",
        ),
    ] {
        let output = accord(folder.path(), &[], arguments).await;
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    assert!(!folder.path().join("accord").exists());
}

#[tokio::test]
async fn an_unencrypted_address_is_set_and_each_call_asks_for_consent() {
    let folder = tempfile::tempdir().expect("a folder");
    let set = ["config", "set", "url", "http://a.example"];
    let output = accord(folder.path(), &[], &set).await;
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let call = ["--token", "t", "orgs", "list"];
    let output = accord(folder.path(), &[], &call).await;
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("add --allow-http"),
        "{}",
        stderr(&output)
    );
}
