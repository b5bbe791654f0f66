//! The published OpenAPI documents and the reference page.
//!
//! `GET /openapi` lists the documents. `/openapi/{area}.json` and `.yaml` return one, whose `servers`
//! name this service. On `/docs`, people read the documents and try their operations.
//!
//! Every listener publishes all of it, because a page can call only its own origin.

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
/// When one of the routes exists already.
pub fn register(api: &mut ApiDescription<Arc<App>>) -> Result<(), ApiDescriptionRegisterError> {
    head::register(api, || docs::root)?;
    head::register(api, || docs::page)?;
    head::register(api, || docs::asset)?;
    head::register(api, || documents::list)?;
    head::register(api, || documents::fetch)
}
