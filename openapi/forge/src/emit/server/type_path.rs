//! The paths by which generated code names types.

use super::text::ident;
use crate::ir::{Api, DefinitionId, Type};
use proc_macro2::TokenStream;
use quote::quote;

/// The path of a type. With `super::types` for `types`, it is valid in every child of the generated
/// module.
pub(super) fn path(api: &Api, ty: &Type, types: &TokenStream) -> TokenStream {
    match ty {
        Type::Any => quote!(::dropforge_runtime::serde_json::Value),
        Type::Bool => quote!(bool),
        Type::I32 => quote!(i32),
        Type::I64 => quote!(i64),
        Type::U64 => quote!(u64),
        Type::F64 => quote!(f64),
        Type::String => quote!(::std::string::String),
        Type::DateTime => {
            quote!(::dropforge_runtime::chrono::DateTime<::dropforge_runtime::chrono::Utc>)
        }
        Type::Date => quote!(::dropforge_runtime::chrono::NaiveDate),
        Type::Uuid => quote!(::dropforge_runtime::uuid::Uuid),
        Type::Binary => quote!(::dropforge_runtime::Binary),
        Type::FreeObject => {
            quote!(::dropforge_runtime::serde_json::Map<::std::string::String, ::dropforge_runtime::serde_json::Value>)
        }
        Type::Array(inner) => {
            let inner = path(api, inner, types);
            quote!(::std::vec::Vec<#inner>)
        }
        Type::Map(inner) => {
            let inner = path(api, inner, types);
            quote!(::std::collections::BTreeMap<::std::string::String, #inner>)
        }
        Type::Named(id) => named(api, *id, types),
        Type::Boxed(id) => {
            let inner = named(api, *id, types);
            quote!(::std::boxed::Box<#inner>)
        }
        Type::Nullable(inner) => {
            let inner = path(api, inner, types);
            quote!(::std::option::Option<#inner>)
        }
    }
}

fn named(api: &Api, id: DefinitionId, types: &TokenStream) -> TokenStream {
    let name = ident(&api.definitions[id.0].name);
    quote!(#types::#name)
}
