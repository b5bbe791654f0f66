//! The documents, published by the service that keeps them.
//!
//! `GET /openapi` lists them, `/openapi/{area}.json` and `.yaml` return them with `servers` naming
//! this service, and `/docs` is the reference page, on which
//! people read and try them. The page loads nothing from elsewhere,
//! so it works without a network. Every listener publishes all of it, because a page can call only
//! its own origin.

mod docs;
mod documents;
mod etag;

use std::sync::Arc;

use dropshot::{ApiDescription, ApiDescriptionRegisterError};

use crate::app::App;
use crate::ops::head;

/// Registers `/`, `/docs` and `/openapi`.
///
/// # Errors
///
/// When one of the routes is taken.
pub fn register(api: &mut ApiDescription<Arc<App>>) -> Result<(), ApiDescriptionRegisterError> {
    head::register(api, || docs::root)?;
    head::register(api, || docs::page)?;
    head::register(api, || docs::asset)?;
    head::register(api, || documents::list)?;
    head::register(api, || documents::fetch)
}
