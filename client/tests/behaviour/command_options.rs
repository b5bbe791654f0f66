//! The options of every command: secrets, profiles, confirmation, and the lines of `--verbose`.

use crate::command::{accord, accord_reads, command, stderr, stdout};
use crate::script::{JSON, Response, Script, file, login, organizations, save};
use accord_client::{LoginKey, LoginStore};
use accord_testing::FakeAccord;
use serde_json::Value;
use std::time::Duration;

const KEY: &str = "apikey.local.w3q7k2m5c4t6z1xh8n9b0d2f4g";

fn models() -> Response {
    (JSON, r#"{"object":"list","data":[]}"#.to_owned())
}

#[tokio::test]
async fn verbose_prints_a_line_for_each_request_without_secrets() {
    let fake = FakeAccord::start().await;
    let list = ["keys", "list", "--compartment", "compartment.demo", "-v"];
    let output = command(fake.url())
        .args(list)
        .env("ACCORD_TOKEN", "very-secret")
        .output();
    let said = stderr(&output.await.expect("it runs"));
    let (line, rest) = said.split_once('\n').expect("a line");
    assert!(rest.is_empty(), "{said}");
    assert!(line.starts_with("GET /"), "{said}");
    assert!(line.contains("/apikeys 200 "), "{said}");
    let (_, id) = line.split_once(" ms, attempt 1, request ").expect("an id");
    assert!(id.len() > 8, "{said}");
    for secret in ["very-secret", "compartment.demo"] {
        assert!(!said.contains(secret), "{said}");
    }
    // An attempt without a response has a line as well.
    let script = Script::start(vec![]).await;
    let output = accord(&script, &["--token", "very-secret", "-v", "orgs", "list"]).await;
    let said = stderr(&output);
    assert!(said.starts_with("GET /"), "{said}");
    assert!(said.contains("/user/organizations no "), "{said}");
    assert!(!said.contains("very-secret"), "{said}");
}

#[tokio::test]
async fn verbose_numbers_the_attempts_and_options_limit_them() {
    let script = Script::serve(|_| {
        let head = "503 Service Unavailable\r\nretry-after: 0";
        (Duration::ZERO, (head, String::new()))
    })
    .await;
    for (option, attempts) in [
        (&["-v"][..], 4),
        (&["-v", "--retry", "1"], 2),
        (&["-v", "--retry", "0"], 1),
        (&["-v", "--no-retry"], 1),
    ] {
        let arguments = [&["--token", "t", "orgs", "list"], option].concat();
        let sent = script.requests().len();
        let said = stderr(&accord(&script, &arguments).await);
        assert_eq!(script.requests().len() - sent, attempts, "{said}");
        for attempt in 1..=attempts {
            let number = format!(" ms, attempt {attempt}, request -");
            assert_eq!(said.matches(&number).count(), 1, "{said}");
        }
    }
}

#[tokio::test]
async fn an_option_without_effect_is_an_error() {
    let script = Script::start(vec![]).await;
    for (arguments, words) in [
        (&["--timeout", "0", "models"][..], "0 is not in 1.."),
        (&["--retry", "101", "models"], "101 is not in"),
        (&["--retry", "1", "--no-retry", "models"], "cannot be used"),
    ] {
        let output = accord(&script, arguments).await;
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
}

#[tokio::test]
async fn secrets_come_from_files_and_the_standard_input() {
    let script = Script::serve(|request| {
        let response = match request.contains("/models") {
            true => models(),
            false => organizations(),
        };
        (Duration::ZERO, response)
    })
    .await;
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join("secret");
    let path_text = path.to_str().expect("a path");
    std::fs::write(&path, "from-file\n").expect("it can be written");
    // The file counts more than the other option.
    let with_key = [
        "--api-key",
        "sk-1",
        "--api-key-file",
        path_text,
        "models",
        "list",
    ];
    let with_token = ["--token-file", path_text, "orgs", "list"];
    for arguments in [&with_key[..], &with_token[..]] {
        let output = accord(&script, arguments).await;
        assert!(output.status.success(), "{}", stderr(&output));
    }
    assert_eq!(script.count("authorization: bearer from-file"), 2);
    // The first line is the secret, and the command gets the others.
    let arguments = [
        "--token-file",
        "-",
        "api",
        "POST",
        "accounts",
        "/user",
        "--body",
        "-",
    ];
    let output = accord_reads(&script, &arguments, "from-input\n{\"a\": 1}").await;
    assert!(output.status.success(), "{}", stderr(&output));
    let requests = script.requests();
    let request = requests.last().expect("a request");
    assert!(
        request.contains("authorization: bearer from-input"),
        "{request}"
    );
    assert!(request.ends_with("\n\n{\"a\": 1}"), "{request}");
}

#[tokio::test]
async fn an_input_that_is_not_a_secret_is_not_shown_and_nothing_is_sent() {
    let script = Script::start(vec![models()]).await;
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join("secret");
    let path_text = path.to_str().expect("a path");
    std::fs::write(&path, "very-secret\nvery-secret-too\n").expect("it can be written");
    let two = ["--api-key-file", "-", "--token-file", "-", "models"];
    for (arguments, wanted) in [
        (
            &["--api-key-file", path_text, "models"][..],
            "write it in one line",
        ),
        (
            &["--api-key-file", "/nonexistent", "models"][..],
            "cannot be read",
        ),
        (&["--api-key-file", "-", "models"][..], "has no secret"),
        (&two[..], "only one secret"),
    ] {
        let output = accord(&script, arguments).await;
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let said = stderr(&output);
        assert!(said.contains(wanted), "{said}");
        assert!(!said.contains("very-secret"), "{said}");
    }
    assert!(script.requests().is_empty());
}

#[tokio::test]
async fn a_deletion_without_a_terminal_needs_a_yes() {
    let fake = FakeAccord::start().await;
    let pattern = [
        "patterns",
        "delete",
        "ORDER_TRIAGE|01.00.0000",
        "--instance",
        "a",
        "--project",
        "b",
    ];
    for (arguments, operation) in [
        (&["keys", "delete", KEY][..], "deleteApiKey"),
        (&pattern[..], "deletePattern"),
    ] {
        let output = command(fake.url())
            .args(arguments)
            .env("ACCORD_TOKEN", "t")
            .output();
        let output = output.await.expect("it runs");
        assert_eq!(output.status.code(), Some(2));
        let said = stderr(&output);
        assert!(said.contains("nothing was deleted"), "{said}");
        assert!(said.contains("add --yes to delete"), "{said}");
        assert!(fake.requests_of(operation).is_empty());
    }
}

#[tokio::test]
async fn a_profile_has_a_login_of_its_own_and_the_list_has_all_of_them() {
    let script = Script::serve(|_| (Duration::ZERO, organizations())).await;
    let (_folder, file) = file();
    save(&file, &login(&script, "a-own", "r-own", 0, 3600));
    let ops = LoginKey::new(script.address.clone()).profile("ops");
    {
        let _lock = file.lock().expect("it can be locked");
        let login = login(&script, "a-ops", "r-ops", 0, 3600);
        file.save(&ops, &login).expect("it can be written");
    }
    let path = file.path().to_str().expect("a path");
    let list = ["--login-file", path, "orgs", "list"];
    let named = ["--profile", "ops", "--login-file", path, "orgs", "list"];
    for arguments in [&list[..], &named[..]] {
        let output = accord(&script, arguments).await;
        assert!(output.status.success(), "{}", stderr(&output));
    }
    for (profile, code) in [("ops", 0), ("", 0), ("nobody", 3), ("a b", 1)] {
        let output = command(&script.address)
            .args(list)
            .env("ACCORD_PROFILE", profile)
            .output();
        let output = output.await.expect("it runs");
        assert_eq!(output.status.code(), Some(code), "{profile}");
        let said = stderr(&output);
        assert!(code == 0 || said.contains(profile), "{said}");
    }
    assert_eq!(script.count("authorization: bearer a-own"), 2);
    assert_eq!(script.count("authorization: bearer a-ops"), 2);
    let output = accord(&script, &["--login-file", path, "profiles", "--json"]).await;
    let profiles: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let names = [&profiles[0]["profile"], &profiles[1]["profile"]];
    assert_eq!(names, ["default", "ops"]);
    assert_eq!(profiles[1]["identity"], script.address.as_str());
    let output = accord(&script, &["--login-file", path, "profiles"]).await;
    let shown = stdout(&output);
    assert!(shown.starts_with("PROFILE  SERVICE"), "{shown}");
    // With all scopes of `accord login` it fits, too.
    assert!(shown.lines().all(|line| line.len() <= 100), "{shown}");
    assert!(!shown.contains("accounts.read"), "{shown}");
    assert_eq!(shown.lines().count(), 3);
    assert!(
        !shown.contains("a-own") && !shown.contains("r-own"),
        "{shown}"
    );
}
