//! The addresses that people guess: the console itself, `/login` and `/account`.

use std::sync::Arc;

use dropshot::{Body, HttpError, RequestContext, endpoint};
use http::Response;

use super::page_request::PageRequest;
use super::response::{PageError, PageResponse};
use crate::app::App;
use crate::ops::{access, reply};

/// Redirects to the first section.
///
/// # Errors
///
/// None in practice.
pub async fn show(_: PageRequest) -> Result<PageResponse, PageError> {
    Ok(PageResponse::see_other("/ui/v1/keys"))
}

/// Redirects to the page for signing in.
#[endpoint { method = GET, path = "/login", unpublished = true }]
pub async fn login(call: RequestContext<Arc<App>>) -> Result<Response<Body>, HttpError> {
    access::logged(&call, "pages", "/login", async {
        reply::redirect("/ui/v1/signin")
    })
    .await
}

/// Redirects to the page of the account.
#[endpoint { method = GET, path = "/account", unpublished = true }]
pub async fn account(call: RequestContext<Arc<App>>) -> Result<Response<Body>, HttpError> {
    access::logged(&call, "pages", "/account", async {
        reply::redirect("/ui/v1/account")
    })
    .await
}
