//! The revocation endpoint (RFC 7009).

use std::sync::Arc;

use accord::identity::server::{responses, types};

use super::answers::{NO_CACHE, NO_STORE};
use super::clients::{Claimed, Credentials, Required, identify};
use super::endpoints;
use super::error::{Refusal, ServerError, settle};
use super::tokens::{self, Bad, Refresh};
use crate::identity::Identity;
use crate::kernel::Pepper;
use crate::store::Tx;

/// Revokes a token of the client that asks. A refresh token takes everything
/// with it that came from the same approval (section 2.1).
///
/// # Errors
///
/// Those of the document. A token that is not good is no error.
pub async fn revoke(
    identity: &Arc<Identity>,
    credentials: Option<Credentials>,
    request: types::RevocationRequest,
) -> Result<responses::RevokeTokenOk, Refusal> {
    let types::RevocationRequest {
        token,
        token_type_hint: _,
        client_id,
        client_assertion_type,
        client_assertion,
    } = request;
    let claimed = Claimed::new(
        credentials,
        client_id,
        client_assertion_type,
        client_assertion,
    );
    let now = identity.clock.now().timestamp_millis();
    let context = Arc::clone(identity);
    identity
        .store
        .write(move |tx| {
            let audience = endpoints::audience(&context);
            let pepper = &context.pepper;
            settle((|| {
                let required = Required::Identification;
                let client = identify(tx, pepper, &audience, &claimed, required, now)?;
                Ok(revoke_of(
                    tx,
                    pepper,
                    &audience.issuer,
                    &token,
                    &client.id,
                    now,
                )?)
            })())
        })
        .await??;
    Ok(responses::RevokeTokenOk {
        cache_control: NO_STORE.into(),
        pragma: NO_CACHE.into(),
    })
}

fn revoke_of(
    tx: &mut Tx<'_>,
    pepper: &Pepper,
    issuer: &str,
    token: &str,
    client_id: &str,
    now: i64,
) -> Result<(), ServerError> {
    if let Some(refresh) = Refresh::find(tx, pepper, token)? {
        if refresh.client_id == client_id {
            tokens::revoke_approval(tx, &refresh.approval_id, now)?;
        }
        return Ok(());
    }
    match tokens::verify(tx, issuer, token, now) {
        Ok(claims) if claims.client_id == client_id => {
            Ok(tokens::revoke_access(tx, &claims.jti, now)?)
        }
        // Another client's, expired, revoked before, or no token at all.
        Ok(_) | Err(Bad::Token(_)) => Ok(()),
        Err(Bad::Store(error)) => Err(error.into()),
    }
}
