//! typify's builders: only the types of requests keep them. The fields of the other types are public.

use super::items::{last_segment, module};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::{ImplItem, Item, ext::IdentExt, parse_quote};

/// The types of requests: those that the setters of operations name, the parts of forms, and every type in them.
pub fn built(items: &mut [Item]) -> BTreeSet<String> {
    let mut reached: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut pending: Vec<String> = Vec::new();
    for name in ["types", "open"] {
        for item in module(items, name).into_iter().flatten() {
            let is_form = name == "open" && matches!(item, Item::Struct(_));
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

/// Removes the builders of all other types.
pub fn without_unused(types: &mut Vec<Item>, built: &BTreeSet<String>) {
    let is_built = |item: &Item| match item {
        Item::Struct(item) => built.contains(&item.ident.to_string()),
        Item::Impl(item) => {
            last_segment(&item.self_ty).is_none_or(|name| built.contains(&name.to_string()))
        }
        _ => true,
    };
    if let Some(builder) = module(types, "builder") {
        builder.retain(is_built);
    }
    types.retain_mut(|item| {
        if is_built(item) {
            return true;
        }
        let Item::Impl(item) = item else { return true };
        if item.trait_.is_some() {
            return true;
        }
        item.items.retain(|item| !is_constructor(item));
        !item.items.is_empty()
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

/// Replaces the code of setters by calls of the runtime.
pub fn with_short_setters(types: &mut [Item]) {
    let Some(builder) = module(types, "builder") else {
        return;
    };
    for item in builder {
        let Item::Impl(item) = item else { continue };
        for item in &mut item.items {
            let ImplItem::Fn(method) = item else { continue };
            let name = &method.sig.ident;
            let text = name.unraw().to_string();
            let converts = format!("\"error converting supplied value for {text}: {{e}}\"");
            if method
                .block
                .to_token_stream()
                .to_string()
                .contains(&converts)
            {
                method.block = parse_quote! {{
                    self.#name = ::dropforge_client::property(value, #text);
                    self
                }};
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn builders_stay_for_the_types_of_requests() {
        let file: syn::File = parse_quote! {
            pub mod types {
                pub struct Asked { pub part: Part }
                impl Asked { pub fn builder() -> builder::Asked { Default::default() } }
                pub struct Part { pub a: u8 }
                pub struct Answer { pub part: Part }
                impl Answer { pub fn builder() -> builder::Answer { Default::default() } }
                pub mod builder {
                    pub struct Asked { part: u8 }
                    pub struct Part { a: u8 }
                    pub struct Answer { part: u8 }
                    impl Default for Answer {}
                    impl TryFrom<Answer> for super::Answer {}
                }
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
        let types = module(&mut items, "types").expect("types");
        without_unused(types, &built);
        let written = quote! { #(#types)* }.to_string();
        assert!(
            written.contains("pub struct Answer { pub part : Part }"),
            "{written}"
        );
        assert!(
            !written.contains("builder :: Answer") && !written.contains("for Answer"),
            "{written}"
        );
        assert!(written.contains("-> builder :: Asked"), "{written}");
    }
}
