//! The revocation endpoint (RFC 7009).

use std::sync::Arc;

use accord_identity_server::{responses, types};

use super::clients::{Claimed, Credentials, Required, identify};
use super::error::{Refusal, settle};
use super::rejections::NO_STORE;
use super::tokens::{self, Refresh, TokenError};
use super::{CLOCK_SKEW, endpoints};
use crate::audit::{Actor, AuditContext};
use crate::identity::Identity;
use crate::store::Tx;

/// Revokes a token of the calling client. A refresh token is revoked with all tokens of the same
/// approval (section 2.1).
///
/// # Errors
///
/// The errors of the document. An invalid token is not an error; another client's is (section 2).
pub async fn revoke(
    identity: &Arc<Identity>,
    credentials: Option<Credentials>,
    origin: String,
    request: types::RevocationRequest,
) -> Result<responses::RevokeTokenOk, Refusal> {
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
    identity
        .store
        .write(move |tx| {
            settle((|| {
                let client = identify(tx, &context, &claimed, Required::Identification, now)?;
                if let Some((action, subject)) = revoke_of(tx, &context, &token, &client.id, now)? {
                    let actor = Actor::Client(&client.id);
                    AuditContext::new(&context.server_keys, actor, &origin, now)
                        .record(tx, action, &subject, "")?;
                }
                Ok(())
            })())
        })
        .await??;
    // This replica rejects the token before the client gets the response.
    identity.token_cache.refresh(identity).await?;
    Ok(responses::RevokeTokenOk {
        cache_control: NO_STORE.into(),
    })
}

/// The revoked token, if any: the action and its subject for the audit trail.
fn revoke_of(
    tx: &mut Tx<'_>,
    identity: &Identity,
    token: &str,
    client_id: &str,
    now: i64,
) -> Result<Option<(&'static str, String)>, Refusal> {
    const FOREIGN: Refusal = Refusal::InvalidGrant("the token was issued to another client");
    let issuer = endpoints::issuer(identity);
    if let Some(refresh) = Refresh::find(tx, &identity.server_keys, token)? {
        if refresh.client_id != client_id {
            return match refresh.is_active(now) {
                true => Err(FOREIGN),
                false => Ok(None),
            };
        }
        let revoked = tokens::revoke_approval(tx, &refresh.approval_id, now)?;
        return Ok(revoked.then_some(("identity.approval.revoked", refresh.approval_id)));
    }
    let verified = match tokens::verify(tx, issuer, token, now) {
        // A token that has just expired here is valid where the clock is behind.
        Err(TokenError::Token(_)) => tokens::verify(tx, issuer, token, now - CLOCK_SKEW),
        verified => verified,
    };
    match verified {
        Ok(claims) if claims.client_id == client_id => {
            let revoked = tokens::revoke_access(tx, &claims.jti, now)?;
            Ok(revoked.then_some(("identity.access_token.revoked", claims.jti)))
        }
        Ok(_) => Err(FOREIGN),
        // Expired, already revoked, or not a token.
        Err(TokenError::Token(_)) => Ok(None),
        Err(TokenError::Store(error)) => Err(error.into()),
    }
}
