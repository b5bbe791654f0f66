//! One handler for all operations of a document, and the comparison of a response before it is
//! sent.

use std::sync::Arc;

use dropforge_runtime as rt;
use reqwest::Client;
use rt::dropshot::{ApiDescription, ConfigDropshot, HttpServer, ServerBuilder};
use rt::futures::FutureExt;
use rt::futures::future::BoxFuture;
use rt::http::StatusCode;
use rt::serde_json::{Value, json};
use rt::{Exchange, Rejection, Reply};

use crate::api::Security;
use crate::shop::{Answer, Service, Told, call};
use crate::tables::{API, CREATE_ITEM, GET_NOTE};

/// Sends the id of the operation and the body that was read.
fn echo(mut exchange: Exchange<Arc<Told>>) -> BoxFuture<'static, Result<Reply, Rejection>> {
    async move {
        let request = exchange.read().await?;
        let body: Option<Value> = match request.has_body() {
            true => Some(request.body_as()?),
            false => None,
        };
        let id = exchange.call().operation().map(|operation| operation.id);
        Ok(Reply::json(StatusCode::OK, &json!([id, body])))
    }
    .boxed()
}

fn start() -> HttpServer<Arc<Told>> {
    let mut description = ApiDescription::new();
    let routes = rt::Routes::new(&mut description, &API, Service::reject);
    routes.respond(echo).unwrap();
    let config = ConfigDropshot {
        bind_address: ([127, 0, 0, 1], 0).into(),
        ..Default::default()
    };
    let log = slog::Logger::root(slog::Discard, slog::o!());
    let server = ServerBuilder::new(description, Arc::new(Told::default()), log);
    server.config(config).start().unwrap()
}

async fn send(server: &HttpServer<Arc<Told>>, method: &str, path: &str, body: Value) -> Answer {
    let url = format!("http://{}{path}", server.local_addr());
    let request = Client::new().request(method.parse().unwrap(), url);
    let request = request.bearer_auth("any");
    call(match body {
        Value::Null => request,
        body => request.json(&body),
    })
    .await
}

#[tokio::test]
async fn one_handler_serves_every_operation_also_those_that_share_a_route() {
    let server = start();
    let item = json!({"name": "lamp"});
    for (method, path, body, id) in [
        ("POST", "/api/items", item, "createItem"),
        ("GET", "/api/notes/n1", Value::Null, "getNote"),
        ("POST", "/api/notes/archive", Value::Null, "archiveNotes"),
        (
            "DELETE",
            "/api/notes/archive/a%7Cb",
            Value::Null,
            "purgeArchive",
        ),
    ] {
        let answer = send(&server, method, path, body.clone()).await;
        assert_eq!(answer.status, 200, "{id}: {}", answer.text);
        assert_eq!(answer.json(), json!([id, body]));
    }
}

#[tokio::test]
async fn requests_are_validated_before_one_handler_reads_them() {
    let server = start();
    let answer = send(&server, "POST", "/api/items", json!({"size": 10})).await;
    assert_eq!(answer.status, 400);
    assert_eq!(answer.detail(), "name is required; size must be at most 9");
    let answer = send(&server, "GET", "/api/unknown", Value::Null).await;
    assert_eq!(answer.status, 404);
    let answer = send(&server, "DELETE", "/api/items", Value::Null).await;
    assert_eq!(answer.status, 405);
    assert_eq!(answer.headers["allow"], "POST");
}

#[tokio::test]
async fn a_request_without_credentials_reaches_the_handler_only_if_none_are_required() {
    let server = start();
    let url = |path: &str| format!("http://{}{path}", server.local_addr());
    let request = Client::new().post(url("/api/items"));
    let answer = call(request.json(&json!({"name": "lamp"}))).await;
    assert_eq!(answer.status, 401, "{}", answer.text);
    let answer = call(Client::new().get(url("/api/notes/n1"))).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
}

#[test]
fn a_response_is_compared_before_it_is_sent() {
    let found = |reply: Reply| {
        let found = rt::findings(&CREATE_ITEM, &reply);
        let found = found.iter().map(ToString::to_string);
        found.collect::<Vec<String>>()
    };
    // The runtime adds the request's id.
    let created = Reply::json(StatusCode::CREATED, &json!({"name": "lamp"}));
    assert_eq!(
        found(created.header("location", "/api/items/lamp")),
        [""; 0]
    );
    let without = Reply::json(StatusCode::CREATED, &json!({"name": "lamp"}));
    assert_eq!(found(without), ["header Location is missing"]);
    let unlisted = Reply::empty(StatusCode::IM_A_TEAPOT);
    assert_eq!(found(unlisted), ["the status is not listed"]);
    assert!(!rt::findings(&GET_NOTE, &Reply::json(StatusCode::OK, &5)).is_empty());
}
