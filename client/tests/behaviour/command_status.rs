//! `accord status` and `accord tokens`.

use crate::command::{accord, accord_reads, command, stderr, stdout};
use crate::script::{JSON, Response, Script, login, organizations, remembered};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use std::time::Duration;

/// A service with this readiness.
async fn service(ready: Response) -> Script {
    Script::serve(move |request| {
        let response = match request {
            _ if request.starts_with("get /readyz ") => ready.clone(),
            _ if request.contains("bearer bad") => {
                let body = r#"{"error":"access_denied","error_description":"no"}"#;
                let head = "401 Unauthorized\r\ncontent-type: application/json\r\nwww-authenticate: Bearer realm=\"accord\", error=\"invalid_token\"";
                (head, body.to_owned())
            }
            _ => organizations(),
        };
        (Duration::ZERO, response)
    })
    .await
}

fn ready() -> Response {
    ("200 OK\r\ncontent-type: text/plain", "ready\n".to_owned())
}

#[tokio::test]
async fn status_shows_addresses_profile_and_login() {
    let script = service(ready()).await;
    let (_folder, logins) = remembered(&login(&script, "a-1", "r-1", 60, 3600));
    let logins = logins.path().to_str().expect("a path").to_owned();
    let patterns = service(ready()).await;
    let arguments = [
        "--login-file",
        &logins,
        "--patterns-url",
        &patterns.address,
        "status",
    ];
    let output = accord(&script, &[&arguments[..], &["--json"]].concat()).await;
    assert!(output.status.success(), "{}", stderr(&output));
    let shown: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let state = |url: &str, areas: &[&str]| json!({"url": url, "areas": areas, "reachable": true, "ready": true, "state": "ready"});
    let expected = json!([
        state(&script.address, &["accounts", "identity", "inference"]),
        state(&patterns.address, &["patterns"]),
    ]);
    assert_eq!(shown["services"], expected);
    assert_eq!(shown["profile"], "default");
    let login = &shown["login"];
    assert_eq!(login["client"], "accord-cli");
    assert_eq!(login["scopes"], json!(["accounts.read"]));
    assert!(
        login["expiresAt"].is_string() && login["refused"].is_null(),
        "{login}"
    );
    let text = stdout(&accord(&script, &arguments).await);
    assert!(
        text.contains("accounts identity inference  ready\n"),
        "{text}"
    );
    assert!(text.contains("\nprofile  default\n"), "{text}");
    assert!(text.contains(", renewed by itself\n"), "{text}");
    // The readiness is public: no request for it has a credential.
    for request in script.requests() {
        assert!(!request.contains("/readyz") || !request.contains("authorization"));
    }
    assert!(!text.contains("a-1") && !text.contains("r-1"), "{text}");
}

#[tokio::test]
async fn the_exit_code_of_status_says_the_kind() {
    let unready = || {
        let head = "503 Service Unavailable\r\ncontent-type: text/plain";
        (head, "the service is stopping\n".to_owned())
    };
    let elsewhere = || ("404 Not Found", String::new());
    for (response, arguments, code, words) in [
        (ready(), &["--token", "good"][..], 0, "  ready\n"),
        (ready(), &["--api-key", "sk"], 0, "nobody"),
        (ready(), &[], 3, "nobody is logged in"),
        (ready(), &["--token", "bad"], 3, "access_denied"),
        (elsewhere(), &["--token", "good"], 0, "readiness unknown"),
        (
            unready(),
            &["--token", "good"],
            6,
            "not ready: the service is stopping",
        ),
    ] {
        let script = service(response).await;
        let folder = tempfile::tempdir().expect("a folder");
        let mut command = command(&script.address);
        let command = command.args(arguments).arg("status");
        let output = command.env("XDG_STATE_HOME", folder.path()).output().await;
        let output = output.expect("it runs");
        let shown = stdout(&output) + &stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{shown}");
        assert!(shown.contains(words), "{shown}");
        // Each address is asked once.
        assert_eq!(script.count("/readyz"), 1);
    }
    let mut command = command("http://127.0.0.1:1");
    let command = command.args(["--token", "t", "--json", "status"]);
    let output = command.output().await.expect("it runs");
    assert_eq!(output.status.code(), Some(6));
    let shown: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(shown["services"][0]["reachable"], false, "{shown}");
    let error: Value = serde_json::from_slice(&output.stderr).expect("JSON");
    assert_eq!(error["error"]["code"], "unavailable", "{error}");
}

#[tokio::test]
async fn a_confidential_client_introspects_a_token_of_the_standard_input() {
    let body = json!({"active": true, "username": "ana@north.example", "client_id": "accord-cli",
                      "scope": "accounts.read", "exp": 1_798_761_600});
    let script = Script::serve(move |_| (Duration::ZERO, (JSON, body.to_string()))).await;
    let folder = tempfile::tempdir().expect("a folder");
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "s-1\n").expect("a file");
    let secret = secret.to_str().expect("a path");
    let arguments = ["tokens", "introspect", "-"];
    let client = ["--client-id", "reports", "--client-secret-file", secret];
    let output = accord_reads(&script, &[&arguments[..], &client].concat(), "t-1\n").await;
    let shown = stdout(&output);
    assert!(
        shown.contains("active   yes\n"),
        "{shown}{}",
        stderr(&output)
    );
    assert!(shown.contains("expires  2027-01-01 00:00Z\n"), "{shown}");
    assert_eq!(script.count("token=t-1"), 1);
    let basic = STANDARD.encode("reports:s-1").to_ascii_lowercase();
    assert_eq!(script.count(&format!("authorization: basic {basic}")), 1);
    // Without the secret, and with the secret of no client.
    for (options, code, words) in [
        (
            &["--client-id", "reports"][..],
            2,
            "only a confidential client",
        ),
        (&client[2..], 1, "add --client-id"),
    ] {
        let output = accord_reads(&script, &[&arguments[..], options].concat(), "t-1\n").await;
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    assert_eq!(script.requests().len(), 1);
}

#[tokio::test]
async fn a_public_client_revokes_its_token_by_its_identifier() {
    let script = Script::start(vec![("200 OK", String::new())]).await;
    let arguments = ["--json", "tokens", "revoke", "-"];
    let output = accord_reads(&script, &arguments, "t-1\n").await;
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(script.count("client_id=accord-cli"), 1);
    assert_eq!(script.count("authorization"), 0);
    let printed: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(printed, json!({ "revoked": true }));
}
