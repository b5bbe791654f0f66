//! Shortens progenitor's and typify's code: removes unused code, and calls the runtime instead of repeating code.
//!
//! Every rewrite matches the exact form that it replaces, and keeps other code unchanged.

mod builders;
mod constructors;
mod items;
mod messages;
mod requests;
mod structs;

use std::collections::BTreeSet;
use syn::Item;

use items::module;

/// Shortens the code of a client.
pub fn thin(items: &mut [Item]) {
    let built = builders::built(items);
    let mut defaults = BTreeSet::new();
    if let Some(types) = module(items, "types") {
        builders::without_builders(types);
        defaults = constructors::with_constructors(types, &built);
        structs::with_readers(types);
    }
    if let Some(builder) = module(items, "builder") {
        builders::with_types(builder, &defaults);
        requests::shorten(builder);
    }
}
