//! A credential is sent to the service that it is for, and to no other.

use crate::command::{command, stderr};
use crate::script::{
    Response, Script, client, list, login, organizations, refusal, remembered, tokens, with_file,
};
use accord_client::{
    Area, BoxError, CallOptions, CredentialKind, CredentialsError, OperationError, Pending,
    RetryPolicy, SecretString, TokenSource, concerns_credentials, reqwest::Method,
};
use std::time::Duration;

/// The response to a token that the service rejects: `challenge` follows the realm, and `code` is the error.
fn refused(challenge: &str, code: &str) -> Response {
    let head = format!(
        "401 Unauthorized\r\ncontent-type: application/json\r\nwww-authenticate: Bearer realm=\"accord\"{challenge}"
    );
    let body = format!(r#"{{"error":"{code}","error_description":"words"}}"#);
    (head.leak(), body)
}

const INVALID: &str = ", error=\"invalid_token\"";

/// The response of the inference area to an invalid API key.
fn invalid_api_key() -> Response {
    let body =
        r#"{"error":{"message":"no","type":"invalid_request_error","code":"invalid_api_key"}}"#;
    let head = "401 Unauthorized\r\ncontent-type: application/json";
    (head, body.to_owned())
}

#[tokio::test]
async fn a_refused_api_key_is_not_replaced_by_the_login() {
    let models = Script::start(vec![invalid_api_key(), invalid_api_key()]).await;
    let script = Script::start(vec![organizations(), tokens("a-2", "r-2", 3600)]).await;
    let (_folder, file) = remembered(&login(&script, "a-1", "r-1", 60, 3600));
    let accord = client(&script)
        .inference_url(&models.address)
        .api_key("sk-revoked")
        .token_file(file)
        .build()
        .expect("a client");
    list(&accord).await.expect("a list");
    let error = accord.inference().list_models().call().await;
    let error = error.expect_err("the key is revoked");
    assert_eq!(error.status().map(|status| status.as_u16()), Some(401));
    assert_eq!(models.requests().len(), 1);
    assert_eq!(models.count("authorization: bearer sk-revoked"), 1);
    assert_eq!(script.count("grant_type"), 0);
}

#[tokio::test]
async fn the_command_says_what_to_do_about_an_invalid_api_key() {
    let script = Script::start(vec![invalid_api_key()]).await;
    let mut command = command(&script.address);
    let output = command.env("ACCORD_API_KEY", "sk-1").arg("models").output();
    let output = output.await.expect("it runs");
    assert_eq!(output.status.code(), Some(3));
    let said = stderr(&output);
    assert!(said.contains("hint: is the secret ACTIVE?"), "{said}");
}

#[tokio::test]
async fn a_refused_token_that_was_given_is_not_replaced_by_the_login() {
    let no = || refused(INVALID, "invalid_token");
    let script = Script::start(vec![no(), no(), no()]).await;
    let (_folder, file) = remembered(&login(&script, "a-1", "r-1", 60, 3600));
    let accord = client(&script)
        .access_token("given")
        .token_file(file)
        .build()
        .expect("a client");
    let known = accord.remembered_login().await.expect("it can be read");
    assert!(known.is_some());
    let error = accord.accounts().list_organizations().call().await;
    let error = error.expect_err("the token is refused");
    assert_eq!(error.status().map(|status| status.as_u16()), Some(401));
    assert_eq!(script.requests().len(), 1);
}

#[tokio::test]
async fn a_lack_of_privilege_costs_no_refresh() {
    for (challenge, code) in [
        ("", "access_denied"),
        (
            ", error=\"insufficient_scope\", scope=\"a\"",
            "access_denied",
        ),
    ] {
        let no = || refused(challenge, code);
        let script = Script::start(vec![no(), tokens("a-2", "r-2", 3600), no()]).await;
        let (_folder, file) = remembered(&login(&script, "a-1", "r-1", 60, 3600));
        let accord = with_file(&script, &file);
        let error = accord.accounts().list_organizations().call().await;
        error.expect_err("it is refused");
        assert_eq!(script.requests().len(), 1, "{challenge}");
    }
}

#[tokio::test]
async fn a_new_token_that_is_refused_is_not_refreshed() {
    let no = || refused(INVALID, "invalid_token");
    let script = Script::start(vec![no(), tokens("a-2", "r-2", 3600), no()]).await;
    let (_folder, file) = remembered(&login(&script, "a-1", "r-1", 5, 3600));
    let accord = with_file(&script, &file);
    let error = accord.accounts().list_organizations().call().await;
    error.expect_err("it is refused");
    assert_eq!(script.requests().len(), 1);
}

#[tokio::test]
async fn callers_with_a_refused_token_share_its_successor() {
    let script = Script::serve(|request| {
        let response = if request.contains("grant_type") {
            tokens("a-2", "r-2", 3600)
        } else if request.contains("bearer a-1") {
            refused(INVALID, "invalid_token")
        } else {
            organizations()
        };
        (Duration::from_millis(50), response)
    })
    .await;
    let (_folder, file) = remembered(&login(&script, "a-1", "r-1", 60, 3600));
    let accord = with_file(&script, &file);
    let calls = (0..6).map(|_| accord.accounts().list_organizations().call());
    for listed in futures::future::join_all(calls).await {
        listed.expect("a list");
    }
    assert_eq!(script.count("grant_type"), 1);
    assert_eq!(script.count("authorization: bearer a-2"), 6);
}

#[tokio::test]
async fn a_request_does_not_print_its_secrets() {
    let script = Script::start(vec![]).await;
    let accord = client(&script).build().expect("a client");
    let body = accord_client::identity::types::TokenRequest::new("refresh_token")
        .refresh_token(accord_client::Secret::from("very-secret"));
    let request = accord.identity().create_token().body(body);
    let printed = format!("{request:?}");
    assert!(printed.contains("refresh_token"), "{printed}");
    assert!(!printed.contains("very-secret"), "{printed}");
}

#[tokio::test]
async fn a_confidential_client_identifies_itself() {
    let inactive = (
        "200 OK\r\ncontent-type: application/json",
        r#"{"active":false}"#.to_owned(),
    );
    let script = Script::start(vec![inactive, organizations()]).await;
    let accord = client(&script)
        .client_credentials("robot", "s:1")
        .access_token("given")
        .build()
        .expect("a client");
    let request = accord_client::identity::types::IntrospectionRequest::new("t-1");
    let response = accord
        .identity()
        .introspect_token()
        .body(request)
        .call()
        .await;
    response.expect("a response");
    list(&accord).await.expect("a list");
    // Base64 of `robot:s%3A1`, in lower case like all recorded requests.
    assert_eq!(script.count("authorization: basic cm9ib3q6cyuzqte="), 1);
    assert_eq!(script.count("authorization: bearer given"), 1);
}

#[tokio::test]
async fn single_calls_have_credentials_of_their_own() {
    let script = Script::serve(|_| (Duration::ZERO, organizations())).await;
    let (_folder, file) = remembered(&login(&script, "a-1", "r-1", 0, 3600));
    let accord = client(&script).api_key("sk-1").token_file(file);
    let accord = accord.build().expect("a client");
    let options = CallOptions::new().access_token("a-own").api_key("sk-own");
    assert!(!format!("{options:?}").contains("own"));
    let own = accord.with_options(&options);
    let key_alone = accord.with_options(&CallOptions::new().api_key("sk-own"));
    for (accord, token, secret) in [
        (&own, "a-own", "sk-own"),
        (&key_alone, "a-1", "sk-own"),
        (&accord, "a-1", "sk-1"),
    ] {
        let before = (
            script.count(&format!("bearer {token}")),
            script.count(&format!("bearer {secret}")),
        );
        list(accord).await.expect("a list");
        let models = accord.request(Method::GET, Area::Inference, "/actions/v1/models");
        models.send().await.expect("a response");
        assert_eq!(script.count(&format!("bearer {token}")), before.0 + 1);
        assert_eq!(script.count(&format!("bearer {secret}")), before.1 + 1);
    }
}

/// A source without tokens.
struct Empty;

impl TokenSource for Empty {
    fn token<'a>(
        &'a self,
        _refused: Option<&'a SecretString>,
    ) -> Pending<'a, Result<SecretString, BoxError>> {
        Box::pin(async { Err("the vault is sealed".into()) })
    }
}

