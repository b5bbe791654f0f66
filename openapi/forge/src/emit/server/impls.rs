//! Implementations that all kinds of types need.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// Implements `Serialize` for a type.
pub(super) fn serialize(name: &Ident, body: &TokenStream) -> TokenStream {
    quote! {
        impl ::dropforge_runtime::serde::Serialize for #name {
            fn serialize<S: ::dropforge_runtime::serde::Serializer>(
                &self,
                to: S,
            ) -> ::std::result::Result<S::Ok, S::Error> {
                #body
            }
        }
    }
}

/// Implements `Deserialize` for a type.
pub(super) fn deserialize(name: &Ident, body: &TokenStream) -> TokenStream {
    quote! {
        impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for #name {
            fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
                from: D,
            ) -> ::std::result::Result<Self, D::Error> {
                #body
            }
        }
    }
}
