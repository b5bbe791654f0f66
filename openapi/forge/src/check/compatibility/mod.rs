//! The effect of a change to a document on its clients and servers.
//!
//! Two sets decide: the requests that a document allows, and the responses. Clients break
//! if the document allows fewer requests than before, or responses that they do not know.
//! The server has to follow if fewer responses are allowed. More requests are an addition.
//! Everything below says of a pair of nodes whether the new one is narrower or
//! wider, and [`Shift::class`](comparison::Shift::class) says what that means in which direction.
//!
//! The service also sends requests: callbacks and webhooks. There the directions are opposite: clients
//! break if the service sends other requests than before, or accepts fewer responses.
//!
//! Objects are open, as JSON's are by convention: one more property in a response is an addition,
//! unless the schema closes the object.
//!
//! The walk is our own, since it has to cover every construct of our documents.
//! The crate `drift` (0.2) does not classify 18 of the 25 changes that it distinguishes in schemas,
//! and panics on some documents. [`drift_check`] asks it as well, and reports each change that only
//! `drift` finds.

mod bodies;
mod bounds;
mod calls;
mod comparison;
mod documentation;
mod drift_check;
mod members;
mod operations;
mod parts;
mod schemas;
mod security;
mod unions;

use std::collections::HashSet;

use crate::document::Document;
use crate::stack::on_deep_stack;

use comparison::Comparison;
pub use comparison::{Change, Class, Side};

/// The changes from one document to another, the gravest first.
pub fn compare(old: &Document, new: &Document) -> Vec<Change> {
    // A chain of schemas can be as long as the document.
    on_deep_stack(|| changes(old, new))
}

fn changes(old: &Document, new: &Document) -> Vec<Change> {
    let mut comparison = Comparison::new(old, new);
    comparison.operations();
    comparison.unknown_paths();
    let of_webhooks = calls::of_webhooks(old, new, &mut comparison);
    comparison.changes.extend(of_webhooks);
    comparison.documentation();
    comparison.add_drift_findings();
    let mut reported = HashSet::new();
    let mut changes = comparison.changes;
    changes.retain(|change| reported.insert(change.clone()));
    changes.sort_by_key(|change| change.class);
    changes
}

#[cfg(test)]
mod tests;
