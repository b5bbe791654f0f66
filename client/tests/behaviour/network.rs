//! What a program brings itself: the HTTP client, a proxy, a subscriber of traces, requests of its own.

use crate::command::{command, stderr};
use crate::script::{JSON, Script, client, list, login, organizations, remembered, tokens};
use accord_client::{
    Accord, Area, CredentialKind, OperationError, RetryPolicy, explain,
    reqwest::{
        self, Method, StatusCode,
        header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue},
    },
};
use serde_json::json;
use std::{
    io,
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::net::TcpListener;
use tracing_subscriber::fmt::{MakeWriter, format::FmtSpan};

#[tokio::test]
async fn requests_are_sent_with_the_http_client_of_the_program() {
    let script = Script::start(vec![organizations()]).await;
    let http = reqwest::Client::builder().user_agent("my-program/1");
    let accord = client(&script)
        .http(http)
        .expect("an HTTP client")
        .access_token("t")
        .build()
        .expect("a client");
    list(&accord).await.expect("a list");
    assert_eq!(script.count("user-agent: my-program/1"), 1);
}

#[tokio::test]
async fn the_http_client_of_the_program_follows_no_redirect() {
    let moved = "307 Temporary Redirect\r\nlocation: /elsewhere";
    let script = Script::start(vec![(moved, String::new()), organizations()]).await;
    let accord = client(&script).http(reqwest::Client::builder());
    let accord = accord.expect("an HTTP client").access_token("t").build();
    let accord = accord.expect("a client");
    let listed = accord.accounts().list_organizations().call().await;
    assert_eq!(
        listed.expect_err("a redirect").status(),
        Some(StatusCode::TEMPORARY_REDIRECT)
    );
    assert_eq!(script.requests().len(), 1);
}

#[tokio::test]
async fn requests_are_sent_through_the_proxy_of_the_program() {
    let script = Script::start(vec![organizations()]).await;
    let proxy = reqwest::Proxy::all(&script.address).expect("an address");
    let builder = Accord::builder()
        .base_url("http://accord.example")
        .allow_http()
        .proxy(proxy.basic_auth("user", "very-secret"))
        .access_token("t");
    assert!(!format!("{builder:?}").contains("very-secret"));
    let accord = builder.build().expect("a client");
    list(&accord).await.expect("a list");
    let request = &script.requests()[0];
    assert!(
        request.starts_with("get http://accord.example/api/user/organizations "),
        "{request}"
    );
}

#[tokio::test]
async fn the_proxy_of_the_environment_gets_no_request_to_this_machine() {
    let proxy = Script::serve(|_| (Duration::ZERO, organizations())).await;
    let local = Script::serve(|request| {
        let response = match request.contains("/models") {
            true => (JSON, r#"{"object":"list","data":[]}"#.to_owned()),
            false => organizations(),
        };
        (Duration::ZERO, response)
    })
    .await;
    let run = async |url: &str, arguments: &[&str]| {
        let mut command = command(url);
        command
            .env("HTTP_PROXY", &proxy.address)
            .env_remove("NO_PROXY")
            .env_remove("no_proxy");
        command.args(["--token", "t", "--api-key", "sk-1", "--allow-http"]);
        let output = command.args(arguments).output().await.expect("it runs");
        assert!(output.status.success(), "{}", stderr(&output));
    };
    let remote = "http://accord.example";
    run(&local.address, &["orgs"]).await;
    run(remote, &["--inference-url", &local.address, "models"]).await;
    assert_eq!(local.requests().len(), 2);
    assert!(proxy.requests().is_empty());
    // Other machines are reached through the proxy.
    run(remote, &["orgs"]).await;
    assert_eq!(proxy.count("authorization: bearer t"), 1);
}

#[tokio::test]
async fn credentials_go_unencrypted_to_another_machine_only_if_it_is_allowed() {
    let script = Script::start(vec![organizations()]).await;
    let run = async |allowed: &str| {
        let mut command = command("http://accord.example");
        command.env("HTTP_PROXY", &script.address);
        command
            .env("ACCORD_TOKEN", "t")
            .env("ACCORD_ALLOW_HTTP", allowed);
        command.arg("orgs").output().await.expect("it runs")
    };
    let refused = run("").await;
    assert_eq!(refused.status.code(), Some(1));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("add --allow-http"), "{said}");
    assert!(script.requests().is_empty());
    assert!(run("1").await.status.success());
    assert_eq!(script.count("authorization: bearer t"), 1);
}

#[tokio::test]
async fn a_raw_request_has_the_credential_and_the_retries_of_its_operation() {
    let busy = ("502 Bad Gateway", String::new());
    let done = ("201 Created", "{}".to_owned());
    let script = Script::start(vec![busy, done.clone(), done.clone(), done]).await;
    let accord = client(&script)
        .access_token("t")
        .api_key("sk-1")
        .build()
        .expect("a client");
    let move_key = "/apikeys/apikey.x.1/actions/changeCompartment";
    let response = accord
        .request(Method::POST, Area::Inference, move_key)
        // The operation's own.
        .credential(CredentialKind::AccessToken)
        .json(&json!({"compartmentId": "c"}))
        .send();
    assert_eq!(response.await.expect("a response").status(), 201);
    assert_eq!(script.count("accord-retry-token"), 2);
    assert_eq!(script.count("authorization: bearer t"), 2);
    let models = accord.request(Method::GET, Area::Inference, "actions/v1/models");
    models.send().await.expect("a response");
    assert_eq!(script.count("authorization: bearer sk-1"), 1);
    // An operation of tomorrow.
    let response = accord
        .request(Method::POST, Area::Inference, "/actions/v1/embeddings")
        .credential(CredentialKind::ApiKey)
        .query(&[("dry", true)])
        .header(
            "x-own".parse().expect("a name"),
            HeaderValue::from_static("1"),
        )
        .body("text")
        .send();
    assert_eq!(response.await.expect("a response").status(), 201);
    let request = &script.requests()[3];
    assert!(
        request.starts_with("post /20231130/actions/v1/embeddings?dry=true "),
        "{request}"
    );
    for part in ["authorization: bearer sk-1", "x-own: 1", "\n\ntext"] {
        assert!(request.contains(part), "{part} is not in {request}");
    }
}

#[tokio::test]
async fn a_raw_request_does_not_print_its_secrets() {
    let script = Script::start(vec![("200 OK", "{}".to_owned())]).await;
    let accord = client(&script).build().expect("a client");
    let secret = HeaderValue::from_static("Bearer very-secret");
    let text = HeaderValue::from_static("text/plain");
    let request = accord
        .request(Method::POST, Area::Identity, "/token?code=very-secret")
        .credential(CredentialKind::None)
        .json(&json!({"refresh_token": "very-secret"}))
        .header(AUTHORIZATION, secret)
        .header(CONTENT_TYPE, text);
    assert!(!format!("{request:?}").contains("very-secret"));
    request.send().await.expect("a response");
    assert_eq!(script.count("authorization: bearer very-secret"), 1);
    // The second value replaces the first.
    assert_eq!(script.count("content-type: "), 1);
    assert_eq!(script.count("content-type: text/plain"), 1);
}

#[tokio::test]
async fn an_error_without_a_response_has_its_cause_and_no_query() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    // Each connection is closed without a response.
    let script = Script::on(listener, |_, _| None);
    let accord = client(&script).retry(RetryPolicy::never()).build();
    let accord = accord.expect("a client");
    let request = accord
        .request(Method::POST, Area::Identity, "/token?code=very-secret")
        .credential(CredentialKind::None);
    let error = request.send().await.expect_err("no response");
    let said = explain(&error);
    let begin = "the connection failed before the response (";
    assert!(said.starts_with(begin), "{said}");
    let printed = format!("{said} {error} {error:?}");
    assert!(printed.contains("/token"), "{printed}");
    assert!(!printed.contains("very-secret"), "{printed}");
    assert_eq!(script.count("code=very-secret"), 1);
}

