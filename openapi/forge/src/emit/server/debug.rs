//! `Debug` of types that hold secrets.

use super::text::ident;
use crate::ir::{Api, Field};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// Implements `Debug` for a struct without the values of its secret fields. `None` if no field is
/// secret.
pub(super) fn of_struct(structure: &Ident, fields: &[(Ident, bool)]) -> Option<TokenStream> {
    if fields.iter().all(|(_, secret)| !secret) {
        return None;
    }
    let text = structure.to_string();
    let printed = fields.iter().map(|(name, secret)| {
        let label = name.to_string();
        match secret {
            true => quote! { .field(#label, &"…") },
            false => quote! { .field(#label, &self.#name) },
        }
    });
    let body = quote!(f.debug_struct(#text)#(#printed)*.finish());
    Some(implementation(structure, &body))
}

/// The fields, each with whether it is secret.
pub(super) fn marked(api: &Api, fields: &[Field]) -> Vec<(Ident, bool)> {
    let marked = |one: &Field| (ident(&one.field), api.holds_secret(one.schema));
    fields.iter().map(marked).collect()
}

/// Implements `Debug` for a type around a secret, without its value.
pub(super) fn of_tuple(name: &Ident) -> TokenStream {
    let text = name.to_string();
    implementation(name, &quote!(f.debug_tuple(#text).field(&"…").finish()))
}

/// Implements `Debug` for an enum without the values of its secret variants. `None` if no variant
/// is secret.
pub(super) fn of_variants(name: &Ident, variants: &[(Ident, bool)]) -> Option<TokenStream> {
    if variants.iter().all(|(_, secret)| !secret) {
        return None;
    }
    let arms = variants.iter().map(|(variant, secret)| {
        let text = variant.to_string();
        match secret {
            true => quote! { Self::#variant(_) => f.debug_tuple(#text).field(&"…").finish(), },
            false => {
                quote! { Self::#variant(value) => f.debug_tuple(#text).field(value).finish(), }
            }
        }
    });
    Some(implementation(name, &quote!(match self { #(#arms)* })))
}

fn implementation(name: &Ident, body: &TokenStream) -> TokenStream {
    quote! {
        impl ::std::fmt::Debug for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                #body
            }
        }
    }
}
