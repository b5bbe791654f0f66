//! Signing out.

use std::sync::Arc;

use askama::Template;
use dropshot::{Body, HttpError, RequestContext, UntypedBody, endpoint};
use http::{Response, StatusCode};

use super::answer::{Answer, Frame, Notice, PageError, respond};
use super::page_request::PageRequest;
use crate::app::App;
use crate::identity::sessions;
use crate::store::StoreError;

#[derive(Template)]
#[template(path = "identity/signout.html")]
struct SignOutPage {
    frame: Frame,
}

/// The question. A link alone signs nobody out.
#[endpoint { method = GET, path = "/ui/v1/signout", unpublished = true }]
pub async fn show(rqctx: RequestContext<Arc<App>>) -> Result<Response<Body>, HttpError> {
    respond(&rqctx, question(&rqctx)).await
}

/// The end of the session.
#[endpoint { method = POST, path = "/ui/v1/signout", unpublished = true }]
pub async fn submit(
    rqctx: RequestContext<Arc<App>>,
    body: UntypedBody,
) -> Result<Response<Body>, HttpError> {
    respond(&rqctx, sign_out(&rqctx, &body)).await
}

async fn question(rqctx: &RequestContext<Arc<App>>) -> Result<Answer, PageError> {
    let request = PageRequest::of(rqctx).await?;
    let frame = request.frame();
    match request.user {
        Some(_) => request.page(StatusCode::OK, &SignOutPage { frame }),
        None => Ok(Answer::see_other("/ui/v1/signin")),
    }
}

async fn sign_out(
    rqctx: &RequestContext<Arc<App>>,
    body: &UntypedBody,
) -> Result<Answer, PageError> {
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
