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
        let is_accepted = is_accepted(&context.http, &replica, secret).await;
        context.journal.attempt(Attempt {
            credential: format!("{what}, at {replica}"),
            at,
            is_accepted,
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
            is_accepted: response.is_ok_and(|response| response.status().is_success()),
        });
    }
}

/// Whether a replica answers a chat with this secret.
pub async fn is_accepted(http: &reqwest::Client, replica: &str, secret: &str) -> bool {
    let chat = json!({"model": MODEL, "messages": [{"role": "user", "content": "Let me in."}]});
    let request = http
        .post(format!(
            "http://{replica}/20231130/actions/v1/chat/completions"
        ))
        .bearer_auth(secret)
        .json(&chat);
    let response = request.send().await;
    // A replica that does not respond has not accepted it.
    response.is_ok_and(|response| response.status().is_success())
}
