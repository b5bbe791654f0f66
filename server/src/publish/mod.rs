//! The documents, published by the service that keeps them.
//!
//! `GET /openapi` lists them, `/openapi/{area}.json` and `.yaml` hand them out
//! with `servers` naming this service, and `/docs` is a page to read and try
//! them. The page loads nothing from elsewhere, so it works without a network.
//! Every listener publishes all of it: a page can call only what is served where
//! it comes from.

mod docs;
mod documents;
mod etag;
pub(crate) mod reply;

use std::sync::Arc;

use dropshot::{ApiDescription, ApiDescriptionRegisterError, Body, HttpError, RequestContext};
use http::Response;

use crate::app::App;
use crate::ops::access;

/// Registers `/`, `/docs` and `/openapi`.
///
/// # Errors
///
/// When one of the routes is taken.
pub fn register(api: &mut ApiDescription<Arc<App>>) -> Result<(), ApiDescriptionRegisterError> {
    api.register(docs::root)?;
    api.register(docs::page)?;
    api.register(docs::asset)?;
    api.register(documents::list)?;
    api.register(documents::fetch)
}

/// Answers, and has the log say so.
async fn logged(
    call: &RequestContext<Arc<App>>,
    path: &'static str,
    answer: impl Future<Output = Result<Response<Body>, HttpError>>,
) -> Result<Response<Body>, HttpError> {
    access::logged(call, "publish", path, answer).await
}
