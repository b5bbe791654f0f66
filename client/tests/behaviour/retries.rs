//! Retries: which requests are repeated, with which key, and when the client gives up.

use crate::script::{JSON, Response, Script, client, list, organizations};
use accord_client::{
    Accord, CallOptions, Failure, Operation, OperationError, Pending, RetryPolicy, Transport,
    accounts::types::CreateUserRequest,
    explain,
    inference::types::{
        ChangeApiKeyCompartmentDetails, ChatCompletionRequest, ChatMessage, CreateApiKeyDetails,
        CreateApiKeyDetailsRequired, KeyDetails,
    },
    patterns::types::{CreatePatternRequest, CreatePatternRequestRequired},
    reqwest::{self, Client, Request},
};
use futures::StreamExt;
use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};
use tokio::net::TcpListener;

fn busy() -> Response {
    ("503 Service Unavailable\r\nretry-after: 0", String::new())
}

fn limited() -> Response {
    ("429 Too Many Requests\r\nretry-after: 0", String::new())
}

fn question() -> ChatCompletionRequest {
    ChatCompletionRequest::new([ChatMessage::new("user").content("Hi")], "m")
}

fn completion() -> Response {
    let body = r#"{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hello","refusal":null},"finish_reason":"stop","logprobs":null}]}"#;
    (JSON, body.to_owned())
}

/// Calls the chat once; the error is its status.
async fn chat(accord: &Accord) -> Result<(), Option<u16>> {
    let call = accord.inference().create_chat_completion();
    let outcome = call.body(question()).call().await;
    outcome
        .map(|_| ())
        .map_err(|error| error.status().map(|status| status.as_u16()))
}

#[tokio::test]
async fn a_chat_that_the_service_did_not_execute_is_repeated() {
    let script = Script::start(vec![limited(), busy(), completion()]).await;
    let accord = client(&script).api_key("sk-1").build().expect("a client");
    assert_eq!(chat(&accord).await, Ok(()));
    assert_eq!(script.requests().len(), 3);
}

#[tokio::test]
async fn a_chat_that_the_service_may_have_executed_is_not_repeated() {
    for head in [
        "500 Internal Server Error",
        "502 Bad Gateway\r\nretry-after: 0",
        "503 Service Unavailable",
    ] {
        let script = Script::start(vec![(head, String::new()), completion()]).await;
        let accord = client(&script).api_key("sk-1").build().expect("a client");
        assert!(chat(&accord).await.is_err(), "{head}");
        assert_eq!(script.requests().len(), 1, "{head}");
    }
}

#[tokio::test]
async fn an_interrupted_response_is_requested_again() {
    let broken = || {
        let head = "200 OK\r\ncontent-type: application/json\r\ncontent-length: 99";
        (head, "[{".to_owned())
    };
    let script = Script::start(vec![broken(), organizations(), broken(), completion()]).await;
    let accord = client(&script).access_token("t").api_key("sk-1").build();
    let accord = accord.expect("a client");
    let listed = accord.accounts().list_organizations().call().await;
    assert_eq!(listed.expect("a list").len(), 1);
    assert_eq!(script.requests().len(), 2);
    // A chat has no idempotency key, and was executed.
    assert!(chat(&accord).await.is_err());
    assert_eq!(script.requests().len(), 3);
}

#[tokio::test]
async fn an_interrupted_error_keeps_its_status_and_what_arrived() {
    let broken = || {
        let head = "400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: 99";
        (head, "{\"code\"".to_owned())
    };
    let script = Script::start(vec![broken(), broken()]).await;
    let accord = client(&script).access_token("t").api_key("sk-1").build();
    let accord = accord.expect("a client");
    let chat = accord.inference().create_chat_completion().body(question());
    let listed = accord.accounts().list_organizations().call().await;
    let errors: [Box<dyn OperationError>; 2] = [
        Box::new(listed.expect_err("an error")),
        Box::new(chat.call().await.expect_err("an error")),
    ];
    for error in errors {
        let Some(Failure::Interrupted { response, .. }) = error.failure() else {
            panic!("{error}");
        };
        assert_eq!(
            (response.status.as_u16(), &response.body[..]),
            (400, &b"{\"code\""[..])
        );
        assert!(!error.is_retryable());
        assert_eq!(
            error.to_string(),
            "400 Bad Request (the response was interrupted): {\"code\""
        );
    }
    assert_eq!(script.requests().len(), 2);
}

/// Opens no connection for the first attempts.
#[derive(Debug)]
struct Unreachable(AtomicUsize);

impl Transport for Unreachable {
    fn send<'a>(
        &'a self,
        client: &'a Client,
        mut request: Request,
        _operation: &'static Operation,
    ) -> Pending<'a, reqwest::Result<reqwest::Response>> {
        let left = self
            .0
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
                left.checked_sub(1)
            });
        if left.is_ok() {
            // No service listens at the discard port.
            *request.url_mut() = "http://127.0.0.1:9".parse().expect("an address");
        }
        Box::pin(client.execute(request))
    }
}

