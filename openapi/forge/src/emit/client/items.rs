//! Parts of generated code.

use proc_macro2::{Group, TokenStream, TokenTree};
use syn::{GenericArgument, Ident, Item, ItemMod, PathArguments, Type};

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

/// The types among the generic arguments of a type.
pub(super) fn arguments(ty: &Type) -> Vec<&Type> {
    let Type::Path(path) = ty else {
        return Vec::new();
    };
    let last = path.path.segments.last();
    let Some(PathArguments::AngleBracketed(arguments)) = last.map(|last| &last.arguments) else {
        return Vec::new();
    };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.collect()
}

/// The only argument of a type with this name: `T` in `Vec<T>`.
pub(super) fn argument<'t>(ty: &'t Type, name: &str) -> Option<&'t Type> {
    match arguments(ty)[..] {
        [only] if last_segment(ty)? == name => Some(only),
        _ => None,
    }
}