#[tokio::test]
async fn a_raw_request_without_a_credential_says_what_is_missing() {
    let script = Script::start(vec![]).await;
    let accord = client(&script).build().expect("a client");
    let request = accord.request(Method::GET, Area::Accounts, "/user/organizations");
    let error = request.send().await.expect_err("nobody is logged in");
    assert!(error.to_string().contains("nobody is logged in"), "{error}");
    assert!(script.requests().is_empty());
}

/// What a subscriber has written.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl io::Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic").extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Written {
    type Writer = Self;
    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

impl Written {
    fn text(&self) -> String {
        let bytes = self.0.lock().expect("no panic").clone();
        String::from_utf8(bytes).expect("text")
    }

    /// Writes what this thread does, until the guard is dropped.
    fn of_this_thread() -> (Written, Guard) {
        // With a single subscriber, the first thread that reaches a span decides for all threads whether it is enabled.
        let _second = tracing::Dispatch::new(tracing_subscriber::registry());
        let written = Written::default();
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(tracing::Level::DEBUG)
            .with_span_events(FmtSpan::CLOSE)
            .with_ansi(false)
            .with_writer(written.clone())
            .finish();
        let _default = tracing::subscriber::set_default(subscriber);
        (written, Guard { _default, _second })
    }
}

/// Keeps both subscribers.
struct Guard {
    _default: tracing::subscriber::DefaultGuard,
    _second: tracing::Dispatch,
}

#[tokio::test]
async fn the_events_of_a_refresh_have_no_secrets() {
    let (written, guard) = Written::of_this_thread();
    let script = Script::start(vec![
        ("503 Service Unavailable", String::new()),
        tokens("very-secret-2", "very-secret-b", 3600),
        organizations(),
    ])
    .await;
    let (_folder, file) = remembered(&login(&script, "very-secret-1", "very-secret-a", 3600, 60));
    let builder = client(&script).token_file(file);
    let impatient = builder.clone().retry(RetryPolicy::never()).build();
    let impatient = impatient.expect("a client");
    let listed = impatient.accounts().list_organizations().call().await;
    listed.expect_err("no token");
    let accord = builder.build().expect("a client");
    list(&accord).await.expect("a list");
    drop(guard);
    let text = written.text();
    for part in [
        "the login is being refreshed",
        "the refresh of the login failed",
        "503",
        "the login has a new access token",
    ] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
    assert!(!text.contains("very-secret"), "{text}");
}

#[tokio::test]
async fn the_span_of_a_call_has_its_operation_and_the_id_of_its_request() {
    let (written, guard) = Written::of_this_thread();
    let (_, body) = organizations();
    let head = "200 OK\r\ncontent-type: application/json\r\naccord-request-id: r-7";
    let script = Script::start(vec![("502 Bad Gateway", String::new()), (head, body)]).await;
    let accord = client(&script)
        .access_token("very-secret")
        .build()
        .expect("a client");
    list(&accord).await.expect("a list");
    drop(guard);
    let text = written.text();
    for part in [
        "operation=\"listOrganizations\"",
        "http.route=\"/user/organizations\"",
        "http.response.status_code=200",
        "request_id=\"r-7\"",
        "attempts=2",
        "the request is repeated",
    ] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
    assert!(!text.contains("very-secret"), "{text}");
}
