//! A login of a user: its tokens, and their lifetime.

use chrono::{DateTime, TimeDelta, Utc};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize, Serializer};

/// The longest time before its end at which an access token is renewed.
const MAX_MARGIN: TimeDelta = TimeDelta::seconds(60);

/// A login: tokens with their client, scope and lifetime.
///
/// The serialized form has the tokens as text, so only a [`LoginStore`](crate::LoginStore) should serialize a login.
/// `Debug` does not show them.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Login {
    /// Address of the identity service that issued the tokens.
    pub identity: String,
    /// The OAuth client that the user has approved.
    pub client_id: String,
    /// The scopes that were granted.
    pub scope: String,
    /// The access token.
    #[serde(serialize_with = "expose")]
    pub access_token: SecretString,
    /// When the access token was issued; unknown in files of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issued_at: Option<DateTime<Utc>>,
    /// When the access token expires.
    pub expires_at: DateTime<Utc>,
    /// The refresh token, if `offline_access` was granted.
    #[serde(
        default,
        serialize_with = "expose_option",
        skip_serializing_if = "Option::is_none"
    )]
    pub refresh_token: Option<SecretString>,
}

impl Login {
    /// A login without a refresh token, with tokens of an identity service.
    pub fn new(
        identity: impl Into<String>,
        client_id: impl Into<String>,
        scope: impl Into<String>,
        access_token: impl Into<SecretString>,
        expires_at: DateTime<Utc>,
    ) -> Self {
        Self {
            identity: identity.into(),
            client_id: client_id.into(),
            scope: scope.into(),
            access_token: access_token.into(),
            issued_at: None,
            expires_at,
            refresh_token: None,
        }
    }

    /// Sets when the access token was issued.
    #[must_use]
    pub fn issued_at(mut self, issued_at: DateTime<Utc>) -> Self {
        self.issued_at = Some(issued_at);
        self
    }

    /// Sets the refresh token.
    #[must_use]
    pub fn refresh_token(mut self, token: impl Into<SecretString>) -> Self {
        self.refresh_token = Some(token.into());
        self
    }

    /// Whether the access token need not be renewed yet: more than a fifth of its lifetime is left, or more than a
    /// minute.
    pub fn is_fresh(&self, now: DateTime<Utc>) -> bool {
        let fifth = self.issued_at.map(|issued| (self.expires_at - issued) / 5);
        let margin = fifth.map_or(MAX_MARGIN, |fifth| fifth.min(MAX_MARGIN));
        self.expires_at - now > margin
    }

    /// Whether the access token is known to be younger than `age`.
    pub(crate) fn is_younger_than(&self, age: TimeDelta, now: DateTime<Utc>) -> bool {
        let own = self.issued_at.map(|issued| now - issued);
        own.is_some_and(|own| own >= TimeDelta::zero() && own < age)
    }

    /// Whether both logins have the same tokens.
    pub(crate) fn has_tokens_of(&self, other: &Login) -> bool {
        let tokens = [self, other].map(|login| {
            let refresh = login.refresh_token.as_ref();
            let refresh = refresh.map(|token| token.expose_secret());
            (login.access_token.expose_secret(), refresh)
        });
        tokens[0] == tokens[1]
    }
}

fn expose<S: Serializer>(secret: &SecretString, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(secret.expose_secret())
}

fn expose_option<S: Serializer>(
    secret: &Option<SecretString>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match secret {
        Some(secret) => serializer.serialize_some(secret.expose_secret()),
        None => serializer.serialize_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn login(access_token: &str) -> Login {
        let expires_at = "2026-11-21T09:00:00Z".parse().expect("a time");
        let client = "accord-cli";
        Login::new(
            "http://id.example",
            client,
            "accounts.read",
            access_token,
            expires_at,
        )
        .refresh_token("rt-1")
    }

    #[test]
    fn a_login_does_not_print_its_secrets() {
        let printed = format!("{:?}", login("very-secret"));
        assert!(
            !printed.contains("very-secret") && !printed.contains("rt-1"),
            "{printed}"
        );
    }

    #[test]
    fn a_token_about_to_expire_is_not_fresh() {
        let login = login("one");
        let at = |time: &str| time.parse().expect("a time");
        assert!(login.is_fresh(at("2026-11-21T08:58:59Z")));
        assert!(!login.is_fresh(at("2026-11-21T08:59:00Z")));
    }

    #[test]
    fn a_short_token_is_fresh_for_most_of_its_lifetime() {
        let at = |time: &str| time.parse().expect("a time");
        let login = Login {
            issued_at: Some(at("2026-11-21T08:59:00Z")),
            ..login("one")
        };
        assert!(login.is_fresh(at("2026-11-21T08:59:47Z")));
        assert!(!login.is_fresh(at("2026-11-21T08:59:48Z")));
    }
}
