//! Access tokens, and the common parts of both kinds of tokens.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use crate::identity::clients::Client;
use crate::identity::error::ServerError;
use crate::identity::keys::{KeyError, SigningKey, SigningKeys};
use crate::identity::scopes::Scopes;
use crate::identity::users::User;
use crate::params;
use crate::store::{StoreError, Tx};

/// The audience of access tokens: the other areas of this service.
pub const AUDIENCE: &str = "urn:accord:api";
/// Type in the header of an access token (RFC 9068, section 2.1).
pub(super) const TYPE: &str = "at+jwt";

/// Claims of an access token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// The issuer.
    pub iss: String,
    /// The user.
    pub sub: String,
    /// [`AUDIENCE`].
    pub aud: String,
    /// Expiry, in seconds since 1970.
    pub exp: i64,
    /// The time of issue.
    pub iat: i64,
    /// The time from which it is valid.
    pub nbf: i64,
    /// Identifier of the token.
    pub jti: String,
    /// The client.
    pub client_id: String,
    /// Its scopes, separated by spaces.
    pub scope: String,
    /// `AT`: an access token.
    pub tok_type: String,
    /// `user`: the subject is a user.
    pub sub_type: String,
    /// The user.
    pub user_id: String,
    /// The user's name.
    pub user_displayname: String,
}

/// An access token whose row is stored and whose signature is missing. Signing takes time, so it
/// happens after the transaction.
pub struct Unsigned {
    claims: Claims,
    key: Arc<SigningKey>,
}

impl Unsigned {
    /// Seconds for which the token is valid.
    pub fn expires_in(&self) -> i64 {
        self.claims.exp - self.claims.iat
    }

    /// The scopes of the token.
    pub fn scope(&self) -> &str {
        &self.claims.scope
    }

    /// The token.
    ///
    /// # Errors
    ///
    /// When the cryptographic library fails.
    pub fn sign(&self) -> Result<String, KeyError> {
        let header = serde_json::json!({ "alg": "RS256", "typ": TYPE, "kid": self.key.kid() });
        let claims = serde_json::to_vec(&self.claims)
            .map_err(|_| KeyError::Crypto("the claims cannot be written"))?;
        let encode = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        let message = format!(
            "{}.{}",
            encode(header.to_string().as_bytes()),
            encode(&claims)
        );
        let signature = self.key.sign(message.as_bytes())?;
        Ok(format!("{message}.{}", encode(&signature)))
    }
}

/// The inputs of a transaction that issues tokens. Random values are drawn before it, since a
/// transaction can run more than once.
#[derive(Clone)]
pub struct Mint {
    /// The issuer.
    pub issuer: String,
    /// Identifier of the next access token.
    pub jti: String,
    /// The next refresh token.
    pub refresh_token: String,
    /// Seconds for which the unused refresh token is valid.
    pub refresh_seconds: i64,
    /// Now, in Unix milliseconds.
    pub now: i64,
}

/// Records an approval by a user. Tokens are issued for it.
pub fn approve(
    tx: &mut Tx<'_>,
    id: &str,
    client_id: &str,
    user_id: &str,
    scopes: &Scopes,
    now: i64,
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO approvals (id, client_id, user_id, scopes, created_at) \
         VALUES ($1, $2, $3, $4, $5)",
        params![id, client_id, user_id, scopes.to_string(), now],
    )?;
    Ok(())
}

/// Issues an access token for an approval.
///
/// # Errors
///
/// When the store fails, or there is no signing key.
pub fn issue_access(
    tx: &mut Tx<'_>,
    keys: &SigningKeys,
    mint: &Mint,
    client: &Client,
    user: &User,
    scopes: &Scopes,
    approval_id: &str,
) -> Result<Unsigned, ServerError> {
    let issued = mint.now.div_euclid(1000);
    let expires = issued + client.access_token_seconds;
    let key = keys.current(tx, mint.now)?;
    tx.execute(
        "INSERT INTO access_tokens (jti, approval_id, expires_at) VALUES ($1, $2, $3)",
        params![&mint.jti, approval_id, expires * 1000],
    )?;
    let claims = Claims {
        iss: mint.issuer.clone(),
        sub: user.id.clone(),
        aud: AUDIENCE.into(),
        exp: expires,
        iat: issued,
        nbf: issued,
        jti: mint.jti.clone(),
        client_id: client.id.clone(),
        scope: scopes.to_string(),
        tok_type: "AT".into(),
        sub_type: "user".into(),
        user_id: user.id.clone(),
        user_displayname: user.display_name.clone(),
    };
    Ok(Unsigned { claims, key })
}
