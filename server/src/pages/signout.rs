//! The page for signing out.

use askama::Template;
use http::StatusCode;

use super::page_request::{Form, PageRequest};
use super::response::{Frame, Notice, PageError, PageResponse};
use crate::identity::sessions;
use crate::store::StoreError;

#[derive(Template)]
#[template(path = "identity/signout.html")]
struct SignOutPage {
    frame: Frame,
}

/// The confirmation. A link alone does not sign a user out.
///
/// # Errors
///
/// When nobody is signed in.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    request.signed_in()?;
    let frame = request.translated_frame();
    request.translated_page(StatusCode::OK, &SignOutPage { frame })
}

/// Ends the session.
///
/// # Errors
///
/// When the store fails.
pub async fn submit(mut request: PageRequest, _: Form) -> Result<PageResponse, PageError> {
    let mac = request.mac();
    let (trail, user) = (request.trail(), request.user.take());
    request
        .app
        .store
        .write(move |tx| -> Result<(), StoreError> {
            sessions::end(tx, mac)?;
            match &user {
                Some(user) => trail.record(tx, "identity.session.ended", &user.id, "signed out"),
                None => Ok(()),
            }
        })
        .await?;
    let texts = &request.texts().signing_out;
    let page = Notice {
        frame: request.translated_frame(),
        heading: &texts.done,
        text: &texts.done_text,
        link: Some(("/ui/v1/signin", &texts.again)),
    };
    let response = request.translated_page(StatusCode::OK, &page)?;
    Ok(response.clearing_cache())
}
