//! The types of requests, which have constructors in place of typify's builders.

use super::super::items::{last_segment, module, with_content};
use super::super::progenitor::OPEN;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::{Expr, ImplItem, Item, Member, Stmt, Type, parse_quote};

/// The types of requests: those that the setters of operations name, the parts of forms, and every type in them.
pub fn built(items: &mut [Item]) -> BTreeSet<String> {
    let mut reached: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut pending: Vec<String> = Vec::new();
    for name in ["types", OPEN] {
        for item in module(items, name).into_iter().flatten() {
            let is_form = name == OPEN && matches!(item, Item::Struct(_));
            let (ident, tokens) = match item {
                Item::Struct(item) => (&item.ident, item.fields.to_token_stream()),
                Item::Enum(item) => (&item.ident, item.variants.to_token_stream()),
                Item::Type(item) => (&item.ident, item.ty.to_token_stream()),
                _ => continue,
            };
            if is_form {
                pending.push(ident.to_string());
            }
            let mut names = BTreeSet::new();
            identifiers(tokens, &mut names);
            reached.entry(ident.to_string()).or_default().extend(names);
        }
    }
    for item in module(items, "builder").into_iter().flatten() {
        let mut names = BTreeSet::new();
        match item {
            Item::Struct(item) => identifiers(item.fields.to_token_stream(), &mut names),
            Item::Impl(item) => {
                for item in &item.items {
                    if let ImplItem::Fn(method) = item {
                        let (inputs, generics) = (&method.sig.inputs, &method.sig.generics);
                        identifiers(inputs.to_token_stream(), &mut names);
                        identifiers(generics.params.to_token_stream(), &mut names);
                        identifiers(generics.where_clause.to_token_stream(), &mut names);
                    }
                }
            }
            _ => {}
        }
        pending.extend(names);
    }
    let mut built = BTreeSet::new();
    while let Some(name) = pending.pop() {
        if let Some(names) = reached.get(&name)
            && built.insert(name)
        {
            pending.extend(names.iter().cloned());
        }
    }
    built
}

fn identifiers(tokens: TokenStream, names: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                names.insert(ident.to_string());
            }
            TokenTree::Group(group) => identifiers(group.stream(), names),
            _ => {}
        }
    }
}

/// Removes the builders: types of requests have constructors.
pub fn without_builders(types: &mut Vec<Item>) {
    types.retain_mut(|item| match item {
        Item::Mod(module) => module.ident != "builder",
        Item::Impl(item) if item.trait_.is_none() => {
            item.items.retain(|item| !is_constructor(item));
            !item.items.is_empty()
        }
        _ => true,
    });
}

/// Whether this is the method that creates a builder.
fn is_constructor(item: &ImplItem) -> bool {
    let ImplItem::Fn(method) = item else {
        return false;
    };
    let output = method.sig.output.to_token_stream().to_string();
    method.sig.ident == "builder" && output.starts_with("-> builder ::")
}

/// Names the types in place of their builders. A body without a default value has to be set.
pub fn with_types(operations: &mut [Item], defaults: &BTreeSet<String>) {
    let mut unset = BTreeSet::new();
    for item in operations.iter_mut() {
        match item {
            Item::Struct(item) => {
                let mut bodies = item.fields.iter().filter_map(|field| body_of(&field.ty));
                if bodies.any(|name| !defaults.contains(&name)) {
                    unset.insert(item.ident.to_string());
                }
            }
            Item::Impl(item)
                if last_segment(&item.self_ty)
                    .is_some_and(|name| unset.contains(&name.to_string())) =>
            {
                item.items.iter_mut().for_each(without_default);
            }
            _ => {}
        }
        let written = without_module(item.to_token_stream());
        if let Ok(written) = syn::parse2(written) {
            *item = written;
        }
    }
}

/// The type in `Result<types::builder::Type, String>`.
fn body_of(ty: &Type) -> Option<String> {
    let text = ty.to_token_stream().to_string();
    let name = text.strip_prefix("Result < types :: builder :: ")?;
    Some(name.strip_suffix(" , String >")?.to_owned())
}

