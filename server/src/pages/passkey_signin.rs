//! Signing in with a passkey.

use std::sync::Arc;

use dropshot::{Body, HttpError, RequestContext, UntypedBody, endpoint};
use http::Response;

use super::page_request::PageRequest;
use super::response::{PageError, PageResponse, respond};
use super::{passkeys, signin};
use crate::app::App;

/// Signs in with a passkey instead of name and password.
#[endpoint {
    method = POST,
    path = "/ui/v1/signin/passkey",
    request_body_max_bytes = 65_536,
    unpublished = true,
}]
pub async fn submit(
    rqctx: RequestContext<Arc<App>>,
    body: UntypedBody,
) -> Result<Response<Body>, HttpError> {
    respond(&rqctx, present(&rqctx, &body)).await
}

async fn present(
    rqctx: &RequestContext<Arc<App>>,
    body: &UntypedBody,
) -> Result<PageResponse, PageError> {
    let request = PageRequest::of(rqctx).await?;
    let form = request.form(body)?;
    let party = passkeys::party(&request).ok_or(PageError::Unreadable)?;
    let ceremony = passkeys::ceremony(&request, &form)?;
    let (user, passkey) =
        match passkeys::check(&request, &party, ceremony, form.get("credential")).await? {
            Ok(found) => found,
            Err(error) => {
                tracing::info!(%error, "a passkey was not accepted");
                let problem = "The passkey was not accepted. Try again, or use your password.";
                return signin::refuse_passkey(&request, &form, problem).await;
            }
        };
    signin::start_with_passkey(&request, &form, user, passkey).await
}
