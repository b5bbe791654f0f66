//! How the client treats a service: what it sends, what it repeats, how it logs in.
//!
//! The service is a script: each connection takes one request and gets the next answer.

use accord_client::{
    Accord, LoginError, OperationError, RetryPolicy, SecretString, TokenFile, accounts, explain,
};
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// A service that answers what it was told to, and remembers what it was asked.
struct Script {
    address: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Script {
    /// Answers in this order: status line and headers, and the body.
    async fn start(answers: Vec<(&'static str, String)>) -> Script {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        tokio::spawn(async move {
            let mut answers: VecDeque<_> = answers.into();
            while let Some((head, body)) = answers.pop_front() {
                let Ok((mut stream, _)) = listener.accept().await else {
                    return;
                };
                let request = read_request(&mut stream).await;
                seen.lock().expect("no panic").push(request);
                let length = body.len();
                let answer = format!(
                    "HTTP/1.1 {head}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
                );
                // A client that has hung up is the test's business.
                let _ = stream.write_all(answer.as_bytes()).await;
            }
        });
        Script { address, requests }
    }

    fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("no panic").clone()
    }
}

/// Head in small letters, and body.
async fn read_request(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let head = head.to_ascii_lowercase();
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: ")?.parse().ok())
                .unwrap_or(0);
            if body.len() >= length {
                return format!("{head}\n\n{body}");
            }
        }
        match stream.read(&mut piece).await {
            Ok(0) | Err(_) => return text,
            Ok(read) => bytes.extend_from_slice(&piece[..read]),
        }
    }
}

const JSON: &str = "200 OK\r\ncontent-type: application/json";

fn organizations() -> (&'static str, String) {
    (
        JSON,
        r#"[{"id":3104,"name":"North Works Ltd","tradingName":"North Works"}]"#.to_owned(),
    )
}

fn quick() -> RetryPolicy {
    RetryPolicy {
        first_wait: Duration::from_millis(1),
        ..RetryPolicy::default()
    }
}

fn client(script: &Script) -> accord_client::Builder {
    Accord::builder().base_url(&script.address).retry(quick())
}

fn user() -> accounts::types::CreateUserRequest {
    accounts::types::CreateUserRequest {
        hub_user: None,
        collab_users: None,
    }
}

#[tokio::test]
async fn a_list_is_asked_for_with_the_token_and_nothing_else() {
    let script = Script::start(vec![organizations()]).await;
    let accord = client(&script)
        .access_token("token-1")
        .build()
        .expect("a client");
    let all = accord
        .accounts()
        .list_organizations()
        .call()
        .await
        .expect("a list");
    assert_eq!(all[0].trading_name, "North Works");
    let request = &script.requests()[0];
    assert!(
        request.starts_with("get /api/user/organizations http/1.1"),
        "{request}"
    );
    assert!(
        request.contains("authorization: bearer token-1"),
        "{request}"
    );
    for absent in ["api-version", "content-type", "content-length"] {
        assert!(!request.contains(absent), "{absent} in {request}");
    }
}

