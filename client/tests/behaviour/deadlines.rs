//! One deadline for everything that a call does.

use crate::script::{Response, Script, client, login, organizations, remembered, tokens};
use accord_client::{
    Builder, OperationError, RetryPolicy, accounts::ListOrganizationsError, explain,
};
use std::time::{Duration, Instant};

/// The maximum wait of a test: far more than the deadline of a call, and far less than an attempt may take.
const SOON: Duration = Duration::from_secs(60);

/// The delay of a service that does not respond.
const NEVER: Duration = Duration::from_secs(3600);

fn unauthorized() -> Response {
    let body = r#"{"error":"invalid_token","error_description":"expired"}"#;
    let head = "401 Unauthorized\r\ncontent-type: application/json";
    (head, body.to_owned())
}

/// The error of a call with a deadline of six seconds.
async fn failure(builder: Builder) -> ListOrganizationsError {
    let deadline = Duration::from_secs(6);
    let accord = builder.deadline(deadline).build().expect("a client");
    let called = accord.accounts().list_organizations().call();
    let outcome = tokio::time::timeout(SOON, called).await;
    outcome
        .expect("the call ends at its deadline")
        .expect_err("no response came in time")
}

fn is_timeout(error: &ListOrganizationsError) -> bool {
    explain(error).contains("did not respond in time")
}

#[tokio::test]
async fn a_first_attempt_ends_at_the_deadline_of_its_call() {
    let script = Script::serve(|_| (NEVER, organizations())).await;
    let error = failure(client(&script).access_token("t")).await;
    assert!(is_timeout(&error), "{}", explain(&error));
    assert_eq!(script.requests().len(), 1);
}

#[tokio::test]
async fn an_attempt_with_a_renewed_login_ends_at_the_deadline_of_its_call() {
    let script = Script::serve(|request| match request {
        _ if request.contains("grant_type") => (Duration::ZERO, tokens("a-2", "r-2", 3600)),
        _ if request.contains("bearer a-1") => (Duration::ZERO, unauthorized()),
        _ => (NEVER, organizations()),
    })
    .await;
    let (_folder, file) = remembered(&login(&script, "a-1", "r-1", 60, 3600));
    let error = failure(client(&script).token_file(file)).await;
    assert!(is_timeout(&error), "{}", explain(&error));
    assert_eq!(script.count("authorization: bearer a-2"), 1);
}

#[tokio::test]
async fn a_renewal_ends_at_the_deadline_of_the_call_that_waits_for_it() {
    let script = Script::serve(|request| match request.contains("grant_type") {
        true => (NEVER, tokens("a-2", "r-2", 3600)),
        false => (Duration::ZERO, unauthorized()),
    })
    .await;
    let (_folder, file) = remembered(&login(&script, "a-1", "r-1", 60, 3600));
    let error = failure(client(&script).token_file(file)).await;
    // The status 401 arrives before the deadline, and its body is read after it. So either may be the error.
    let is_refusal = error.status().map(|status| status.as_u16()) == Some(401);
    assert!(is_refusal || is_timeout(&error), "{}", explain(&error));
    assert_eq!(script.count("grant_type"), 1);
}

#[tokio::test]
async fn a_refresh_ends_at_the_deadline_of_the_call_that_waits_for_it() {
    let script = Script::serve(|_| (NEVER, tokens("a-2", "r-2", 3600))).await;
    let (_folder, file) = remembered(&login(&script, "a-1", "r-1", 3600, 60));
    let error = explain(&failure(client(&script).token_file(file)).await);
    assert!(error.contains("login"), "{error}");
    assert_eq!(script.count("authorization: bearer"), 0);
}

#[tokio::test]
async fn an_attempt_that_would_begin_after_the_deadline_is_not_made() {
    let busy = || -> Response { ("503 Service Unavailable\r\nretry-after: 15", String::new()) };
    let script = Script::serve(move |_| (Duration::ZERO, busy())).await;
    let began = Instant::now();
    let patient = RetryPolicy::default();
    let error = failure(client(&script).access_token("t").retry(patient)).await;
    assert_eq!(error.status().map(|status| status.as_u16()), Some(503));
    assert_eq!(script.requests().len(), 1);
    assert!(began.elapsed() < Duration::from_secs(15));
}
