//! Revoked credentials, tried at each replica.

use std::time::Instant;

use serde_json::json;

use super::Context;
use crate::journal::Attempt;
use crate::replicas::MODEL;

/// Calls a model with a secret at each running replica, and records which accept it.
pub async fn try_secret_everywhere(context: &Context, what: &str, secret: &str) {
    for replica in context.running.addresses() {
        let at = Instant::now();
        let status = try_secret(&context.http, &replica, secret).await;
        context.journal.attempt(Attempt {
            credential: format!("{what}, at {replica}"),
            at,
            status,
        });
    }
}

/// Lists organizations with a token at each running replica, and records which accept it.
pub async fn try_token_everywhere(context: &Context, token: &str) {
    for replica in context.running.addresses() {
        let at = Instant::now();
        let request = context
            .http
            .get(format!("http://{replica}/api/user/organizations"))
            .bearer_auth(token);
        let response = request.send().await;
        context.journal.attempt(Attempt {
            credential: format!("a revoked token, at {replica}"),
            at,
            status: response.ok().map(|response| response.status().as_u16()),
        });
    }
}

/// The status of a chat at a replica with this secret, if it responds.
pub async fn try_secret(http: &reqwest::Client, replica: &str, secret: &str) -> Option<u16> {
    let chat = json!({"model": MODEL, "messages": [{"role": "user", "content": "Let me in."}]});
    let request = http
        .post(format!(
            "http://{replica}/20231130/actions/v1/chat/completions"
        ))
        .bearer_auth(secret)
        .json(&chat);
    let response = request.send().await;
    response.ok().map(|response| response.status().as_u16())
}
