//! Authorizes the bearer tokens of the other areas' callers.
//!
//! Accounts, patterns and key management accept the access tokens of this area. They verify them
//! here, each with the scopes that its document names.

use dropforge_runtime::{Bearer, Denied};

use super::endpoints;
use super::scopes::Scopes;
use super::token_cache::LEASE;
use super::tokens::{self, Claims, TokenError};
use crate::identity::Identity;

/// The caller, and the permissions of the token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The user whom the token acts for.
    pub user_id: String,
    /// The application that presents it.
    pub client_id: String,
    /// The scopes of the token.
    pub scopes: Scopes,
    /// The user's name, for people.
    pub display_name: String,
}

/// Verifies an access token: it is signed here, for this service, has not expired, was not revoked,
/// and has all of `scopes`.
///
/// # Errors
///
/// [`Denied::Unauthenticated`] when the token is invalid, [`Denied::Forbidden`] when it lacks a
/// scope, [`Denied::Unavailable`] when it cannot be checked.
pub async fn verify_bearer(
    identity: &Identity,
    bearer: &Bearer,
    scopes: &[&str],
) -> Result<Subject, Denied> {
    let claims = verify(identity, bearer.expose())
        .await
        .map_err(|error| match error {
            TokenError::Token(reason) => Denied::unauthenticated(reason),
            TokenError::Store(error) => Denied::unavailable(error.to_string()),
        })?;
    // A scope that this server no longer knows grants nothing.
    let granted = Scopes::parse(&claims.scope).unwrap_or_default();
    match scopes.iter().find(|scope| !granted.contains(scope)) {
        Some(missing) => Err(Denied::forbidden(format!(
            "the access token does not have the scope {missing}"
        ))),
        None => Ok(Subject {
            user_id: claims.user_id,
            client_id: claims.client_id,
            scopes: granted,
            display_name: claims.user_displayname,
        }),
    }
}

/// Verifies a token with this replica's cache, which is not older than its lease.
async fn verify(identity: &Identity, token: &str) -> Result<Claims, TokenError> {
    let token_cache = &identity.token_cache;
    token_cache.follow(identity, LEASE).await?;
    if let Ok(header) = jsonwebtoken::decode_header(token) {
        let kid = header.kid.unwrap_or_default();
        token_cache.refresh_for_key(identity, &kid).await?;
    }
    let now = identity.clock.now().timestamp_millis();
    let key = |kid: &str| Ok(token_cache.key(kid, now));
    let claims = tokens::verify_signature(key, endpoints::issuer(identity), token, now)?;
    match token_cache.is_revoked(&claims) {
        true => Err(TokenError::Token("the access token has been revoked")),
        false => Ok(claims),
    }
}
