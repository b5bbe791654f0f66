//! The user that commands act for: the claims of the access token.

use crate::failure::failed;
use accord_client::{Accord, LoginStoreError};
use anyhow::Context;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, Utc};
use secrecy::ExposeSecret;
use serde_json::Value;

/// The claims of the access token that is in use. Only the service verifies them.
pub(super) struct Identity {
    pub(super) subject: Option<String>,
    pub(super) name: Option<String>,
    pub(super) client: Option<String>,
    pub(super) identity: Option<String>,
    pub(super) scope: Option<String>,
    pub(super) expires_at: Option<DateTime<Utc>>,
    /// Whether the client renews the token before it expires.
    pub(super) is_renewed: bool,
}

impl Identity {
    /// The claims of the given token, else of the login; `None` if there is neither.
    pub(super) async fn in_use(
        accord: &Accord,
        given: Option<&str>,
    ) -> Result<Option<Self>, LoginStoreError> {
        match given {
            Some(token) => Ok(Some(Self::of_token(token))),
            None => Ok(accord.remembered_login().await?.map(Self::of_login)),
        }
    }

    /// The scopes.
    pub(super) fn scopes(&self) -> Option<Vec<&str>> {
        self.scope.as_deref().map(scopes_of)
    }

    /// The claims of a token that the user passed.
    fn of_token(token: &str) -> Self {
        let claims = claims(token).unwrap_or_default();
        let text = |name: &str| claims.get(name)?.as_str().map(str::to_owned);
        let expires = claims.get("exp").and_then(Value::as_i64);
        Self {
            subject: text("sub"),
            name: text("user_displayname"),
            client: text("client_id"),
            identity: text("iss"),
            scope: text("scope"),
            expires_at: expires.and_then(|seconds| DateTime::from_timestamp(seconds, 0)),
            is_renewed: false,
        }
    }

    /// The claims of a stored login. Client, scope and expiry come from the login itself.
    fn of_login(login: accord_client::Login) -> Self {
        Self {
            client: Some(login.client_id),
            identity: Some(login.identity),
            scope: Some(login.scope),
            expires_at: Some(login.expires_at),
            is_renewed: login.refresh_token.is_some(),
            ..Self::of_token(login.access_token.expose_secret())
        }
    }
}

/// The scopes of a text, which may have none.
pub(super) fn scopes_of(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

/// Why the service rejects the access token. A list of organizations needs only a scope, and no rights.
pub(super) async fn refusal(accord: &Accord) -> Option<anyhow::Error> {
    let checked = accord.accounts().list_organizations().call().await;
    checked.err().map(failed)
}

fn claims(token: &str) -> anyhow::Result<Value> {
    let payload = token.split('.').nth(1).context("no payload")?;
    Ok(serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload)?)?)
}

#[cfg(test)]
mod tests {
    use super::scopes_of;

    #[test]
    fn a_login_without_scopes_has_an_empty_list() {
        assert_eq!(scopes_of("a.read b.write"), ["a.read", "b.write"]);
        assert!(scopes_of("").is_empty());
    }
}