#[tokio::test]
async fn an_optional_body_is_sent_when_it_is_given() {
    let script = Script::start(vec![organizations()]).await;
    let accord = client(&script).access_token("t").build().expect("a client");
    let body: serde_json::Map<_, _> = [("reason".to_owned(), "audit".into())]
        .into_iter()
        .collect();
    accord
        .accounts()
        .list_organizations()
        .body(body)
        .call()
        .await
        .expect("a list");
    let request = &script.requests()[0];
    assert!(
        request.contains("content-type: application/json"),
        "{request}"
    );
    assert!(request.ends_with(r#"{"reason":"audit"}"#), "{request}");
}

#[tokio::test]
async fn without_credentials_nothing_is_sent() {
    let script = Script::start(vec![organizations()]).await;
    let accord = client(&script).build().expect("a client");
    let error = accord
        .accounts()
        .list_organizations()
        .call()
        .await
        .expect_err("nobody is logged in");
    assert!(
        explain(&error).contains("nobody is logged in"),
        "{}",
        explain(&error)
    );
    let error = accord
        .inference()
        .list_models()
        .call()
        .await
        .expect_err("no key");
    assert!(
        explain(&error).contains("secret of an API key"),
        "{}",
        explain(&error)
    );
    assert!(script.requests().is_empty());
}

#[tokio::test]
async fn what_fails_for_the_moment_is_asked_again() {
    let busy = ("503 Service Unavailable\r\nretry-after: 0", String::new());
    let script = Script::start(vec![busy.clone(), busy, organizations()]).await;
    let accord = client(&script).access_token("t").build().expect("a client");
    accord
        .accounts()
        .list_organizations()
        .call()
        .await
        .expect("the third attempt is good");
    assert_eq!(script.requests().len(), 3);
}

#[tokio::test]
async fn what_is_not_idempotent_is_asked_once() {
    let busy = ("503 Service Unavailable", String::new());
    let script = Script::start(vec![busy.clone(), busy]).await;
    let accord = client(&script).access_token("t").build().expect("a client");
    let error = accord
        .accounts()
        .create_user()
        .body(user())
        .call()
        .await
        .expect_err("it is busy");
    assert_eq!(error.status().map(|status| status.as_u16()), Some(503));
    assert_eq!(script.requests().len(), 1);
}

#[tokio::test]
async fn a_retry_token_makes_a_post_repeatable() {
    let gone = ("204 No Content", String::new());
    let script = Script::start(vec![("502 Bad Gateway", String::new()), gone]).await;
    let accord = client(&script).access_token("t").build().expect("a client");
    let request = accord
        .inference()
        .change_api_key_compartment()
        .api_key_id("apikey.x.1")
        .accord_retry_token("r-1");
    let body = accord_client::inference::types::ChangeApiKeyCompartmentDetails {
        compartment_id: "c".to_owned(),
    };
    request
        .body(body)
        .call()
        .await
        .expect("the second attempt is good");
    let requests = script.requests();
    assert_eq!(requests.len(), 2);
    assert!(
        requests
            .iter()
            .all(|request| request.contains("accord-retry-token: r-1")),
        "{requests:?}"
    );
}

#[tokio::test]
async fn errors_have_the_type_of_their_status() {
    let refused = r#"{"error":"invalid_request","error_description":"no name"}"#.to_owned();
    let script = Script::start(vec![(
        "400 Bad Request\r\ncontent-type: application/json",
        refused,
    )])
    .await;
    let accord = client(&script).access_token("t").build().expect("a client");
    let error = accord
        .accounts()
        .create_user()
        .body(user())
        .call()
        .await
        .expect_err("it is refused");
    assert!(
        explain(&error).starts_with("invalid_request: no name"),
        "{}",
        explain(&error)
    );
    let accounts::CreateUserError::BadRequest(body) = error else {
        panic!("{error}")
    };
    assert_eq!(body.error_description, "no name");
}

#[tokio::test]
async fn a_caller_chooses_the_media_type() {
    let missing = ("500 Internal Server Error", String::new());
    let script = Script::start(vec![missing.clone(), missing]).await;
    let accord = client(&script).access_token("t").build().expect("a client");
    let request = || {
        accord
            .patterns()
            .get_pattern()
            .project_id("P")
            .id("A|1")
            .integration_instance("i")
    };
    let vendor =
        accord_client::patterns::types::GetPatternAccept::ApplicationVndAccordModelJsonTypeSingular;
    request().call().await.expect_err("500");
    request().accept(vendor).call().await.expect_err("500");
    let requests = script.requests();
    assert!(
        requests[0].contains("accept: application/json\n")
            || requests[0].contains("accept: application/json\r")
    );
    assert!(
        requests[1].contains("accept: application/vnd.accord.model+json;type=singular"),
        "{}",
        requests[1]
    );
    assert!(
        requests[0].starts_with(
            "get /ic/api/integration/v1/projects/p/ai/patterns/a%7c1?integrationinstance=i "
        ),
        "{}",
        requests[0]
    );
}

#[tokio::test]
async fn events_come_typed_and_the_request_asks_for_them() {
    use accord_client::inference::types::{
        ChatCompletionEvent, ChatCompletionRequest, ChatMessage,
    };
    use futures::StreamExt;
    let chunk = |text: &str| {
        format!(
            r#"data: {{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{{"index":0,"delta":{{"content":"{text}"}},"finish_reason":null}}]}}"#
        )
    };
    let body = format!("{}\n\n{}\n\ndata: [DONE]\n\n", chunk("Hel"), chunk("lo"));
    let script = Script::start(vec![("200 OK\r\ncontent-type: text/event-stream", body)]).await;
    let accord = client(&script).api_key("sk-1").build().expect("a client");
    let message = ChatMessage::builder()
        .role("user")
        .content(Some("Hi".into()));
    let message = ChatMessage::try_from(message).expect("a message");
    let request = ChatCompletionRequest::builder()
        .model("m")
        .messages(vec![message]);
    let events = accord
        .inference()
        .create_chat_completion_stream()
        .body(request)
        .call()
        .await
        .expect("a stream");
    let texts: Vec<String> = events
        .map(|event| match event.expect("a good event") {
            ChatCompletionEvent::ChatCompletionChunk(chunk) => {
                chunk.choices[0].delta.content.clone().unwrap_or_default()
            }
            other => panic!("{other:?}"),
        })
        .collect()
        .await;
    assert_eq!(texts, ["Hel", "lo"]);
    let request = &script.requests()[0];
    assert!(request.contains("accept: text/event-stream"), "{request}");
    assert!(request.contains(r#""stream":true"#), "{request}");
    assert!(request.contains("authorization: bearer sk-1"), "{request}");
}

fn pending() -> (&'static str, String) {
    (
        JSON,
        r#"{"device_code":"d-1","user_code":"KLMRTVWX","verification_uri":"http://id.example/ui","expires_in":60,"interval":0}"#
            .to_owned(),
    )
}

fn refusal(code: &str) -> (&'static str, String) {
    let body = format!(r#"{{"error":"{code}","error_description":"words"}}"#);
    ("400 Bad Request\r\ncontent-type: application/json", body)
}

fn tokens(access: &str, refresh: &str, seconds: u32) -> (&'static str, String) {
    (
        JSON,
        format!(
            r#"{{"access_token":"{access}","token_type":"Bearer","expires_in":{seconds},"scope":"accounts.read","refresh_token":"{refresh}"}}"#
        ),
    )
}

#[tokio::test]
async fn a_login_waits_for_the_approval_and_is_remembered() {
    let script = Script::start(vec![
        pending(),
        refusal("authorization_pending"),
        tokens("a-1", "r-1", 3600),
        organizations(),
    ])
    .await;
    let folder = tempfile::tempdir().expect("a directory");
    let file = TokenFile::at(folder.path().join("login.json"));
    let accord = client(&script)
        .token_file(file.clone())
        .build()
        .expect("a client");
    let mut shown = String::new();
    let scopes = ["accounts.read", "offline_access"];
    accord
        .login("accord-cli", &scopes, |prompt| {
            shown = prompt.user_code.clone()
        })
        .await
        .expect("a login");
    assert_eq!(shown, "KLMRTVWX");
    // Another process finds it.
    let other = client(&script).token_file(file).build().expect("a client");
    other
        .accounts()
        .list_organizations()
        .call()
        .await
        .expect("a list");
    let requests = script.requests();
    assert!(
        requests[0].ends_with("response_type=device_code&scope=accounts.read+offline_access")
            || requests[0].contains("scope=accounts.read+offline_access"),
        "{}",
        requests[0]
    );
    assert!(requests[1].contains("device_code=d-1"), "{}", requests[1]);
    assert!(
        requests[3].contains("authorization: bearer a-1"),
        "{}",
        requests[3]
    );
}

#[tokio::test]
async fn a_denied_or_expired_login_says_so() {
    for (code, wanted) in [("access_denied", "denied"), ("expired_token", "expired")] {
        let script = Script::start(vec![pending(), refusal(code)]).await;
        let accord = client(&script).build().expect("a client");
        let error = accord
            .login("accord-cli", &[], |_| {})
            .await
            .expect_err(code);
        assert!(error.to_string().contains(wanted), "{error}");
        assert!(matches!(error, LoginError::Denied | LoginError::Expired));
    }
}

#[tokio::test]
async fn a_token_about_to_expire_is_refreshed_first() {
    let script = Script::start(vec![
        pending(),
        tokens("a-1", "r-1", 1),
        tokens("a-2", "r-2", 3600),
        organizations(),
    ])
    .await;
    let folder = tempfile::tempdir().expect("a directory");
    let file = TokenFile::at(folder.path().join("login.json"));
    let accord = client(&script)
        .token_file(file.clone())
        .build()
        .expect("a client");
    accord
        .login("accord-cli", &["offline_access"], |_| {})
        .await
        .expect("a login");
    accord
        .accounts()
        .list_organizations()
        .call()
        .await
        .expect("a list");
    let requests = script.requests();
    assert!(
        requests[2].contains("grant_type=refresh_token")
            && requests[2].contains("refresh_token=r-1"),
        "{}",
        requests[2]
    );
    assert!(
        requests[3].contains("authorization: bearer a-2"),
        "{}",
        requests[3]
    );
    let remembered = file.read().expect("it can be read").expect("a login");
    let refresh: SecretString = remembered.refresh_token.expect("a refresh token");
    assert_eq!(secrecy::ExposeSecret::expose_secret(&refresh), "r-2");
}

#[tokio::test]
async fn a_refused_token_is_refreshed_once() {
    let unauthorized = || {
        let body = r#"{"error":"invalid_token","error_description":"expired"}"#.to_owned();
        ("401 Unauthorized\r\ncontent-type: application/json", body)
    };
    let script = Script::start(vec![
        pending(),
        tokens("a-1", "r-1", 3600),
        unauthorized(),
        tokens("a-2", "r-2", 3600),
        unauthorized(),
        organizations(),
    ])
    .await;
    let accord = client(&script).build().expect("a client");
    accord
        .login("accord-cli", &["offline_access"], |_| {})
        .await
        .expect("a login");
    let error = accord
        .accounts()
        .list_organizations()
        .call()
        .await
        .expect_err("refused twice");
    assert_eq!(error.status().map(|status| status.as_u16()), Some(401));
    let requests = script.requests();
    assert_eq!(requests.len(), 5);
    assert!(
        requests[4].contains("authorization: bearer a-2"),
        "{}",
        requests[4]
    );
}

#[tokio::test]
async fn an_unreachable_service_says_what_to_look_at() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    let accord = Accord::builder()
        .base_url(address)
        .retry(RetryPolicy::never())
        .access_token("t")
        .build();
    let error = accord
        .expect("a client")
        .accounts()
        .list_organizations()
        .call()
        .await
        .expect_err("nobody is there");
    assert!(
        explain(&error).contains("cannot be reached; is the service running"),
        "{}",
        explain(&error)
    );
}
