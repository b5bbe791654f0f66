//! Provisioning over HTTP, against the demo's organizations.

use accord_server::accounts::demo::ADMINISTRATOR;
use accord_server::params;
use accord_server::store::Tx;
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};

use crate::harness::Server;

mod commands;
mod create;
mod directory;
mod idempotency;
mod import;
mod link;
mod lists;
pub mod measures;
mod refusals;
mod removal;

const USER: &str = "/api/user";
const ORGANIZATIONS: &str = "/api/user/organizations";
const INSTANCES: &str = "/api/user/appinstance";

/// A request of the demo's administrator.
async fn ask(server: &Server, method: Method, path: &str, body: &Value) -> Response {
    let token = server
        .shared_token(ADMINISTRATOR, "accounts.read accounts.write")
        .await;
    let request = server.http().request(method, server.url(path));
    let request = request.bearer_auth(token).json(body);
    request.send().await.unwrap()
}

async fn create(server: &Server, body: &Value) -> Response {
    ask(server, Method::POST, USER, body).await
}

async fn link(server: &Server, body: &Value) -> Response {
    ask(server, Method::PATCH, USER, body).await
}

/// The body, if the status is this one.
pub async fn body_of(response: Response, status: u16) -> Value {
    let found = response.status();
    let text = response.text().await.unwrap();
    assert_eq!(found, StatusCode::from_u16(status).unwrap(), "{text}");
    serde_json::from_str(&text).unwrap()
}

/// Takes an error apart, and holds it to the document's form.
async fn refusal(response: Response, status: u16, code: &str) -> String {
    assert_eq!(response.headers()["content-type"], "application/json");
    let challenge = response.headers().get("www-authenticate").is_some();
    assert_eq!(challenge, status == 401);
    let body = body_of(response, status).await;
    assert_eq!(body["error"], code, "{body}");
    assert_eq!(body.as_object().unwrap().len(), 2, "{body}");
    body["error_description"].as_str().unwrap().to_owned()
}

fn mira() -> Value {
    json!({
        "emailAddress": "Mira.Lund@north.example",
        "firstName": "Mira",
        "lastName": "Lund",
        "language": "en-GB",
        "hubOrganizationId": 3104,
        "setPassword": false
    })
}

/// A value with other members.
pub fn with(mut value: Value, changes: Value) -> Value {
    for (name, change) in changes.as_object().unwrap() {
        value[name] = change.clone();
    }
    value
}

fn without(mut value: Value, name: &str) -> Value {
    value.as_object_mut().unwrap().remove(name).unwrap();
    value
}

fn profile() -> Value {
    json!({
        "appInstanceId": "72",
        "collabOrganizationId": "5202",
        "communicationEmail": "mira@lund.example",
        "language": "en"
    })
}

/// How many rows there are.
pub async fn count(server: &Server, table: &'static str) -> i64 {
    let read = move |tx: &mut Tx<'_>| {
        let row = tx.query_opt(&format!("SELECT COUNT(*) FROM {table}"), &[])?;
        row.unwrap().get(0)
    };
    server.read(read).await
}

/// Identifier of an account, for a token of its own.
async fn user_id(server: &Server, email: &'static str) -> String {
    let read = move |tx: &mut Tx<'_>| {
        let row = tx.query_opt("SELECT id FROM hub_users WHERE email = $1", params![email])?;
        row.unwrap().get(0)
    };
    server.read(read).await
}
