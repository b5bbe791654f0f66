//! `accord api`: operations by their id, and pages.

use crate::command::{accord, command, stderr, stdout};
use crate::script::{JSON, Script};
use accord_testing::FakeAccord;
use serde_json::Value;
use std::time::Duration;

#[tokio::test]
async fn an_operation_is_called_by_its_id_with_the_credential_of_its_document() {
    let fake = FakeAccord::start().await;
    let pattern = "ORDER_TRIAGE|01.00.0000";
    let id = format!("id={pattern}");
    for (arguments, operation, credential) in [
        (&["getModel", "model=accord.echo"][..], "getModel", "sk-1"),
        (
            &[
                "getPattern",
                &id,
                "projectId=RETAIL",
                "integrationInstance=a",
            ],
            "getPattern",
            "a-token",
        ),
    ] {
        let mut command = command(fake.url());
        let command = command.args(["--token", "a-token", "--api-key", "sk-1", "api"]);
        let output = command.args(arguments).output().await.expect("it runs");
        assert!(output.status.success(), "{}", stderr(&output));
        let printed: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert!(printed.is_object(), "{printed}");
        let requests = fake.requests_of(operation);
        let sent = requests[0].header("authorization");
        assert_eq!(sent, Some(format!("Bearer {credential}").as_str()));
    }
}

#[tokio::test]
async fn an_incomplete_operation_is_not_sent() {
    let script = Script::start(vec![]).await;
    for (arguments, words) in [
        (&["getModel"][..], "getModel needs model=VALUE"),
        (&["getModels", "model=a"], "getModels is not an operation"),
        (&["GET", "accounts"], "GET needs an area and a path"),
    ] {
        let arguments = [&["--api-key", "sk", "api"], arguments].concat();
        let output = accord(&script, &arguments).await;
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    assert!(script.requests().is_empty());
}

#[tokio::test]
async fn pages_are_printed_one_after_the_other() {
    let script = Script::serve(|request| {
        let response = match request {
            _ if request.contains("page=b") => (JSON, "[2]".to_owned()),
            _ => {
                let head = "200 OK\r\ncontent-type: application/json\r\naccord-next-page: b";
                (head, "[1]".to_owned())
            }
        };
        (Duration::ZERO, response)
    })
    .await;
    let list = ["--token", "t", "api", "listApiKeys", "compartmentId=c"];
    let output = accord(&script, &list).await;
    assert_eq!(stdout(&output), "[1]\n", "{}", stderr(&output));
    let output = accord(&script, &[&list[..], &["--paginate"]].concat()).await;
    assert_eq!(stdout(&output), "[1]\n[2]\n", "{}", stderr(&output));
    assert_eq!(script.count("compartmentid=c&page=b"), 1);
}

#[tokio::test]
async fn a_page_that_was_requested_before_ends_the_list() {
    let head = "200 OK\r\ncontent-type: application/json\r\naccord-next-page: b";
    let script = Script::serve(move |_| (Duration::ZERO, (head, "[1]".to_owned()))).await;
    let list = ["--token", "t", "api", "listOrganizations", "--paginate"];
    let output = accord(&script, &list).await;
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("requested before"),
        "{}",
        stderr(&output)
    );
    assert_eq!(script.requests().len(), 2);
}

#[tokio::test]
async fn an_interrupted_body_is_an_error_of_its_own_kind() {
    let head = "200 OK\r\ncontent-type: application/json\r\ncontent-length: 9";
    let script = Script::serve(move |_| (Duration::ZERO, (head, "[1".to_owned()))).await;
    let request = ["--json", "--token", "t", "api", "GET", "accounts"];
    let output = accord(
        &script,
        &[&request[..], &["/organization?code=1234"]].concat(),
    )
    .await;
    assert_eq!(output.status.code(), Some(6), "{}", stderr(&output));
    assert_eq!(stdout(&output), "[1");
    let reported: Value = serde_json::from_slice(&output.stderr).expect("JSON");
    let error = &reported["error"];
    assert_eq!(error["code"], "interrupted", "{error}");
    let message = error["message"].as_str().expect("a text");
    assert!(
        message.starts_with("the response was interrupted: "),
        "{message}"
    );
    assert!(!message.contains("1234"), "{message}");
}
