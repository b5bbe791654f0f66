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
