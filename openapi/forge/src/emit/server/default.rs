//! Defaults: the values that a handler receives for absent members of a request.
//!
//! A default is emitted as an expression of the field's type, so that the running service parses no
//! default. A default without such an expression (an object with members, an instant) leaves the
//! field an `Option`. The lint rejects a default that is invalid against its own schema, so none
//! reaches this file.

use super::text::ident;
use super::type_path;
use crate::ir::{Api, Field, Shape, Type};
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use serde_json::Value;

/// The default of an optional field, if it has one.
pub(super) fn of_field(api: &Api, field: &Field, types: &TokenStream) -> Option<TokenStream> {
    if field.required {
        return None;
    }
    expression(api, &field.ty, field.default.as_ref()?, types)
}

fn expression(api: &Api, ty: &Type, value: &Value, types: &TokenStream) -> Option<TokenStream> {
    Some(match (ty, value) {
        (Type::Nullable(_), Value::Null) => quote!(::std::option::Option::None),
        (Type::Nullable(inner), value) => {
            let inner = expression(api, inner, value, types)?;
            quote!(::std::option::Option::Some(#inner))
        }
        (Type::Bool, Value::Bool(value)) => quote!(#value),
        (Type::I32, value) => literal(Literal::i32_suffixed(value.as_i64()?.try_into().ok()?)),
        (Type::I64, value) => literal(Literal::i64_suffixed(value.as_i64()?)),
        (Type::U64, value) => literal(Literal::u64_suffixed(value.as_u64()?)),
        (Type::F64, value) => literal(Literal::f64_suffixed(value.as_f64()?)),
        (Type::String, Value::String(text)) => quote!(::std::string::String::from(#text)),
        (Type::Array(inner), Value::Array(items)) => {
            let items = items
                .iter()
                .map(|item| expression(api, inner, item, types))
                .collect::<Option<Vec<_>>>()?;
            quote!(::std::vec![#(#items),*])
        }
        (Type::FreeObject, Value::Object(members)) if members.is_empty() => {
            quote!(::dropforge_runtime::serde_json::Map::new())
        }
        (Type::Map(_), Value::Object(members)) if members.is_empty() => {
            quote!(::std::collections::BTreeMap::new())
        }
        (Type::Any, value) => any(value)?,
        (Type::Named(id), value) => match &api.definitions[id.0].shape {
            Shape::Alias(inner) => expression(api, inner, value, types)?,
            Shape::Enum(variants) => {
                let (variant, _) = variants
                    .iter()
                    .find(|(_, text)| Some(text.as_str()) == value.as_str())?;
                let path = type_path::path(api, ty, types);
                let variant = ident(variant);
                quote!(#path::#variant)
            }
            _ => return None,
        },
        _ => return None,
    })
}

fn any(value: &Value) -> Option<TokenStream> {
    Some(match value {
        Value::Null => quote!(::dropforge_runtime::serde_json::Value::Null),
        Value::Bool(value) => quote!(::dropforge_runtime::serde_json::Value::Bool(#value)),
        Value::String(text) => quote!(::dropforge_runtime::serde_json::Value::from(#text)),
        Value::Number(number) => {
            let number = literal(Literal::i64_suffixed(number.as_i64()?));
            quote!(::dropforge_runtime::serde_json::Value::from(#number))
        }
        Value::Array(_) | Value::Object(_) => return None,
    })
}

fn literal(literal: Literal) -> TokenStream {
    quote!(#literal)
}
