//! Saying again who one is, before something that gives access for good.
//!
//! A browser may have been left open, and its cookie may have been stolen. Whoever confirms
//! signs in anew: the session goes on under a new cookie, and a stolen one is worth nothing.

use http::StatusCode;

use super::answer::{Answer, PageError};
use super::change::{Known, NOT_PRESENT, knows_present, too_many};
use super::page_request::{Form, PageRequest, set_cookie};
use super::passkeys;
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
) -> Result<Answer, PageError> {
    match knows_present(request, &user, form).await? {
        Known::Yes(hash) => renew(request, user, Proof::Password(hash)).await,
        Known::No => {
            failed(request, &user).await?;
            let problem = Some(NOT_PRESENT.to_owned());
            passkeys::page(request, StatusCode::BAD_REQUEST, None, problem).await
        }
        Known::Wait(seconds) => wait(request, seconds).await,
    }
}

/// The page for a user who has failed too often.
///
/// # Errors
///
/// When the store fails.
pub async fn wait(request: &PageRequest, seconds: i64) -> Result<Answer, PageError> {
    let (status, problem) = (StatusCode::TOO_MANY_REQUESTS, Some(too_many(seconds)));
    let answer = passkeys::page(request, status, None, problem).await?;
    Ok(answer.retry_after(seconds))
}

/// Replaces the session of this browser by one that has just begun.
///
/// # Errors
///
/// When the store fails.
pub async fn renew(request: &PageRequest, user: User, proof: Proof) -> Result<Answer, PageError> {
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
        return Ok(Answer::see_other("/ui/v1/signin"));
    }
    let cookie = set_cookie(app, &key, Some(seconds));
    Ok(Answer::see_other("/ui/v1/account/passkeys").with_cookie(Some(cookie)))
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
