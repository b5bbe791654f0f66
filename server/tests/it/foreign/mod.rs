//! The foreign caller: for every operation and page, a test that somebody with all scopes and
//! without a right reaches nothing of others.
//!
//! The documentation of each test has a row for each operation or page that it covers: its name in
//! backticks, who may call it, on whose data, and by which check, with bars between. `cargo xtask
//! regenerate` makes the table `server/ACCESS.md` of these rows, and fails when an operation of a
//! document has none; a test in `src/serve` fails when a page has none. Operations and pages without
//! a foreign caller are in `others.txt`, with the reason.
//!
//! The foreign caller here is eve. She belongs to organization 4210 and administers it; everything
//! in these tests belongs to organization 3104, its users and its compartments.

mod accounts;
mod console;
mod identity;
mod inference;
mod pages;
mod patterns;

use accord_server::accounts::administrators;
use accord_server::accounts::users::{self, User};
use serde_json::Value;

use crate::harness::Server;

/// The id of the foreign caller.
pub const EVE: &str = "eve";
/// The name with which she signs in.
pub const EVE_EMAIL: &str = "eve@south.example";
/// Every scope of a user.
const ALL_SCOPES: &str =
    "accounts.read accounts.write apikeys.read apikeys.write patterns.read patterns.write";

/// Adds eve, an administrator of organization 4210 with the demo's password.
pub async fn add_eve(server: &Server) {
    let now = server.app().clock.now();
    let rows = server
        .write(move |tx| {
            let user = User {
                id: EVE.into(),
                email_address: EVE_EMAIL.into(),
                first_name: "Eve".into(),
                middle_name: None,
                last_name: "South".into(),
                language: "en".into(),
                organization_id: 4210,
                communication_email: EVE_EMAIL.into(),
            };
            users::insert(tx, &user, now, None)?;
            administrators::add(tx, 4210, EVE)?;
            let same = "UPDATE hub_users SET password_hash = \
                    (SELECT password_hash FROM hub_users WHERE id = 'ana') WHERE id = 'eve'";
            tx.execute(same, &[])
        })
        .await;
    assert_eq!(rows, 1);
}

/// Status and body of a request with a token.
async fn send(
    server: &Server,
    token: &str,
    method: reqwest::Method,
    path: &str,
    body: Option<&Value>,
) -> (u16, Value) {
    let request = server
        .http()
        .request(method, server.url(path))
        .bearer_auth(token);
    let request = match body {
        Some(body) => request.json(body),
        None => request,
    };
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    let text = response.text().await.unwrap();
    let body = match text.is_empty() {
        true => Value::Null,
        false => serde_json::from_str(&text).unwrap_or_else(|_| panic!("{path}: {text}")),
    };
    (status, body)
}
