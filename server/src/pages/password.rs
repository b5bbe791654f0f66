//! The page for setting a password with the link of a mail.
//!
//! The accounts area posts the mail and owns the table of its tokens. A token
//! is valid once, and is stored as a keyed hash.

use askama::Template;
use http::StatusCode;

use super::assets::REVEAL;
use super::page_request::{Form, PageRequest};
use super::response::{Frame, Notice, PageError, PageResponse};
use super::texts::Texts;
use crate::identity::password_links;
use crate::identity::passwords;
use crate::identity::reset::{self, Ended, Reset};
use crate::identity::users::User;
use crate::mail::passkeys::removed;
use crate::store::{StoreError, Tx};

#[derive(Template)]
#[template(path = "identity/password.html")]
struct PasswordPage {
    frame: Frame,
    username: String,
    token: String,
    problem: Option<String>,
}

/// The form, for users with a valid link.
///
/// # Errors
///
/// When the store fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    let token = request.query("token").unwrap_or_default().to_owned();
    let Some(user) = owner(&request, &token).await? else {
        return no_longer_valid(&request);
    };
    page(&request, StatusCode::OK, user, token, None)
}

fn page(
    request: &PageRequest,
    status: StatusCode,
    user: User,
    token: String,
    problem: Option<String>,
) -> Result<PageResponse, PageError> {
    let page = PasswordPage {
        frame: request.translated_frame(),
        username: user.username,
        token,
        problem,
    };
    let response = request.translated_page(status, &page)?;
    Ok(response.with_scripts(&[REVEAL]))
}

/// Why the new password of a form cannot be used, if it cannot.
pub(super) fn problem_of(form: &Form, user: &User, texts: &Texts) -> Option<String> {
    let password = form.get("password");
    match passwords::check(password, &user.username) {
        Err(unfit) => Some(texts.unfit(unfit)),
        Ok(()) if password != form.get("again") => Some(texts.password.differ.clone()),
        Ok(()) => None,
    }
}

/// Sets the new password.
///
/// # Errors
///
/// When the store fails.
pub async fn submit(mut request: PageRequest, form: Form) -> Result<PageResponse, PageError> {
    let token = form.get("token");
    let Some(user) = owner(&request, token).await? else {
        return no_longer_valid(&request);
    };
    let password = form.get("password");
    let problem = problem_of(&form, &user, request.texts());
    if problem.is_some() {
        let token = token.to_owned();
        return page(&request, StatusCode::BAD_REQUEST, user, token, problem);
    }

    let hash = request.app.identity.passwords.hash(password).await?;
    let macs = password_links::macs(&request.app.server_keys, token);
    let now = request.now;
    let trail = request.trail().of_user(&user.id);
    let mail_id = request.app.random.uuid().to_string();
    let write = move |tx: &mut Tx<'_>| -> Result<Option<Ended>, StoreError> {
        if !password_links::redeem(tx, &macs, now)? {
            return Ok(None);
        }
        let ended = reset::set_password(tx, &user.id, &hash, Reset::ALL, now)?;
        let detail = format!("with a link; {ended}");
        trail.record(tx, "identity.password.set", &user.id, &detail)?;
        removed(tx, &trail, &user.id, &mail_id, ended.passkeys.clone())?;
        Ok(Some(ended))
    };
    let Some(ended) = request.app.store.write(write).await? else {
        return no_longer_valid(&request);
    };
    request.refresh_tokens().await?;
    request.user = None;
    let texts = request.texts();
    let page = Notice {
        frame: request.translated_frame(),
        heading: &texts.password.set,
        text: match ended == Ended::default() {
            true => &texts.password.set_text,
            false => &texts.password.set_text_ended,
        },
        link: Some(("/ui/v1/signin", texts.sign_in.submit.as_str())),
    };
    // The user may have been signed in with this browser.
    let response = request.translated_page(StatusCode::OK, &page)?;
    Ok(response.clearing_cache())
}

async fn owner(request: &PageRequest, token: &str) -> Result<Option<User>, StoreError> {
    let macs = password_links::macs(&request.app.server_keys, token);
    let now = request.now;
    request
        .app
        .store
        .read(move |tx| password_links::owner(tx, &macs, now))
        .await
}

fn no_longer_valid(request: &PageRequest) -> Result<PageResponse, PageError> {
    let texts = &request.texts().password;
    let page = Notice {
        frame: request.translated_frame(),
        heading: &texts.old_link,
        text: &texts.old_link_text,
        link: Some(("/ui/v1/forgot", texts.another_link.as_str())),
    };
    request.translated_page(StatusCode::BAD_REQUEST, &page)
}