#[tokio::test]
async fn a_missing_credential_is_an_error_of_its_own_type() {
    let busy = || ("503 Service Unavailable", String::new());
    let script = Script::serve(move |request| {
        let response = match request.contains("refresh_token=r-1") {
            true => refusal("invalid_grant"),
            false => busy(),
        };
        (Duration::ZERO, response)
    })
    .await;
    let builder = || client(&script).retry(RetryPolicy::never());
    let (_a, ended) = remembered(&login(&script, "a-1", "r-1", 3600, 60));
    let (_b, failing) = remembered(&login(&script, "a-2", "r-2", 3600, 60));
    for (builder, expected) in [
        (builder(), "NotLoggedIn"),
        (builder().token_source(Empty), "TokenSource"),
        (builder().access_token("a\nb"), "Invalid"),
        (builder().token_file(ended), "LoginEnded"),
        (builder().token_file(failing), "Refresh"),
    ] {
        let accord = builder.build().expect("a client");
        let error = accord.accounts().list_organizations().call().await;
        let error = error.expect_err(expected);
        let reason = CredentialsError::of(&error).expect(expected);
        assert!(format!("{reason:?}").starts_with(expected), "{reason:?}");
        let needs_login = matches!(expected, "NotLoggedIn" | "LoginEnded");
        assert_eq!(reason.needs_login(), needs_login);
        assert_eq!(reason.is_transient(), expected == "Refresh");
        assert!(concerns_credentials(&error), "{expected}");
        assert_eq!(error.status(), None);
    }
    let accord = builder().build().expect("a client");
    let error = accord.inference().list_models().call().await;
    let error = error.expect_err("no API key");
    let reason = CredentialsError::of(&error);
    assert!(
        matches!(reason, Some(CredentialsError::NoApiKey { .. })),
        "{reason:?}"
    );
    let request = accord.request(Method::POST, Area::Identity, "/tomorrow");
    let sent = request.credential(CredentialKind::Client).send().await;
    let error = sent.expect_err("no credentials");
    let reason = CredentialsError::of(&error);
    assert!(
        matches!(reason, Some(CredentialsError::NoClientCredentials { .. })),
        "{reason:?}"
    );
    // Only the two refresh tokens were sent.
    assert_eq!(script.requests().len(), 2);
}
