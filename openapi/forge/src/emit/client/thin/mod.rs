//! progenitor's and typify's code, without what nobody uses and with calls of the runtime for what repeats.
//!
//! Every rewrite asks for the exact form that it replaces and leaves other code as it is.

mod builders;
mod requests;
mod structs;

use syn::{Ident, Item, ItemMod, Type};

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

/// The items of a module.
fn module<'a>(items: &'a mut [Item], name: &str) -> Option<&'a mut Vec<Item>> {
    items.iter_mut().find_map(|item| match item {
        Item::Mod(ItemMod {
            ident,
            content: Some((_, items)),
            ..
        }) if ident == name => Some(items),
        _ => None,
    })
}

/// The name of the type that an implementation is of.
fn last_segment(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|segment| &segment.ident),
        _ => None,
    }
}
