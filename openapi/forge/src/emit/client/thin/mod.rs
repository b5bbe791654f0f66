//! Shortens progenitor's and typify's code: removes unused code, and calls the runtime instead of repeating code.
//!
//! Every rewrite matches the exact form that it replaces, and keeps other code unchanged.

mod builders;
mod constructors;
mod messages;
mod requests;
mod structs;

use std::collections::BTreeSet;
use syn::Item;

use super::{items::module, progenitor::OPEN};

/// Shortens the code of a client.
pub fn thin(items: &mut Vec<Item>) {
    // It only exports the client a second time.
    items.retain(|item| !matches!(item, Item::Mod(module) if module.ident == "prelude"));
    let built = builders::built(items);
    let mut names = BTreeSet::new();
    for module_name in ["types", OPEN] {
        let items = module(items, module_name).into_iter().flatten();
        names.extend(items.filter_map(|item| constructors::name(item)));
    }
    let mut defaults = BTreeSet::new();
    if let Some(types) = module(items, "types") {
        builders::without_builders(types);
        defaults = constructors::with_constructors(types, &built, names);
        structs::with_readers(types);
    }
    if let Some(builder) = module(items, "builder") {
        builders::with_types(builder, &defaults);
        requests::shorten(builder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;
    use syn::parse_quote;

    #[test]
    fn the_client_has_one_path() {
        let file: syn::File = parse_quote! {
            pub struct Client;
            pub mod prelude { pub use self::super::Client; }
        };
        let mut items = file.items;
        thin(&mut items);
        let expected = quote! { pub struct Client; };
        assert_eq!(quote! { #(#items)* }.to_string(), expected.to_string());
    }

    #[test]
    fn the_required_members_of_a_struct_hide_no_restored_type() {
        let file: syn::File = parse_quote! {
            pub mod types {
                pub use super::open::*;
                pub struct Pair { pub one: String, pub other: String }
            }
            pub mod builder {
                pub struct Go<'a> { client: &'a super::Client, body: Result<types::Pair, String> }
            }
            mod open { pub enum PairRequired {} }
        };
        let mut items = file.items;
        thin(&mut items);
        let code = quote! { #(#items)* }.to_string();
        assert!(code.contains("pub struct PairRequired_ {"), "{code}");
    }
}
