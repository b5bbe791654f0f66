//! Access tokens of a program's own.

use crate::script::{JSON, Response, Script, client, list, login, organizations, remembered};
use accord_client::{BoxError, OperationError, Pending, SecretString, TokenSource, explain};
use secrecy::ExposeSecret;
use std::sync::{Arc, Mutex};

/// Tokens that are given out in turn; the last one remains.
#[derive(Clone)]
struct Turn {
    tokens: Arc<Mutex<Vec<&'static str>>>,
    refused: Arc<Mutex<Vec<String>>>,
}

impl Turn {
    fn of(tokens: &[&'static str]) -> Self {
        Self {
            tokens: Arc::new(Mutex::new(tokens.iter().rev().copied().collect())),
            refused: Arc::default(),
        }
    }

    fn refused(&self) -> Vec<String> {
        self.refused.lock().expect("no panic").clone()
    }
}

impl TokenSource for Turn {
    fn token<'a>(
        &'a self,
        refused: Option<&'a SecretString>,
    ) -> Pending<'a, Result<SecretString, BoxError>> {
        Box::pin(async move {
            tokio::task::yield_now().await;
            let mut tokens = self.tokens.lock().expect("no panic");
            if let Some(refused) = refused {
                let mut all = self.refused.lock().expect("no panic");
                all.push(refused.expose_secret().to_owned());
                if tokens.len() > 1 {
                    tokens.pop();
                }
            }
            let token = tokens.last().ok_or("the vault is sealed")?;
            Ok((*token).into())
        })
    }
}

fn unauthorized(error: &str) -> Response {
    let head = format!(
        "401 Unauthorized\r\ncontent-type: application/json\r\nwww-authenticate: Bearer error=\"{error}\""
    );
    let body = format!(r#"{{"error":"{error}","error_description":"words"}}"#);
    (head.leak(), body)
}

#[tokio::test]
async fn a_source_gives_another_token_when_the_service_refuses_one() {
    let script = Script::start(vec![
        unauthorized("invalid_token"),
        organizations(),
        organizations(),
    ])
    .await;
    let source = Turn::of(&["t-1", "t-2"]);
    // The client prefers the source to a login.
    let (_folder, file) = remembered(&login(&script, "a-1", "r-1", 0, 3600));
    let accord = client(&script)
        .token_source(source.clone())
        .token_file(file)
        .build()
        .expect("a client");
    for _ in 0..2 {
        list(&accord).await.expect("a list");
    }
    assert_eq!(source.refused(), ["t-1"]);
    assert_eq!(script.count("authorization: bearer t-1"), 1);
    assert_eq!(script.count("authorization: bearer t-2"), 2);
}

#[tokio::test]
async fn a_source_without_another_token_leaves_the_response_to_the_caller() {
    let script = Script::start(vec![unauthorized("invalid_token"), organizations()]).await;
    let source = Turn::of(&["t-1"]);
    let accord = client(&script).token_source(source.clone());
    let accord = accord.build().expect("a client");
    let error = accord.accounts().list_organizations().call().await;
    let error = error.expect_err("the token is refused");
    assert_eq!(error.status().map(|status| status.as_u16()), Some(401));
    assert_eq!(source.refused(), ["t-1"]);
    assert_eq!(script.requests().len(), 1);
}

#[tokio::test]
async fn a_source_is_not_notified_of_a_missing_scope() {
    let script = Script::start(vec![unauthorized("insufficient_scope")]).await;
    let source = Turn::of(&["t-1", "t-2"]);
    let accord = client(&script).token_source(source.clone());
    let accord = accord.build().expect("a client");
    let error = accord.accounts().list_organizations().call().await;
    error.expect_err("a scope is missing");
    assert!(source.refused().is_empty());
}

#[tokio::test]
async fn the_error_of_a_source_ends_the_call_before_it_is_sent() {
    let script = Script::start(vec![organizations()]).await;
    let accord = client(&script).token_source(Turn::of(&[]));
    let accord = accord.build().expect("a client");
    let error = explain(&list(&accord).await.expect_err("no token"));
    assert!(
        error.contains("the source of access tokens has none: the vault is sealed"),
        "{error}"
    );
    assert!(script.requests().is_empty());
}

#[tokio::test]
async fn models_get_the_api_key_and_not_the_token_of_a_source() {
    let body = r#"{"object":"list","data":[]}"#.to_owned();
    let script = Script::start(vec![(JSON, body)]).await;
    let accord = client(&script)
        .token_source(Turn::of(&["t-1"]))
        .api_key("sk-1")
        .build()
        .expect("a client");
    let listed = accord.inference().list_models().call().await;
    listed.expect("a list");
    assert_eq!(script.count("authorization: bearer sk-1"), 1);
}
