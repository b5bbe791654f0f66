//! Parts of generated code.

use proc_macro2::{Group, TokenStream, TokenTree};
use syn::{Ident, Item, ItemMod, Type};

/// A group with another content.
pub(super) fn with_content(group: &Group, content: TokenStream) -> TokenTree {
    let mut other = Group::new(group.delimiter(), content);
    other.set_span(group.span());
    TokenTree::Group(other)
}

/// The items of a module.
pub(super) fn module<'a>(items: &'a mut [Item], name: &str) -> Option<&'a mut Vec<Item>> {
    items.iter_mut().find_map(|item| match item {
        Item::Mod(ItemMod {
            ident,
            content: Some((_, items)),
            ..
        }) if ident == name => Some(items),
        _ => None,
    })
}

/// The name of a type, without its module.
pub(super) fn last_segment(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|segment| &segment.ident),
        _ => None,
    }
}
