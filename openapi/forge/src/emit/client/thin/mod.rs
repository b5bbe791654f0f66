//! progenitor's and typify's code, without what nobody uses and with calls of the runtime for what repeats.
//!
//! Every rewrite asks for the exact form that it replaces and leaves other code as it is.

mod builders;
mod items;
mod requests;
mod structs;

use syn::Item;

use items::module;

/// Thins out the code of a client.
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
