//! The page for setting a password with the link of a mail.
//!
//! The accounts area posts the mail and owns the table of its tokens. A token
//! is valid once, and is stored as a keyed hash.

use std::time::Duration;

use askama::Template;
use http::StatusCode;

use super::page_request::{Form, PageRequest};
use super::response::{Frame, Notice, PageError, PageResponse};
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
    let page = PasswordPage {
        frame: request.frame(),
        username: user.username,
        token,
        problem: None,
    };
    request.page(StatusCode::OK, &page)
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
    let problem = match passwords::fit(password, &user.username) {
        Err(unfit) => Some(unfit.to_string()),
        Ok(()) if password != form.get("again") => {
            Some("The two passwords are not the same.".to_owned())
        }
        Ok(()) => None,
    };
    if problem.is_some() {
        let page = PasswordPage {
            frame: request.frame(),
            username: user.username,
            token: token.to_owned(),
            problem,
        };
        return request.page(StatusCode::BAD_REQUEST, &page);
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
    let identity = &request.app.identity;
    identity
        .token_cache
        .follow(identity, Duration::ZERO)
        .await?;
    request.user = None;
    let page = Notice {
        frame: request.frame(),
        heading: "Password set",
        text: match ended == Ended::default() {
            true => "You can sign in with it now.",
            false => {
                "You can sign in with it now. Nothing else that had access to your account has it \
                 any more: browsers are signed out, devices disconnected and passkeys removed."
            }
        },
        link: Some(("/ui/v1/signin", "Sign in")),
    };
    request.page(StatusCode::OK, &page)
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
    let page = Notice {
        frame: request.frame(),
        heading: "This link is no longer valid",
        text: "It has been used, or it is too old. You can get another one by email.",
        link: Some(("/ui/v1/forgot", "Get another link")),
    };
    request.page(StatusCode::BAD_REQUEST, &page)
}
