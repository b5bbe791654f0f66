//! Verifies access tokens.

use std::sync::Arc;

use jsonwebtoken::{Algorithm, DecodingKey, Validation};

use super::access::{AUDIENCE, Claims, TYPE};
use crate::identity::{CLOCK_SKEW, keys};
use crate::params;
use crate::store::{StoreError, Tx};

/// Why an access token is not valid.
#[derive(Debug, Clone, thiserror::Error)]
pub enum TokenError {
    /// The token is invalid, in words for its bearer.
    #[error("{0}")]
    Token(&'static str),
    /// The token could not be checked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Verifies an access token: its signature, its claims, and that neither it nor its approval was
/// revoked.
///
/// # Errors
///
/// [`TokenError::Token`] with the reason.
pub fn verify(tx: &mut Tx<'_>, issuer: &str, token: &str, now: i64) -> Result<Claims, TokenError> {
    let key = |kid: &str| {
        keys::verifying(tx, kid, now)?
            .map(|key| {
                key.verifier().ok_or(TokenError::Token(
                    "the key of the access token cannot be used",
                ))
            })
            .transpose()
    };
    let claims = verify_signature(key, issuer, token, now)?;
    let row = tx
        .query_opt(
            "SELECT t.revoked_at, a.revoked_at FROM access_tokens t \
             JOIN approvals a ON a.id = t.approval_id \
             JOIN oauth_clients c ON c.id = a.client_id \
             WHERE t.jti = $1 AND c.disabled = 0",
            params![&claims.jti],
        )?
        .ok_or(TokenError::Token("the access token is unknown"))?;
    if row.get::<Option<i64>>(0)?.is_some() || row.get::<Option<i64>>(1)?.is_some() {
        return Err(TokenError::Token("the access token has been revoked"));
    }
    Ok(claims)
}

/// Verifies an access token, except that it was not revoked. The caller provides the key.
///
/// # Errors
///
/// [`TokenError::Token`] with the reason, and the errors of the key's lookup.
pub fn verify_signature(
    key: impl FnOnce(&str) -> Result<Option<Arc<DecodingKey>>, TokenError>,
    issuer: &str,
    token: &str,
    now: i64,
) -> Result<Claims, TokenError> {
    let header = jsonwebtoken::decode_header(token)
        .map_err(|_| TokenError::Token("the access token is not a JWT"))?;
    let of_type = |kind: &str| {
        kind.eq_ignore_ascii_case(TYPE) || kind.eq_ignore_ascii_case("application/at+jwt")
    };
    let kid = header.kid.unwrap_or_default();
    // PostgreSQL does not accept a text with a NUL.
    if header.alg != Algorithm::RS256
        || header.crit.is_some()
        || !header.typ.as_deref().is_some_and(of_type)
        || kid.contains('\0')
    {
        return Err(TokenError::Token(
            "the access token was not issued by this server",
        ));
    }
    let key = key(&kid)?.ok_or(TokenError::Token(
        "the access token was signed with an unknown key",
    ))?;
    // The claims that matter are checked below, against the server's own clock.
    let mut validation = Validation::new(Algorithm::RS256);
    validation.required_spec_claims.clear();
    validation.validate_exp = false;
    validation.validate_aud = false;
    let claims = jsonwebtoken::decode::<Claims>(token, &key, &validation)
        .map_err(|_| TokenError::Token("the signature of the access token is invalid"))?
        .claims;

    let seconds = now.div_euclid(1000);
    if claims.iss != issuer || claims.aud != AUDIENCE || claims.tok_type != "AT" {
        return Err(TokenError::Token("the access token is for another service"));
    }
    if claims.exp <= seconds {
        return Err(TokenError::Token("the access token has expired"));
    }
    // Replicas' clocks may differ a little.
    if claims.nbf > seconds + CLOCK_SKEW / 1000 {
        return Err(TokenError::Token("the access token is not valid yet"));
    }
    Ok(claims)
}
