//! Confirms the identity of a user before a change that gives permanent access.
//!
//! A browser may have been left open, and its cookie may have been stolen. A confirmation is a new
//! sign-in: the session continues under a new cookie, and a stolen cookie becomes useless.

use http::StatusCode;

use super::change::{NOT_PRESENT, PresentPassword, check_present, too_many};
use super::page_request::{Form, PageRequest, set_cookie};
use super::passkeys;
use super::response::{PageError, PageResponse};
use crate::identity::sessions::{self, NewSession, Proof, SessionKey};
use crate::identity::users::User;
use crate::store::{StoreError, Tx};

/// Confirms with the present password.
///
/// # Errors
///
/// When the store fails, or the stored hash cannot be read.
pub async fn with_password(
    request: &PageRequest,
    user: User,
    form: &Form,
) -> Result<PageResponse, PageError> {
    match check_present(request, &user, form).await? {
        PresentPassword::Right(hash) => renew(request, user, Proof::Password(hash)).await,
        PresentPassword::Wrong => {
            failed(request, &user).await?;
            let problem = Some(NOT_PRESENT.to_owned());
            passkeys::page(request, StatusCode::BAD_REQUEST, None, problem).await
        }
        PresentPassword::Wait(seconds) => wait(request, seconds).await,
    }
}

/// The page for a user with too many failed attempts.
///
/// # Errors
///
/// When the store fails.
pub async fn wait(request: &PageRequest, seconds: i64) -> Result<PageResponse, PageError> {
    let (status, problem) = (StatusCode::TOO_MANY_REQUESTS, Some(too_many(seconds)));
    let response = passkeys::page(request, status, None, problem).await?;
    Ok(response.retry_after(seconds))
}

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
    let session = NewSession {
        mac: key.mac(&app.server_keys),
        user_id: user.id,
        proof,
        origin: request.origin.clone(),
        now: request.now,
        expires_at: request.now + seconds * 1000,
    };
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
pub async fn failed(request: &PageRequest, user: &User) -> Result<(), StoreError> {
    let (trail, id) = (request.trail(), user.id.clone());
    let write =
        move |tx: &mut Tx<'_>| trail.record(tx, "identity.sign_in.failed", &id, "to confirm");
    request.app.store.write(write).await
}