/// Replaces the default value of the body in the method `new`.
fn without_default(item: &mut ImplItem) {
    let ImplItem::Fn(method) = item else { return };
    if method.sig.ident != "new" {
        return;
    }
    let Some(Stmt::Expr(Expr::Struct(value), None)) = method.block.stmts.last_mut() else {
        return;
    };
    let default: Expr = parse_quote! { Ok(::std::default::Default::default()) };
    let default = default.to_token_stream().to_string();
    for field in &mut value.fields {
        if matches!(&field.member, Member::Named(name) if name == "body")
            && field.expr.to_token_stream().to_string() == default
        {
            field.expr = parse_quote! { Err("body was not initialized".to_string()) };
        }
    }
}

/// Replaces `types::builder::` by `types::`.
fn without_module(tokens: TokenStream) -> TokenStream {
    let mut result: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let TokenTree::Group(group) = token else {
            result.push(token);
            // `types`, two colons, `builder`, two colons.
            if let [.., types, _, _, builder, _, second] = result.as_slice()
                && matches!(types, TokenTree::Ident(name) if name == "types")
                && matches!(builder, TokenTree::Ident(name) if name == "builder")
                && matches!(second, TokenTree::Punct(mark) if mark.as_char() == ':')
            {
                result.truncate(result.len() - 3);
            }
            continue;
        };
        result.push(with_content(&group, without_module(group.stream())));
    }
    result.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn the_types_of_requests_are_those_that_operations_take() {
        let file: syn::File = parse_quote! {
            pub mod types {
                pub struct Asked { pub part: Part }
                pub struct Part { pub a: u8 }
                pub struct Answer { pub part: Part }
            }
            pub mod builder {
                pub struct Ask<'a> { client: &'a super::Client }
                impl<'a> Ask<'a> {
                    pub fn body<V>(self, value: V) -> Self where V: TryInto<types::Asked> { self }
                    pub async fn send(self) -> Result<types::Answer, ()> { todo!() }
                }
            }
        };
        let mut items = file.items;
        let built = built(&mut items);
        assert_eq!(built.iter().collect::<Vec<_>>(), ["Asked", "Part"]);
    }

    #[test]
    fn typifys_builders_are_removed() {
        let file: syn::File = parse_quote! {
            pub struct Asked { pub a: u8 }
            impl Asked { pub fn builder() -> builder::Asked { Default::default() } }
            impl Asked { pub fn other() {} }
            pub mod builder { pub struct Asked { a: u8 } }
        };
        let mut items = file.items;
        without_builders(&mut items);
        let written = quote! { #(#items)* }.to_string();
        let expected = quote! { pub struct Asked { pub a: u8 } impl Asked { pub fn other() {} } };
        assert_eq!(written, expected.to_string());
    }

    #[test]
    fn operations_hold_the_types_of_their_bodies() {
        let file: syn::File = parse_quote! {
            pub struct Ask { body: Result<types::builder::Asked, String> }
            impl Ask {
                pub fn new() -> Self { Self { body: Ok(::std::default::Default::default()) } }
                pub fn body_map<F>(self, f: F) where F: FnOnce(types::builder::Asked) -> types::builder::Asked {}
            }
            pub struct Tell { body: Result<types::builder::Told, String> }
            impl Tell {
                pub fn new() -> Self { Self { body: Ok(::std::default::Default::default()) } }
            }
        };
        let mut items = file.items;
        with_types(&mut items, &BTreeSet::from(["Told".to_owned()]));
        let expected = quote! {
            pub struct Ask { body: Result<types::Asked, String> }
            impl Ask {
                pub fn new() -> Self { Self { body: Err("body was not initialized".to_string()) } }
                pub fn body_map<F>(self, f: F) where F: FnOnce(types::Asked) -> types::Asked {}
            }
            pub struct Tell { body: Result<types::Told, String> }
            impl Tell {
                pub fn new() -> Self { Self { body: Ok(::std::default::Default::default()) } }
            }
        };
        let written: syn::File = parse_quote! { #(#items)* };
        let expected: syn::File = parse_quote! { #expected };
        assert_eq!(
            written.to_token_stream().to_string(),
            expected.to_token_stream().to_string()
        );
    }
}
