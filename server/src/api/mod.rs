//! The operations of the four documents, behind the traits that were generated
//! from them.
//!
//! A module an area. Each translates: arguments into what the area speaks, and
//! its outcome into the responses of the operation. Decisions are made in the
//! areas, which know nothing of this.

pub mod accounts;
mod audit_context;
mod challenge;
pub mod identity;
pub mod inference;
pub mod patterns;
mod retry;

use std::net::IpAddr;
use std::sync::Arc;

use dropforge_runtime::{Call, Location, Violation};
use dropshot::ApiDescription;

use crate::app::App;
use crate::area::Area;
use crate::pages;

/// The address of whoever makes a call.
fn caller_address(call: &Call<Arc<App>>) -> IpAddr {
    let proxies = &call.context().proxies;
    let caller = proxies.caller(call.remote_addr().ip(), call.headers());
    caller.address
}

/// A reason as a sentence.
fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).chain(['.']).collect()
}

/// A violation as a sentence. A member of a body keeps its case.
fn sentence(violation: &Violation) -> String {
    let text = violation.to_string();
    match violation.location {
        Location::Body => text + ".",
        _ => capitalized(&text),
    }
}

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
