//! The page for users who have forgotten their password: it mails them a link.
//!
//! The response does not reveal whether an account exists. It takes one transaction for every
//! name, and the limits count unknown names too.

use askama::Template;
use http::StatusCode;

use super::attempts::name_mac;
use super::page_request::{Form, PageRequest};
use super::response::{Frame, Notice, PageError, PageResponse};
use crate::identity::password_links::PasswordLink;
use crate::identity::throttle::{self, Limit, Subject};
use crate::identity::users::User;
use crate::mail::outbox;
use crate::store::{StoreError, Tx};

#[derive(Template)]
#[template(path = "identity/forgot.html")]
struct ForgotPage {
    frame: Frame,
    username: String,
    problem: Option<String>,
}

/// The form.
///
/// # Errors
///
/// When the template fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    page(&request, StatusCode::OK, "", None)
}

/// Mails a link, if an enabled user has the address.
///
/// # Errors
///
/// When the store fails.
pub async fn submit(request: PageRequest, form: Form) -> Result<PageResponse, PageError> {
    let username = form.get("username").trim().to_owned();
    if !username.contains('@') {
        let problem = request.texts().forgot.empty.clone();
        return page(&request, StatusCode::BAD_REQUEST, &username, Some(problem));
    }
    let (app, config) = (&request.app, &request.app.config.identity);
    let counted = [
        Subject::new(
            format!("link address {}", request.network),
            Limit::passwords(config),
        ),
        Subject::new(
            format!("link name {}", name_mac(&request, &username)),
            Limit::links(config),
        ),
    ];
    let link = PasswordLink::new(&app.server_keys, &app.random.uuid().to_string());
    let (trail, now, name) = (request.trail(), request.now, username.clone());
    let post = move |tx: &mut Tx<'_>| -> Result<Option<i64>, StoreError> {
        if let Some(seconds) = throttle::wait(tx, &counted, now)? {
            return Ok(Some(seconds));
        }
        throttle::fail(tx, &counted, now)?;
        if let Some((user, _)) = User::by_username(tx, &name)? {
            outbox::post_reset(tx, &link, &user.id, trail.time())?;
            trail.record(tx, "identity.password.requested", &user.id, "")?;
        }
        Ok(None)
    };
    if let Some(seconds) = app.store.write(post).await? {
        let problem = Some(request.texts().too_many_attempts(seconds));
        let response = page(&request, StatusCode::TOO_MANY_REQUESTS, &username, problem)?;
        return Ok(response.retry_after(seconds));
    }
    let texts = &request.texts().forgot;
    let page = Notice {
        frame: request.translated_frame(),
        heading: &texts.sent,
        text: &texts.sent_text,
        link: Some(("/ui/v1/signin", texts.back.as_str())),
    };
    request.translated_page(StatusCode::OK, &page)
}

fn page(
    request: &PageRequest,
    status: StatusCode,
    username: &str,
    problem: Option<String>,
) -> Result<PageResponse, PageError> {
    let page = ForgotPage {
        frame: request.translated_frame(),
        username: username.chars().take(320).collect(),
        problem,
    };
    request.translated_page(status, &page)
}
