//! The page for changing a password, for signed-in users who know the old one.

use std::sync::Arc;

use askama::Template;
use http::StatusCode;

use super::assets::REVEAL;
use super::confirm;
use super::page_request::{Form, PageRequest, set_cookie};
use super::password::problem_of;
use super::response::{Frame, Notice, PageError, PageResponse};
use crate::identity::passkeys::list_of;
use crate::identity::reset::{self, Reset};
use crate::identity::sessions::{self, Proof, SessionKey};
use crate::identity::throttle::{self, Limit, Subject};
use crate::identity::users::User;
use crate::mail::passkeys::removed;
use crate::store::{StoreError, Tx};

#[derive(Template)]
#[template(path = "identity/change.html")]
struct ChangePage {
    frame: Frame,
    username: String,
    /// The problem of the present password.
    present: Option<String>,
    /// The problem of the new password.
    problem: Option<String>,
    /// The state of the form's check boxes.
    reset: Reset,
    /// Whether the user has passkeys.
    has_passkeys: bool,
}

/// The problems of a form.
#[derive(Default)]
struct FieldProblems {
    present: Option<String>,
    new: Option<String>,
}

/// The form.
///
/// # Errors
///
/// When nobody is signed in, or the store fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    let user = request.signed_in()?;
    // By default, devices are disconnected.
    let reset = Reset {
        devices: true,
        passkeys: false,
    };
    page(
        &request,
        user,
        StatusCode::OK,
        reset,
        FieldProblems::default(),
    )
    .await
}

/// The present password and the new one.
///
/// # Errors
///
/// When nobody is signed in, the store fails, or a password cannot be hashed.
pub async fn submit(request: PageRequest, form: Form) -> Result<PageResponse, PageError> {
    let user = request.signed_in()?;
    let texts = request.texts();
    let reset = Reset {
        devices: form.get("devices") == "disconnect",
        passkeys: form.get("passkeys") == "remove",
    };
    // Before the new password: a user without the present one learns so at once.
    let present = match check_present(&request, &user, &form).await? {
        PresentPassword::Right(_) => None,
        PresentPassword::Wrong => Some(texts.change.wrong.clone()),
        PresentPassword::Wait(seconds) => {
            let problems = FieldProblems {
                present: Some(texts.too_many_attempts(seconds)),
                ..FieldProblems::default()
            };
            let status = StatusCode::TOO_MANY_REQUESTS;
            let response = page(&request, user, status, reset, problems).await?;
            return Ok(response.retry_after(seconds));
        }
    };
    let new = problem_of(&form, &user, texts);
    if present.is_some() || new.is_some() {
        let problems = FieldProblems { present, new };
        return page(&request, user, StatusCode::BAD_REQUEST, reset, problems).await;
    }
    replace(request, user, form.get("password"), reset).await
}

/// The outcome of checking the present password.
pub(super) enum PresentPassword {
    /// The password is right, and this is its hash.
    Right(String),
    Wrong,
    /// There were too many attempts; the seconds to wait.
    Wait(i64),
}

/// Checks the present password. Only wrong passwords are counted, as for signing in, and recorded in
/// the audit trail.
///
/// # Errors
///
/// When the store fails, or the stored hash cannot be read.
pub(super) async fn check_present(
    request: &PageRequest,
    user: &User,
    form: &Form,
) -> Result<PresentPassword, PageError> {
    let limit = Limit::passwords(&request.app.config.identity);
    let subject = Subject::new(format!("password user {}", user.id), limit);
    let _turn = request.app.identity.attempts.enter(&subject).await;
    // The attempt may have waited for its turn, so this is not the time of the request.
    let now = request.app.clock.now().timestamp_millis();
    let name = user.username.clone();
    let store = &request.app.store;
    let counted = [subject];
    let subjects = counted.clone();
    let attempt = move |tx: &mut Tx<'_>| -> Result<_, StoreError> {
        if let Some(seconds) = throttle::wait(tx, &counted, now)? {
            return Ok(Err(seconds));
        }
        Ok(Ok(User::by_username(tx, &name)?.and_then(|(_, hash)| hash)))
    };
    let hash = match store.read(attempt).await? {
        Ok(hash) => hash,
        Err(seconds) => return Ok(PresentPassword::Wait(seconds)),
    };
    let passwords = &request.app.identity.passwords;
    let is_right = passwords.verify(form.get("present"), hash.clone()).await?;
    let (trail, id) = (request.trail(), user.id.clone());
    let count = move |tx: &mut Tx<'_>| -> Result<(), StoreError> {
        if is_right {
            return throttle::reset(tx, &subjects);
        }
        throttle::fail(tx, &subjects, now)?;
        confirm::record_failure(tx, &trail, &id)
    };
    store.write(count).await?;
    Ok(match hash.filter(|_| is_right) {
        Some(hash) => PresentPassword::Right(hash),
        None => PresentPassword::Wrong,
    })
}

/// Sets the password. Every session ends, and this browser gets a new one.
async fn replace(
    mut request: PageRequest,
    user: User,
    password: &str,
    reset: Reset,
) -> Result<PageResponse, PageError> {
    let app = Arc::clone(&request.app);
    let hash = app.identity.passwords.hash(password).await?;
    let key = SessionKey::new(app.random.token());
    let seconds = app.config.identity.session_seconds;
    let trail = request.trail();
    let session = request.new_session(&key, user.id, Proof::Password(hash.clone()));
    let mail_id = app.random.uuid().to_string();
    let before = request.mac();
    let write = move |tx: &mut Tx<'_>| -> Result<bool, StoreError> {
        // A reset may have ended the session after the present password was checked.
        if sessions::find(tx, std::slice::from_ref(&before), session.seen.at)?.is_none() {
            return Ok(false);
        }
        let user = &session.user_id;
        let ended = reset::set_password(tx, user, &hash, reset, session.seen.at)?;
        sessions::start(tx, &session)?;
        let detail = format!("by its user; {ended}");
        trail.record(tx, "identity.password.set", user, &detail)?;
        let means = "password, after its change";
        trail.record(tx, "identity.session.started", user, means)?;
        removed(tx, &trail, user, &mail_id, ended.passkeys)?;
        Ok(true)
    };
    if !app.store.write(write).await? {
        return Ok(PageResponse::see_other("/ui/v1/signin"));
    }
    request.refresh_tokens().await?;
    let cookie = set_cookie(&app, &key, Some(seconds));
    request.renew(key);
    let texts = &request.texts().change;
    let page = Notice {
        frame: request.translated_frame(),
        heading: &texts.done,
        text: match (reset.devices, reset.passkeys) {
            (true, true) => &texts.done_both,
            (true, false) => &texts.done_devices,
            (false, true) => &texts.done_passkeys,
            (false, false) => &texts.done_text,
        },
        link: Some(("/ui/v1/account", &request.texts().account.back)),
    };
    Ok(request
        .translated_page(StatusCode::OK, &page)?
        .with_cookie(Some(cookie)))
}

async fn page(
    request: &PageRequest,
    user: User,
    status: StatusCode,
    reset: Reset,
    problems: FieldProblems,
) -> Result<PageResponse, PageError> {
    let list = move |tx: &mut Tx<'_>| list_of(tx, &user.id);
    let passkeys = request.app.store.read(list).await?;
    let page = ChangePage {
        frame: request.translated_frame(),
        username: user.username,
        present: problems.present,
        problem: problems.new,
        reset,
        has_passkeys: !passkeys.is_empty(),
    };
    let response = request.translated_page(status, &page)?;
    Ok(response.with_scripts(&[REVEAL]))
}
