//! Saying again who one is, before something that gives access for good.
//!
//! A browser may have been left open, and its cookie may have been stolen. Whoever confirms
//! signs in anew: the session goes on under a new cookie, and a stolen one is worth nothing.

use http::StatusCode;

use super::answer::{Answer, PageError};
use super::change::{Known, NOT_PRESENT, knows_present, too_many};
use super::passkeys;
use super::visit::{Form, Visit, set_cookie};
use crate::identity::sessions::{self, NewSession, Proof, SessionKey};
use crate::identity::users::User;
use crate::store::{StoreError, Tx};

/// Confirms with the present password.
///
/// # Errors
///
/// When the store fails, or the stored hash cannot be read.
pub async fn with_password(visit: &Visit, user: User, form: &Form) -> Result<Answer, PageError> {
    match knows_present(visit, &user, form).await? {
        Known::Yes(hash) => renew(visit, user, Proof::Password(hash)).await,
        Known::No => {
            failed(visit, &user).await?;
            let problem = Some(NOT_PRESENT.to_owned());
            passkeys::page(visit, StatusCode::BAD_REQUEST, None, problem).await
        }
        Known::Wait(seconds) => wait(visit, seconds).await,
    }
}

/// The page for a user who has failed too often.
///
/// # Errors
///
/// When the store fails.
pub async fn wait(visit: &Visit, seconds: i64) -> Result<Answer, PageError> {
    let (status, problem) = (StatusCode::TOO_MANY_REQUESTS, Some(too_many(seconds)));
    let answer = passkeys::page(visit, status, None, problem).await?;
    Ok(answer.retry_after(seconds))
}

/// Replaces the session of this browser by one that has just begun.
///
/// # Errors
///
/// When the store fails.
pub async fn renew(visit: &Visit, user: User, proof: Proof) -> Result<Answer, PageError> {
    let app = &visit.app;
    let key = SessionKey::new(app.random.token());
    let seconds = app.config.identity.session_seconds;
    let (before, trace) = (visit.mac(), visit.trace());
    let detail = format!("{}, to confirm", proof.word());
    let session = NewSession {
        mac: key.mac(&app.server_keys),
        user_id: user.id,
        proof,
        origin: visit.origin.clone(),
        now: visit.now,
        expires_at: visit.now + seconds * 1000,
    };
    let write = move |tx: &mut Tx<'_>| -> Result<bool, StoreError> {
        sessions::end(tx, before)?;
        if !sessions::start(tx, &session)? {
            return Ok(false);
        }
        trace.record(tx, "identity.session.started", &session.user_id, &detail)?;
        Ok(true)
    };
    if !app.store.write(write).await? {
        return Ok(Answer::see_other("/ui/v1/signin"));
    }
    let cookie = set_cookie(app, &key, Some(seconds));
    Ok(Answer::see_other("/ui/v1/account/passkeys").with_cookie(Some(cookie)))
}

/// Tells the audit trail that a user could not confirm.
///
/// # Errors
///
/// When the store fails.
pub async fn failed(visit: &Visit, user: &User) -> Result<(), StoreError> {
    let (trace, id) = (visit.trace(), user.id.clone());
    let write =
        move |tx: &mut Tx<'_>| trace.record(tx, "identity.sign_in.failed", &id, "to confirm");
    visit.app.store.write(write).await
}
