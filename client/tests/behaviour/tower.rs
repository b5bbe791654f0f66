//! Services of tower in place of the HTTP client.

use crate::script::{list, organizations, quick};
use accord_client::{
    Accord, BoxError, OperationError, TowerTransport, explain,
    reqwest::{self, Body, header::AUTHORIZATION},
};
use futures::{StreamExt, future::BoxFuture, stream};
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    task::{Context, Poll},
    time::Duration,
};
use tower_service::Service;

type Outcome = Result<http::Response<Body>, BoxError>;

/// A service with scripted outcomes, which is ready at the second poll only.
#[derive(Clone)]
struct Scripted {
    outcomes: Arc<Mutex<VecDeque<Outcome>>>,
    requests: Arc<Mutex<Vec<String>>>,
    is_ready: bool,
}

impl Scripted {
    fn new(outcomes: impl IntoIterator<Item = Outcome>) -> Self {
        Self {
            outcomes: Arc::new(Mutex::new(outcomes.into_iter().collect())),
            requests: Arc::default(),
            is_ready: false,
        }
    }

    fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("no panic").clone()
    }

    fn client(&self) -> Accord {
        let builder = Accord::builder()
            .base_url("https://accord.example")
            .access_token("t")
            .retry(quick())
            .timeout(Duration::from_millis(200))
            .transport(TowerTransport::new(self.clone()));
        builder.build().expect("a client")
    }
}

impl Service<http::Request<Body>> for Scripted {
    type Response = http::Response<Body>;
    type Error = BoxError;
    type Future = BoxFuture<'static, Outcome>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        if self.is_ready {
            return Poll::Ready(Ok(()));
        }
        self.is_ready = true;
        context.waker().wake_by_ref();
        Poll::Pending
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        assert!(self.is_ready);
        let token = request.headers().get(AUTHORIZATION);
        let token = token.and_then(|token| token.to_str().ok());
        let text = format!("{} {}", request.uri(), token.unwrap_or("nobody"));
        self.requests.lock().expect("no panic").push(text);
        let mut outcomes = self.outcomes.lock().expect("no panic");
        let outcome = outcomes.pop_front().expect("another outcome");
        Box::pin(async { outcome })
    }
}

fn response(status: u16, body: Body) -> Outcome {
    let response = http::Response::builder().status(status);
    let response = response.header("content-type", "application/json");
    Ok(response.body(body).expect("a response"))
}

/// The error of a connection that nobody accepts.
async fn unreachable() -> Outcome {
    let sent = reqwest::get("http://127.0.0.1:9").await;
    Err(sent
        .expect_err("no service listens at the discard port")
        .into())
}

#[tokio::test]
async fn a_service_of_tower_sends_each_attempt() {
    let service = Scripted::new([
        unreachable().await,
        response(502, Body::default()),
        response(200, organizations().1.into()),
    ]);
    let listed = service.client();
    let listed = listed.accounts().list_organizations().call().await;
    assert_eq!(listed.expect("a list").len(), 1);
    let request = "https://accord.example/api/user/organizations Bearer t";
    assert_eq!(service.requests(), [request; 3]);
}

#[tokio::test]
async fn an_error_of_a_service_reaches_the_caller_and_is_not_repeated() {
    let service = Scripted::new([Err("the circuit is open".into())]);
    let error = service.client();
    let error = explain(&list(&error).await.expect_err("no response"));
    assert!(
        error.contains("the request cannot be sent: the circuit is open"),
        "{error}"
    );
    assert_eq!(service.requests().len(), 1);
}

#[tokio::test]
async fn a_body_that_never_ends_is_cut_off_at_the_timeout() {
    let endless = || {
        let first = stream::iter([Ok::<_, BoxError>("[")]);
        response(200, Body::wrap_stream(first.chain(stream::pending())))
    };
    // The list is requested again once.
    let service = Scripted::new([endless(), endless()]);
    let listed = service.client();
    let listed = listed.accounts().list_organizations().call();
    let listed = tokio::time::timeout(Duration::from_secs(60), listed).await;
    let error = listed.expect("the call ends").expect_err("half a list");
    assert!(error.status().is_none(), "{}", explain(&error));
    assert!(
        explain(&error).contains("did not respond in time"),
        "{}",
        explain(&error)
    );
}
