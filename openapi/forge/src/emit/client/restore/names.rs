//! The names of the items that are generated for an operation, and of the types of components.

use super::super::subset::{naming::pascal, operation::Operation};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::collections::HashSet;

/// The builder of an operation.
pub fn builder_of(operation: &Operation) -> Ident {
    format_ident!("{}", pascal(&operation.id))
}

/// The enum of its errors.
pub fn error_of(operation: &Operation) -> Ident {
    format_ident!("{}Error", pascal(&operation.base))
}

/// The enum of its successes.
pub fn success_of(operation: &Operation) -> Ident {
    format_ident!("{}Success", pascal(&operation.base))
}

/// The struct of the headers of its successes.
pub fn headers_of(operation: &Operation) -> Ident {
    format_ident!("{}Headers", pascal(&operation.base))
}

/// The struct of the headers of its errors. `taken` has the names for the headers of successes: `ReadErrorHeaders` would
/// be both those of the errors of `read` and those of the successes of `readError`.
pub fn error_headers_of(operation: &Operation, taken: &HashSet<String>) -> Ident {
    let name = format!("{}ErrorHeaders", pascal(&operation.base));
    match taken.contains(&name) {
        true => format_ident!("{name}_"),
        false => format_ident!("{name}"),
    }
}

/// The type of a component. Without one, a value is any JSON.
pub fn type_of(component: Option<&str>) -> TokenStream {
    match component {
        Some(component) => {
            let name = format_ident!("{}", pascal(component));
            quote! { types::#name }
        }
        None => quote! { ::serde_json::Value },
    }
}
