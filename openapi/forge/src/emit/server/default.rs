//! Defaults: the values that a handler receives for absent members of a request.
//!
//! A default is emitted as an expression of the field's type, so that the running service parses no
//! default.

use super::text::ident;
use super::type_path;
use crate::ir::{Api, DefaultValue, Field, Type};
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use serde_json::Value;

/// The default of an optional field, if it has one.
pub(super) fn of_field(api: &Api, field: &Field, types: &TokenStream) -> Option<TokenStream> {
    let value = field.default.as_ref()?;
    Some(expression(api, value, types))
}

fn expression(api: &Api, value: &DefaultValue, types: &TokenStream) -> TokenStream {
    match value {
        DefaultValue::Null => quote!(::std::option::Option::None),
        DefaultValue::NotNull(value) => {
            let value = expression(api, value, types);
            quote!(::std::option::Option::Some(#value))
        }
        DefaultValue::Any(value) => any(value),
        DefaultValue::Bool(value) => quote!(#value),
        DefaultValue::I32(value) => literal(Literal::i32_suffixed(*value)),
        DefaultValue::I64(value) => literal(Literal::i64_suffixed(*value)),
        DefaultValue::U64(value) => literal(Literal::u64_suffixed(*value)),
        DefaultValue::F64(value) => literal(Literal::f64_suffixed(*value)),
        DefaultValue::String(text) => quote!(::std::string::String::from(#text)),
        DefaultValue::Array(items) => {
            let items = items.iter().map(|item| expression(api, item, types));
            quote!(::std::vec![#(#items),*])
        }
        DefaultValue::FreeObject(members) => {
            let members = members.iter().map(|(name, member)| (name, any(member)));
            object(members.collect())
        }
        DefaultValue::Map(members) if members.is_empty() => {
            quote!(::std::collections::BTreeMap::new())
        }
        DefaultValue::Map(members) => {
            let names = members.iter().map(|(name, _)| name);
            let values = members
                .iter()
                .map(|(_, member)| expression(api, member, types));
            quote! {
                ::std::collections::BTreeMap::from([
                    #((::std::string::String::from(#names), #values)),*
                ])
            }
        }
        DefaultValue::Variant(id, variant) => {
            let path = type_path::path(api, &Type::Named(*id), types);
            let variant = ident(variant);
            quote!(#path::#variant)
        }
    }
}

/// An expression of the type `serde_json::Value`.
fn any(value: &Value) -> TokenStream {
    match value {
        Value::Null => quote!(::dropforge_runtime::serde_json::Value::Null),
        Value::Bool(value) => quote!(::dropforge_runtime::serde_json::Value::Bool(#value)),
        Value::String(text) => quote!(::dropforge_runtime::serde_json::Value::from(#text)),
        Value::Number(number) => {
            let number = match (number.as_i64(), number.as_u64()) {
                (Some(number), _) => Literal::i64_suffixed(number),
                (None, Some(number)) => Literal::u64_suffixed(number),
                (None, None) => Literal::f64_suffixed(number.as_f64().unwrap_or_default()),
            };
            quote!(::dropforge_runtime::serde_json::Value::from(#number))
        }
        Value::Array(items) => {
            let items = items.iter().map(any);
            quote!(::dropforge_runtime::serde_json::Value::Array(
                ::std::vec![#(#items),*]
            ))
        }
        Value::Object(members) => {
            let members = members.iter().map(|(name, member)| (name, any(member)));
            let members = object(members.collect());
            quote!(::dropforge_runtime::serde_json::Value::Object(#members))
        }
    }
}

/// An expression of the type `serde_json::Map`.
fn object(members: Vec<(&String, TokenStream)>) -> TokenStream {
    if members.is_empty() {
        return quote!(::dropforge_runtime::serde_json::Map::new());
    }
    let names = members.iter().map(|(name, _)| name);
    let values = members.iter().map(|(_, value)| value);
    quote! {
        <::dropforge_runtime::serde_json::Map<_, _> as ::std::iter::FromIterator<_>>::from_iter([
            #((::std::string::String::from(#names), #values)),*
        ])
    }
}

fn literal(literal: Literal) -> TokenStream {
    quote!(#literal)
}
