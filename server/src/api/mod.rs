//! The operations of the four documents, behind the traits that were generated
//! from them.
//!
//! A module an area. Each translates: arguments into what the area speaks, and
//! its outcome into the responses of the operation. Decisions are made in the
//! areas, which know nothing of this.

pub mod accounts;
mod call;
mod challenge;
pub mod identity;
pub mod inference;
pub mod patterns;
mod sentence;

use std::sync::Arc;

use dropshot::ApiDescription;

use crate::app::App;
use crate::area::Area;
use crate::pages;

/// Registers the operations of an area, and its pages where it has some.
///
/// # Errors
///
/// When one of its routes is taken: a mistake in the program.
pub fn register(area: Area, api: &mut ApiDescription<Arc<App>>) -> Result<(), String> {
    use accord::{accounts as a, identity as i, inference as n, patterns as p};
    match area {
        Area::Accounts => a::server::register::<accounts::Service>(api),
        Area::Inference => n::server::register::<inference::Service>(api),
        Area::Patterns => p::server::register::<patterns::Service>(api),
        Area::Identity => {
            pages::register(api).map_err(|error| error.to_string())?;
            i::server::register::<identity::Service>(api)
        }
    }
    .map_err(|error| error.to_string())
}
