//! The operations of the four documents, behind the generated traits.
//!
//! Each area has a module. It translates arguments into the terms of the area, and the area's
//! outcome into the responses of the operation. The areas make the decisions, and know nothing of
//! this module.

pub mod accounts;
mod call;
mod challenge;
pub mod identity;
pub mod inference;
pub mod patterns;
mod sentence;
mod unavailable;

use std::sync::Arc;

use dropshot::ApiDescription;

use crate::app::App;
use crate::area::Area;
use crate::pages;

/// Registers the operations of an area, and its pages if it has some.
///
/// # Errors
///
/// When one of its routes is registered already, which is a mistake in the program.
pub fn register(area: Area, api: &mut ApiDescription<Arc<App>>) -> Result<(), String> {
    match area {
        Area::Accounts => accord_accounts_server::register::<accounts::Service>(api),
        Area::Inference => accord_inference_server::register::<inference::Service>(api),
        Area::Patterns => accord_patterns_server::register::<patterns::Service>(api),
        Area::Identity => {
            pages::register(api).map_err(|error| error.to_string())?;
            accord_identity_server::register::<identity::Service>(api)
        }
    }
    .map_err(|error| error.to_string())
}