#[tokio::test]
async fn a_chat_without_a_connection_is_repeated() {
    for (failures, outcome) in [(3, Ok(())), (4, Err(None))] {
        let script = Script::start(vec![completion()]).await;
        let accord = client(&script)
            .api_key("sk-1")
            .transport(Unreachable(AtomicUsize::new(failures)))
            .build()
            .expect("a client");
        assert_eq!(chat(&accord).await, outcome);
        assert_eq!(script.requests().len(), usize::from(outcome.is_ok()));
    }
}

#[tokio::test]
async fn accounts_and_patterns_are_called_again_after_an_outage() {
    let gone = ("200 OK", String::new());
    let script = Script::start(vec![
        busy(),
        organizations(),
        busy(),
        gone.clone(),
        busy(),
        gone,
    ]);
    let script = script.await;
    let accord = client(&script).access_token("t").build().expect("a client");
    let listed = accord.accounts().list_organizations().call().await;
    assert_eq!(listed.expect("a list").len(), 1);
    let delete = accord.patterns().delete_pattern().project_id("p").id("C|1");
    let deleted = delete.integration_instance("i").call().await;
    deleted.expect("a success");
    // A 503 of a creation says that there is no pattern, so the client may repeat the request.
    let create = accord.patterns().create_pattern_from_accelerator();
    let create = create.project_id("p").integration_instance("i");
    let body = CreatePatternRequest::new(CreatePatternRequestRequired {
        id: uuid::Uuid::nil(),
        pattern_code: "C".to_owned(),
        pattern_version: "1".to_owned(),
        project_code: "p".to_owned(),
    });
    create.body(body).call().await.expect_err("no pattern");
    assert_eq!(script.requests().len(), 6);
}

#[tokio::test]
async fn a_user_is_created_again_only_with_the_key_of_the_first_attempt() {
    let script = Script::serve(|_| (Duration::ZERO, busy())).await;
    let accord = client(&script).access_token("t").build().expect("a client");
    let create = accord.accounts().create_user().idempotency_key("k-1");
    let error = create.body(CreateUserRequest::new()).call().await;
    let error = error.expect_err("it is busy");
    assert_eq!(error.status().map(|status| status.as_u16()), Some(503));
    assert_eq!(script.count("idempotency-key: k-1"), 4);
}

#[tokio::test]
async fn a_stream_is_repeated_before_its_first_byte() {
    let chunk = r#"data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"x"},"finish_reason":null}]}"#;
    let events = (
        "200 OK\r\ncontent-type: text/event-stream",
        format!("{chunk}\n\ndata: [DONE]\n\n"),
    );
    let script = Script::start(vec![limited(), busy(), events]).await;
    let accord = client(&script).api_key("sk-1").build().expect("a client");
    let call = accord.inference().create_chat_completion_stream();
    let events = call.body(question()).call().await.expect("a stream");
    assert_eq!(events.count().await, 1);
    assert_eq!(script.requests().len(), 3);
}

#[tokio::test]
async fn a_stream_begins_before_the_deadline_of_its_call() {
    let script = Script::serve(|_| (Duration::from_secs(3600), completion())).await;
    let accord = client(&script).api_key("sk-1").build().expect("a client");
    let brief = CallOptions::new().deadline(Duration::from_millis(300));
    let accord = accord.with_options(&brief);
    let call = accord.inference().create_chat_completion_stream();
    let outcome = tokio::time::timeout(Duration::from_secs(60), call.body(question()).call());
    let error = outcome.await.expect("it ends").expect_err("no stream");
    let said = explain(&error);
    assert!(said.contains("did not respond in time"), "{said}");
    assert!(error.is_retryable());
}

#[tokio::test]
async fn a_change_gets_one_idempotency_key_for_all_of_its_attempts() {
    let broken = ("502 Bad Gateway", String::new());
    let done = ("204 No Content", String::new());
    let script = Script::start(vec![broken.clone(), broken.clone(), done.clone(), done]).await;
    let accord = client(&script).access_token("t").build().expect("a client");
    for _ in 0..2 {
        let call = accord.inference().change_api_key_compartment();
        let call = call.api_key_id("apikey.x.1");
        let moved = call.body(ChangeApiKeyCompartmentDetails::new("c"));
        moved.call().await.expect("a success");
    }
    let keys: Vec<String> = script
        .requests()
        .iter()
        .map(|request| key(request))
        .collect();
    assert_eq!(keys.len(), 4);
    assert_eq!((&keys[0], &keys[0]), (&keys[1], &keys[2]));
    assert_ne!(keys[2], keys[3]);
}

