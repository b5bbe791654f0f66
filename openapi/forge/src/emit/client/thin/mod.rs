//! Shortens progenitor's and typify's code: removes unused code, and calls the runtime instead of repeating code.
//!
//! Every rewrite matches the exact form that it replaces, and keeps other code unchanged.

mod builders;
mod items;
mod requests;
mod structs;

use syn::Item;

use items::module;

/// Shortens the code of a client.
pub fn thin(items: &mut [Item]) {
    let built = builders::built(items);
    if let Some(types) = module(items, "types") {
        builders::without_unused(types, &built);
        builders::with_short_setters(types);
        structs::with_readers(types);
    }
    if let Some(builder) = module(items, "builder") {
        requests::shorten(builder);
    }
}
