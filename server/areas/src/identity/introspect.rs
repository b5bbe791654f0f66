//! The introspection endpoint (RFC 7662).

use std::sync::Arc;

use accord_identity_server::{responses, types};

use super::clients::{Claimed, Client, Credentials, Required, identify};
use super::endpoints;
use super::error::{Refusal, ServerError, settle};
use super::rejections::NO_STORE;
use super::tokens::{self, Claims, Refresh, TokenError};
use super::users::User;
use crate::identity::Identity;
use crate::store::Tx;

/// Describes a token to an authenticated client.
///
/// # Errors
///
/// The errors of the document. An invalid token is not an error.
pub async fn introspect(
    identity: &Arc<Identity>,
    credentials: Option<Credentials>,
    request: types::IntrospectionRequest,
) -> Result<responses::IntrospectTokenOk, Refusal> {
    // The hint may be ignored (section 2.1): the two kinds cannot be confused.
    let token = request.token;
    let claimed = Claimed::new(
        credentials,
        request.client_id,
        request.client_assertion_type,
        request.client_assertion,
        request.client_secret,
    );
    let now = identity.clock.now().timestamp_millis();
    let context = Arc::clone(identity);
    // Only the identification of the client writes: an assertion, or the new hash of a secret. These
    // rows depend on no others, so snapshot isolation is enough.
    let body = identity
        .store
        .write_snapshot(move |tx| {
            let client = identify(tx, &context, &claimed, Required::Authentication, now);
            settle(client.and_then(|client| match client.introspects {
                true => Ok(describe(tx, &context, &token, now)?),
                false => Err(Refusal::UnauthorizedClient),
            }))
        })
        .await??;
    Ok(responses::IntrospectTokenOk {
        cache_control: NO_STORE.into(),
        body,
    })
}

fn describe(
    tx: &mut Tx<'_>,
    identity: &Identity,
    token: &str,
    now: i64,
) -> Result<types::Introspection, ServerError> {
    let issuer = endpoints::issuer(identity);
    if let Some(refresh) = Refresh::find(tx, &identity.server_keys, token)? {
        // The token of a disabled client cannot be used.
        let is_usable = refresh.is_active(now) && Client::load(tx, &refresh.client_id)?.is_some();
        return match is_usable {
            true => of_refresh(tx, issuer, refresh),
            false => Ok(inactive()),
        };
    }
    match tokens::verify(tx, issuer, token, now) {
        Ok(claims) => of_access(tx, claims),
        Err(TokenError::Token(_)) => Ok(inactive()),
        Err(TokenError::Store(error)) => Err(error.into()),
    }
}

fn of_access(tx: &mut Tx<'_>, claims: Claims) -> Result<types::Introspection, ServerError> {
    let username = User::by_id(tx, &claims.user_id)?.map(|user| user.username);
    Ok(types::Introspection {
        active: true,
        scope: Some(claims.scope),
        client_id: Some(claims.client_id),
        username,
        token_type: Some(types::TokenType::Bearer.as_str().to_owned()),
        exp: Some(claims.exp),
        iat: Some(claims.iat),
        nbf: Some(claims.nbf),
        sub: Some(claims.sub),
        aud: Some(claims.aud),
        iss: Some(claims.iss),
        jti: Some(claims.jti),
    })
}

fn of_refresh(
    tx: &mut Tx<'_>,
    issuer: &str,
    refresh: Refresh,
) -> Result<types::Introspection, ServerError> {
    let username = User::by_id(tx, &refresh.user_id)?.map(|user| user.username);
    Ok(types::Introspection {
        active: true,
        scope: Some(refresh.scopes.to_string()),
        client_id: Some(refresh.client_id),
        username,
        exp: Some(refresh.expires_at.div_euclid(1000)),
        iat: Some(refresh.issued_at.div_euclid(1000)),
        sub: Some(refresh.user_id),
        iss: Some(issuer.to_owned()),
        ..inactive()
    })
}

fn inactive() -> types::Introspection {
    types::Introspection {
        active: false,
        scope: None,
        client_id: None,
        username: None,
        token_type: None,
        exp: None,
        iat: None,
        nbf: None,
        sub: None,
        aud: None,
        iss: None,
        jti: None,
    }
}