/// The value of `accord-retry-token`.
fn key(request: &str) -> String {
    let mut lines = request.lines();
    let value = lines.find_map(|line| line.strip_prefix("accord-retry-token: "));
    value.expect("a retry token").to_owned()
}

#[tokio::test]
async fn the_key_of_the_caller_is_sent_under_its_name() {
    let issued = ("502 Bad Gateway", String::new());
    let script = Script::start(vec![issued.clone(), issued]).await;
    let accord = client(&script)
        .retry(
            RetryPolicy::default()
                .attempts(2)
                .first_wait(Duration::from_millis(1)),
        )
        .access_token("t")
        .build()
        .expect("a client");
    let body = details();
    let call = accord.inference().create_api_key().idempotency_key("k-1");
    call.body(body).call().await.expect_err("502");
    assert_eq!(script.count("idempotency-key: k-1"), 2);
    assert_eq!(script.count("accord-retry-token"), 0);
}

#[tokio::test]
async fn without_retries_no_key_is_made() {
    let script = Script::start(vec![("502 Bad Gateway", String::new())]).await;
    let accord = client(&script)
        .retry(RetryPolicy::never())
        .access_token("t")
        .build()
        .expect("a client");
    let body = details();
    let call = accord.inference().create_api_key().body(body);
    call.call().await.expect_err("502");
    assert_eq!(script.count("accord-retry-token"), 0);
}

#[tokio::test]
async fn a_list_is_requested_again_after_a_reset() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let script = Script::on(listener, |number, _| {
        (number > 0).then(|| (Duration::ZERO, organizations()))
    });
    let accord = Accord::builder()
        .base_url(address)
        .retry(crate::script::quick())
        .access_token("t")
        .build()
        .expect("a client");
    let listed = accord.accounts().list_organizations().call().await;
    assert_eq!(listed.expect("the second attempt succeeds").len(), 1);
    assert_eq!(script.requests().len(), 2);
}

#[tokio::test]
async fn a_service_that_is_too_slow_twice_is_not_asked_again() {
    let script = Script::serve(|_| (Duration::from_secs(3600), organizations())).await;
    let accord = client(&script)
        .timeout(Duration::from_secs(2))
        .access_token("t")
        .build()
        .expect("a client");
    let listed = accord.accounts().list_organizations().call();
    let listed = tokio::time::timeout(Duration::from_secs(60), listed);
    let error = listed.await.expect("it ends").expect_err("no response");
    assert!(explain(&error).contains("did not respond in time"));
    assert_eq!(script.requests().len(), 2);
}

#[tokio::test]
async fn an_outage_ends_the_retries_and_successes_resume_them() {
    static DOWN: AtomicUsize = AtomicUsize::new(1);
    let script = Script::serve(|_| match DOWN.load(Ordering::SeqCst) {
        0 => (Duration::ZERO, organizations()),
        _ => (Duration::ZERO, ("502 Bad Gateway", String::new())),
    })
    .await;
    let accord = client(&script)
        .retry_budget(4)
        .access_token("t")
        .build()
        .expect("a client");
    let list = async || accord.accounts().list_organizations().call().await;
    for _ in 0..10 {
        list().await.expect_err("it is down");
    }
    // Ten attempts, and four retries.
    assert_eq!(script.requests().len(), 14);
    DOWN.store(0, Ordering::SeqCst);
    for _ in 0..5 {
        list().await.expect("it is up");
    }
    DOWN.store(1, Ordering::SeqCst);
    list().await.expect_err("it is down");
    assert_eq!(script.requests().len(), 14 + 5 + 2);
}

#[tokio::test]
async fn single_calls_have_options_of_their_own() {
    let script = Script::start(vec![busy(), organizations()]).await;
    let accord = client(&script).access_token("t").build().expect("a client");
    let value = "7".parse().expect("a value");
    let options = CallOptions::new()
        .retry(RetryPolicy::never())
        // As long as it takes.
        .deadline(Duration::MAX)
        .stream_timeout(Duration::MAX)
        .header("x-ticket".parse().expect("a name"), value);
    let hasty = accord.with_options(&options);
    let error = hasty.accounts().list_organizations().call().await;
    let error = error.expect_err("it is busy");
    assert_eq!(error.status().map(|status| status.as_u16()), Some(503));
    // Its credentials are those of the other client, whose own options stay.
    list(&accord).await.expect("a list");
    assert_eq!(script.count("authorization: bearer t"), 2);
    assert_eq!(script.count("x-ticket: 7"), 1);
}

fn details() -> CreateApiKeyDetails {
    CreateApiKeyDetails::new(CreateApiKeyDetailsRequired {
        compartment_id: "c".to_owned(),
        display_name: "n".to_owned(),
        key_details: vec![KeyDetails::new("one")],
    })
}
