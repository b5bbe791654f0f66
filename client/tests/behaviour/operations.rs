//! A command for every operation, against a service that holds requests to the documents.

use accord_client::{accounts, identity, inference, patterns};
use accord_testing::FakeAccord;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::process::{Output, Stdio};
use tokio::process::Command;

const KEY: &str = "apikey.local.w3q7k2m5c4t6z1xh8n9b0d2f4g";
const PATTERN: &str = "ORDER_TRIAGE|01.00.0000";

/// The file with a token.
const TOKEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/behaviour/token.txt");

/// Each operation, and the arguments of a command that calls it. [`LOGIN`] calls two more.
const COMMANDS: &str = "\
createUser users create --email mira.lund@north.example --first-name Mira --last-name Lund \
    --language en --organization 3104
linkCollabProfile users link --email mira.lund@north.example --app 71 --organization 5201
listOrganizations orgs list
listApplicationInstances apps list
listApiKeys keys list --compartment compartment.demo
createApiKey keys create reporting_key --compartment compartment.demo
getApiKey keys get KEY
updateApiKey keys update KEY --name billing_key
deleteApiKey keys delete KEY --yes
setApiKeyState keys set-state KEY key-one active
renewApiKey keys renew KEY key-one
changeApiKeyCompartment keys move KEY --compartment compartment.demo
listUsage usage --compartment compartment.demo --since 2026-11-01
createChatCompletion chat Hello --model accord.echo
createResponse responses Hello --model accord.echo
listModels models list
getModel models get accord.echo
getJwkSet tokens signing-keys
getAuthorizationServerMetadata tokens metadata
introspectToken tokens introspect TOKEN
revokeToken tokens revoke TOKEN
listPatterns patterns list --instance design-eu-1 --project RETAIL
getPattern patterns get PATTERN --instance design-eu-1 --project RETAIL
createPatternFromAccelerator patterns create ORDER_TRIAGE 01.00.0000 --accelerator \
    3f1c2a9e-6d0b-4f6e-9c64-0a4c8c0d7b01 --instance design-eu-1 --project RETAIL
deletePattern patterns delete PATTERN --yes --instance design-eu-1 --project RETAIL
";

/// [`COMMANDS`], with the values of the names in capitals.
fn commands() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    COMMANDS.lines().map(|line| {
        let mut words = line.split(' ').map(|word| match word {
            "KEY" => KEY,
            "PATTERN" => PATTERN,
            "TOKEN" => TOKEN,
            word => word,
        });
        (words.next().expect("an operation"), words.collect())
    })
}

/// The operations of `accord login`.
const LOGIN: [&str; 2] = ["createDeviceAuthorization", "createToken"];

async fn accord(fake: &FakeAccord, arguments: &[&str]) -> Output {
    let command = Command::new(env!("CARGO_BIN_EXE_accord"))
        .args(arguments)
        .env("ACCORD_URL", fake.url())
        .env("ACCORD_TOKEN", "a-token")
        .env("ACCORD_API_KEY", "sk-test")
        .env("ACCORD_CLIENT_ID", "reports")
        .env("ACCORD_CLIENT_SECRET", "a-secret")
        .env("XDG_STATE_HOME", "/nonexistent")
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .stdin(Stdio::null())
        .output();
    command.await.expect("it runs")
}

#[tokio::test]
async fn every_operation_has_a_command() {
    let fake = FakeAccord::start().await;
    for (operation, arguments) in commands() {
        let output = accord(&fake, &arguments).await;
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{operation}: {said}");
        assert_eq!(fake.requests_of(operation).len(), 1, "{operation}");
    }
    let pending = json!({"device_code": "d".repeat(43), "user_code": "KLMRTVWX", "expires_in": 60, "interval": 1,
                         "verification_uri": "http://id.example/ui",
                         "verification_uri_complete": "http://id.example/ui?user_code=KLMRTVWX"});
    let script = fake.on(LOGIN[0]).returns(200, pending);
    script.once().expect("the document has it");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("login.json");
    let file = file.to_str().expect("a path");
    let output = accord(&fake, &["login", "--login-file", file]).await;
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    for operation in LOGIN {
        assert_eq!(fake.requests_of(operation).len(), 1, "{operation}");
    }
    let areas = [
        accounts::OPERATIONS,
        identity::OPERATIONS,
        inference::OPERATIONS,
        patterns::OPERATIONS,
    ];
    let all: BTreeSet<&str> = areas
        .into_iter()
        .flatten()
        .map(|operation| operation.id)
        .collect();
    let called = commands().map(|(operation, _)| operation);
    let called: BTreeSet<&str> = called.chain(LOGIN).collect();
    assert_eq!(all, called);
}

#[tokio::test]
async fn a_request_of_any_path_shows_status_headers_and_the_body_of_an_error() {
    let fake = FakeAccord::start().await;
    let output = accord(&fake, &["api", "GET", "inference", "/apikeys", "--include"]).await;
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.starts_with("HTTP/1.1 400 Bad Request\n"), "{shown}");
    assert!(
        shown.contains("\ncontent-type: application/json\n"),
        "{shown}"
    );
    assert!(shown.contains("compartmentId is required"), "{shown}");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    let error = "error: the service responded with 400 Bad Request\nrequest: ";
    assert!(said.starts_with(error), "{said}");
}

#[tokio::test]
async fn an_error_is_json_on_demand_and_has_an_exit_code_by_its_kind() {
    let fake = FakeAccord::start().await;
    let get = ["keys", "get", KEY, "--json"];
    for (status, code) in [(404, 4), (403, 3)] {
        let script = fake.on("getApiKey").fails(status);
        script.once().expect("the document has it");
        let output = accord(&fake, &get).await;
        assert_eq!(output.status.code(), Some(code), "{status}");
        let error: Value = serde_json::from_slice(&output.stderr).expect("JSON");
        assert_eq!(error["error"]["status"], status, "{error}");
        let id = error["error"]["requestId"].as_str();
        assert!(id.is_some_and(|id| !id.is_empty()), "{error}");
        assert!(error["error"]["message"].is_string(), "{error}");
        assert!(output.stdout.is_empty());
    }
}
