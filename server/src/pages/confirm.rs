//! Confirms the identity of a user before a change that gives permanent access.
//!
//! A browser may have been left open, and its cookie may have been stolen. A confirmation is a new
//! sign-in: the session continues under a new cookie, and a stolen cookie becomes useless.

use super::page_request::{PageRequest, set_cookie};
use super::response::{PageError, PageResponse};
use crate::audit::AuditContext;
use crate::identity::sessions::{self, Proof, SessionKey};
use crate::identity::users::User;
use crate::store::{StoreError, Tx};

/// Replaces the session of this browser by a new one.
///
/// # Errors
///
/// When the store fails.
pub async fn renew(
    request: &PageRequest,
    user: User,
    proof: Proof,
) -> Result<PageResponse, PageError> {
    let app = &request.app;
    let key = SessionKey::new(app.random.token());
    let seconds = app.config.identity.session_seconds;
    let (before, trail) = (request.mac(), request.trail());
    let detail = format!("{}, to confirm", proof.word());
    let session = request.new_session(&key, user.id, proof);
    let write = move |tx: &mut Tx<'_>| -> Result<bool, StoreError> {
        sessions::end(tx, before)?;
        if !sessions::start(tx, &session)? {
            return Ok(false);
        }
        trail.record(tx, "identity.session.started", &session.user_id, &detail)?;
        Ok(true)
    };
    if !app.store.write(write).await? {
        return Ok(PageResponse::see_other("/ui/v1/signin"));
    }
    let cookie = set_cookie(app, &key, Some(seconds));
    Ok(PageResponse::see_other("/ui/v1/account/passkeys").with_cookie(Some(cookie)))
}

/// Records in the audit trail that a user could not confirm.
///
/// # Errors
///
/// When the store fails.
pub fn record_failure(
    tx: &mut Tx<'_>,
    trail: &AuditContext,
    user_id: &str,
) -> Result<(), StoreError> {
    trail.record(tx, "identity.sign_in.failed", user_id, "to confirm")
}
