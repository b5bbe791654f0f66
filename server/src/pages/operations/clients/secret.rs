//! The page that shows the new secret of a client, in the response to the form that requested it.
//!
//! No address leads to it, and the browser does not store it.

use askama::Template;
use http::StatusCode;

use crate::pages::assets::COPY;
use crate::pages::page_request::PageRequest;
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
