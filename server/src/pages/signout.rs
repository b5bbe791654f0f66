//! The page for signing out.

use std::sync::Arc;

use askama::Template;
use dropshot::{Body, HttpError, RequestContext, UntypedBody, endpoint};
use http::{Response, StatusCode};

use super::page_request::PageRequest;
use super::response::{Frame, Notice, PageError, PageResponse, respond};
use crate::app::App;
use crate::identity::sessions;
use crate::store::StoreError;

#[derive(Template)]
#[template(path = "identity/signout.html")]
struct SignOutPage {
    frame: Frame,
}

/// The confirmation. A link alone does not sign a user out.
#[endpoint { method = GET, path = "/ui/v1/signout", unpublished = true }]
pub async fn show(rqctx: RequestContext<Arc<App>>) -> Result<Response<Body>, HttpError> {
    respond(&rqctx, question(&rqctx)).await
}

/// Ends the session.
#[endpoint { method = POST, path = "/ui/v1/signout", unpublished = true }]
pub async fn submit(
    rqctx: RequestContext<Arc<App>>,
    body: UntypedBody,
) -> Result<Response<Body>, HttpError> {
    respond(&rqctx, sign_out(&rqctx, &body)).await
}

async fn question(rqctx: &RequestContext<Arc<App>>) -> Result<PageResponse, PageError> {
    let request = PageRequest::of(rqctx).await?;
    let frame = request.frame();
    match request.user {
        Some(_) => request.page(StatusCode::OK, &SignOutPage { frame }),
        None => Ok(PageResponse::see_other("/ui/v1/signin")),
    }
}

async fn sign_out(
    rqctx: &RequestContext<Arc<App>>,
    body: &UntypedBody,
) -> Result<PageResponse, PageError> {
    let mut request = PageRequest::of(rqctx).await?;
    request.form(body)?;
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
    let page = Notice {
        frame: request.frame(),
        heading: "Signed out",
        text: "Nobody is signed in with this browser any more.",
        link: Some(("/ui/v1/signin", "Sign in again")),
    };
    Ok(request.page(StatusCode::OK, &page)?.clearing_cache())
}
