//! Restores the features that the subset lacks, as code beside progenitor's.

mod bodies;
mod call;
mod cases;
mod errors;
mod headers;
mod hooks;
mod names;
mod open;
mod pages;
mod parts;
mod unions;

use super::{
    items::module,
    output,
    progenitor::OPEN,
    subset::{Subset, naming::pascal, operation::OperationVariant},
};
use crate::ir::Api;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use std::collections::{BTreeSet, HashSet};
use syn::Item;

/// Adds the restored features to progenitor's code.
///
/// # Errors
///
/// When progenitor's code has no builder for an operation, or the added code is not valid Rust.
pub fn restore(api: &Api, subset: &Subset, items: &mut Vec<Item>) -> Result<(), String> {
    let builders = module(items, "builder").map(|items| output::builders(items));
    let builders = builders.unwrap_or_default();
    let lists = module(items, "types").map(|items| output::lists(items));
    let lists = lists.unwrap_or_default();
    let mut listed = BTreeSet::new();
    let mut beside_client = hooks::hooks(api, subset);
    let mut beside_builders = TokenStream::new();
    let mut bases = HashSet::new();
    let with_headers = subset
        .operations
        .iter()
        .filter(|one| !one.headers.is_empty());
    let taken = with_headers.map(names::headers_of);
    let taken: HashSet<_> = taken.map(|name| name.to_string()).collect();
    for operation in &subset.operations {
        let builder = builders
            .get(&pascal(&operation.id))
            .ok_or_else(|| format!("progenitor generated no builder for `{}`", operation.id))?;
        // All variants of an operation share its errors and its successes.
        if bases.insert(&operation.base) {
            beside_client.extend(errors::errors(operation, builder, &api.request_ids));
            beside_client.extend(cases::successes(operation));
            beside_client.extend(headers::of_successes(operation));
            beside_client.extend(headers::of_errors(operation, &taken));
        }
        beside_builders.extend(call::call(operation, builder));
        if let Some(pages) = pages::pages(operation, builder, &lists) {
            beside_builders.extend(pages.methods);
            listed.insert(pages.page);
        }
        if let OperationVariant::WithoutBody { with_body } = &operation.variant
            && let Some(other) = builders.get(&pascal(with_body))
        {
            beside_builders.extend(bodies::body(operation, with_body, builder, other));
            if operation.multipart {
                beside_builders.extend(parts::form_of_other(operation, with_body, builder));
            }
        } else if operation.multipart {
            beside_builders.extend(parts::form(operation));
        }
    }
    let lists = pages::lists(&lists, &listed);
    let open = open::module(subset);
    let open_ident = format_ident!("{OPEN}");
    let import = quote! {
        #[allow(unused_imports)]
        use super::#open_ident;
    };
    if let Some(builder) = module(items, "builder") {
        prepend(builder, quote! { #import #beside_builders })?;
    }
    if let Some(types) = module(items, "types") {
        for name in ["builder", "defaults"] {
            if let Some(inner) = module(types, name) {
                prepend(inner, import.clone())?;
            }
        }
        let code = quote! {
            #import
            #[allow(unused_imports)]
            pub use super::#open_ident::*;
            #lists
        };
        prepend(types, code)?;
    }
    items.extend(parsed(quote! { #beside_client #open })?);
    Ok(())
}

/// Adds code at the beginning of a module.
fn prepend(module: &mut Vec<Item>, code: TokenStream) -> Result<(), String> {
    module.splice(0..0, parsed(code)?);
    Ok(())
}

fn parsed(code: TokenStream) -> Result<Vec<Item>, String> {
    let file: syn::File = syn::parse2(code)
        .map_err(|error| format!("the code of the client is not valid Rust: {error}"))?;
    Ok(file.items)
}
