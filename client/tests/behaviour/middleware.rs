//! Code of a program around calls, or in place of the HTTP client.

use crate::script::{Script, client, list, login, organizations, remembered, tokens};
use accord_client::{
    Accord, BoxError, CallOptions, CredentialsError, Layer, Operation, OperationError, Pending,
    Transport, explain,
    reqwest::{self, Client, Request, Response, header::AUTHORIZATION},
};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What happened, in its order.
type Journal = Arc<Mutex<Vec<String>>>;

fn entries(journal: &Journal) -> Vec<String> {
    journal.lock().expect("no panic").clone()
}

/// Adds a header to each call, and notes the call.
struct Noting(&'static str, Journal);

impl Layer for Noting {
    fn prepare<'a>(
        &'a self,
        next: &'a dyn Transport,
        request: &'a mut Request,
        operation: &'static Operation,
    ) -> Pending<'a, Result<(), BoxError>> {
        let value = self.0.parse().expect("a value");
        request.headers_mut().insert("x-layer", value);
        next.prepare(request, operation)
    }

    fn send<'a>(
        &'a self,
        next: &'a dyn Transport,
        client: &'a Client,
        request: Request,
        operation: &'static Operation,
    ) -> Pending<'a, reqwest::Result<Response>> {
        let entry = format!("{} {}", self.0, operation.id);
        self.1.lock().expect("no panic").push(entry);
        next.send(client, request, operation)
    }
}

/// Changes nothing.
struct Idle;

impl Layer for Idle {}

#[tokio::test]
async fn layers_surround_calls_and_not_their_attempts() {
    let busy = ("502 Bad Gateway", String::new());
    let script = Script::start(vec![busy, organizations(), organizations()]).await;
    let journal = Journal::default();
    let accord = client(&script)
        .access_token("t")
        .layer(Noting("inner", Arc::clone(&journal)))
        .layer(Idle)
        .layer(Noting("outer", Arc::clone(&journal)))
        .build()
        .expect("a client");
    list(&accord).await.expect("a list");
    let calls = ["outer listOrganizations", "inner listOrganizations"];
    assert_eq!(entries(&journal), calls);
    // The inner layer has the last word about the header of both attempts.
    assert_eq!(script.count("x-layer: inner"), 2);
    assert_eq!(script.count("authorization: bearer t"), 2);
    // Clients with other options keep the layers.
    let accord = accord.with_options(&CallOptions::new().deadline(Duration::from_secs(9)));
    let raw = accord.request(
        reqwest::Method::GET,
        accord_client::Area::Accounts,
        "/user/organizations",
    );
    raw.send().await.expect("a response");
    assert_eq!(entries(&journal).len(), 4);
}

/// Refuses every call.
struct Closed;

impl Layer for Closed {
    fn prepare<'a>(
        &'a self,
        _next: &'a dyn Transport,
        _request: &'a mut Request,
        _operation: &'static Operation,
    ) -> Pending<'a, Result<(), BoxError>> {
        Box::pin(async { Err("there is no call at night".into()) })
    }
}

#[tokio::test]
async fn the_error_of_a_layer_ends_the_call_before_it_is_sent() {
    let script = Script::start(vec![organizations()]).await;
    let accord = client(&script).access_token("t").layer(Closed);
    let accord = accord.build().expect("a client");
    let error = accord.accounts().list_organizations().call().await;
    let error = error.expect_err("the layer refuses");
    assert!(CredentialsError::of(&error).is_none());
    assert_eq!(explain(&error), "there is no call at night");
    assert!(script.requests().is_empty());
}

/// Responds without a network.
#[derive(Debug)]
struct Canned(Journal);

impl Transport for Canned {
    fn send<'a>(
        &'a self,
        _client: &'a Client,
        request: Request,
        operation: &'static Operation,
    ) -> Pending<'a, reqwest::Result<Response>> {
        let token = request.headers().get(AUTHORIZATION);
        let token = token.and_then(|token| token.to_str().ok());
        assert!(request.timeout().is_some());
        let entry = format!("{} {}", operation.id, token.unwrap_or("nobody"));
        let mut journal = self.0.lock().expect("no panic");
        journal.push(entry);
        let (status, body) = match (operation.id, journal.len()) {
            ("createToken", _) => (200, tokens("a-2", "r-2", 3600).1),
            (_, 2) => (502, String::new()),
            _ => (200, organizations().1),
        };
        let response = http::Response::builder()
            .status(status)
            .header("content-type", "application/json")
            .body(body)
            .expect("a response");
        Box::pin(async { Ok(response.into()) })
    }
}

#[tokio::test]
async fn a_transport_sends_each_attempt_and_the_refreshes_of_a_login() {
    let script = Script::start(vec![]).await;
    let (_folder, file) = remembered(&login(&script, "a-1", "r-1", 3600, 60));
    let journal = Journal::default();
    let accord = client(&script)
        .token_file(file)
        .transport(Canned(Arc::clone(&journal)))
        .build()
        .expect("a client");
    let listed = accord.accounts().list_organizations().call().await;
    assert_eq!(listed.expect("a list").len(), 1);
    let attempt = "listOrganizations Bearer a-2";
    assert_eq!(entries(&journal), ["createToken nobody", attempt, attempt]);
    assert!(script.requests().is_empty());
}

/// Never responds.
#[derive(Debug)]
struct Silent;

impl Transport for Silent {
    fn send<'a>(
        &'a self,
        _client: &'a Client,
        _request: Request,
        _operation: &'static Operation,
    ) -> Pending<'a, reqwest::Result<Response>> {
        Box::pin(std::future::pending())
    }
}

#[tokio::test]
async fn a_transport_that_never_responds_cannot_outlast_the_timeout() {
    let accord = Accord::builder()
        .access_token("t")
        .transport(Silent)
        .timeout(Duration::from_millis(50))
        .build()
        .expect("a client");
    let listed = accord.accounts().list_organizations().call();
    let listed = tokio::time::timeout(Duration::from_secs(60), listed).await;
    let error = listed.expect("the call ends").expect_err("no response");
    assert!(error.is_retryable(), "{}", explain(&error));
}

/// Reads only short bodies.
#[derive(Debug)]
struct Short;

impl Transport for Short {
    fn max_body_bytes(&self) -> usize {
        20
    }
}

#[tokio::test]
async fn a_transport_limits_the_bodies_of_responses() {
    let script = Script::start(vec![organizations()]).await;
    let accord = client(&script).access_token("t").transport(Short);
    let accord = accord.layer(Idle).build().expect("a client");
    let listed = accord.accounts().list_organizations().call().await;
    let error = explain(&listed.expect_err("a large body"));
    assert!(error.contains("larger than 20 bytes"), "{error}");
}

#[tokio::test]
async fn a_builder_limits_the_bodies_of_responses_before_its_transport() {
    for (bytes, is_read) in [(30, false), (4096, true)] {
        let script = Script::start(vec![organizations()]).await;
        let accord = client(&script).access_token("t").transport(Short);
        let accord = accord.max_body_bytes(bytes).build().expect("a client");
        match accord.accounts().list_organizations().call().await {
            Ok(_) => assert!(is_read),
            Err(error) => {
                let error = explain(&error);
                assert!(
                    !is_read && error.contains("larger than 30 bytes"),
                    "{error}"
                );
            }
        }
    }
}
