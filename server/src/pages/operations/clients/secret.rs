//! The page that shows the new secret of a client, in the response to the form that requested it.
//!
//! No address leads to it, and the browser does not store it.

use askama::Template;
use http::StatusCode;

use crate::identity::clients::secret_of;
use crate::pages::assets::COPY;
use crate::pages::once::once;
use crate::pages::page_request::{Form, PageRequest};
use crate::pages::response::{Frame, PageError, PageResponse};

#[derive(Template)]
#[template(path = "console/client_secret.html")]
struct SecretPage<'a> {
    frame: Frame,
    heading: &'static str,
    id: &'a str,
    secret: &'a str,
    /// Whether another secret is valid, too.
    is_second: bool,
}

/// The secret that a form makes. A form that is sent twice makes the same one, so that a response
/// that was lost is repeated.
///
/// # Errors
///
/// When nobody is signed in, or the form has no token against repetition.
pub fn of_form(request: &PageRequest, form: &Form) -> Result<String, PageError> {
    let user = request.signed_in()?;
    let data = [&user.id, form.get("id"), once(form)?].join("\0");
    let mac = request
        .app
        .server_keys
        .mac("client secret of a form", data.as_bytes());
    let bytes = mac.last_chunk().ok_or(PageError::Unreadable)?;
    Ok(secret_of(bytes))
}

/// The page.
///
/// # Errors
///
/// When the template fails.
pub fn shown(
    request: &PageRequest,
    id: &str,
    secret: &str,
    is_second: bool,
) -> Result<PageResponse, PageError> {
    let page = SecretPage {
        frame: request.frame(),
        heading: match is_second {
            true => "Secret added",
            false => "Client registered",
        },
        id,
        secret,
        is_second,
    };
    Ok(request.page(StatusCode::OK, &page)?.with_scripts(&[COPY]))
}
