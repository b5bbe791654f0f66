//! Types of values that generated code writes itself: parameters in styles that progenitor does not know, and parts of
//! multipart bodies.
//!
//! Such a value is temporarily a component, so that the schemas within it are named like all others.

use super::{
    hoist,
    naming::pascal,
    nullable::without_null,
    walk::{component, components, reference},
    writer::{SECRET, Writer},
};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use serde_json::{Value, json};

impl Writer<'_> {
    /// Adds the schema of a value as a component with this name, or the next free one.
    pub fn add_argument(&mut self, wanted: &str, schema: Value) -> String {
        // A present value is not null.
        let mut schema = without_null(schema);
        if component(&schema).is_none() && hoist::is_type(&schema) {
            schema = reference(&self.component_for(&schema, &pascal(wanted)));
        }
        let mut name = pascal(&format!("{wanted}_argument"));
        let mut number = 2;
        while components(&mut self.root).contains_key(&name) {
            name = pascal(&format!("{wanted}_argument{number}"));
            number += 1;
        }
        components(&mut self.root).insert(name.clone(), schema);
        self.arguments.push(name.clone());
        name
    }
}

/// Takes the schemas of all arguments. Each stays an empty component, which a type of the generator replaces.
pub fn take(writer: &mut Writer<'_>) -> Vec<(String, Value)> {
    let names = std::mem::take(&mut writer.arguments);
    let components = components(&mut writer.root);
    let schemas = names.into_iter().map(|name| {
        let schema = components
            .insert(name.clone(), json!({}))
            .unwrap_or_default();
        (name, schema)
    });
    schemas.collect()
}

/// The type of the values of a schema whose inner types have names. Paths begin at `types`, or at the root.
pub fn rust_type(schema: &Value) -> TokenStream {
    if let Some(name) = component(schema) {
        let name = format_ident!("{}", pascal(name));
        return quote! { types::#name };
    }
    if schema.get("nullable") == Some(&Value::Bool(true)) {
        let inner = rust_type(&without_null(schema.clone()));
        return quote! { ::std::option::Option<#inner> };
    }
    let text = |key: &str| schema.get(key).and_then(Value::as_str).unwrap_or_default();
    match (text("type"), text("format")) {
        ("array", _) => {
            let items = rust_type(schema.get("items").unwrap_or(&Value::Null));
            quote! { ::std::vec::Vec<#items> }
        }
        ("object", _) => {
            let values = rust_type(schema.get("additionalProperties").unwrap_or(&Value::Null));
            if values.to_string() == any_value().to_string() {
                return quote! { ::serde_json::Map<::std::string::String, #values> };
            }
            quote! { ::std::collections::BTreeMap<::std::string::String, #values> }
        }
        ("boolean", _) => quote! { bool },
        ("integer", "int8") => quote! { i8 },
        ("integer", "uint8") => quote! { u8 },
        ("integer", "int16") => quote! { i16 },
        ("integer", "uint16") => quote! { u16 },
        ("integer", "int32") => quote! { i32 },
        ("integer", "uint32") => quote! { u32 },
        ("integer", "uint64") => quote! { u64 },
        ("integer", _) => quote! { i64 },
        ("number", "float") => quote! { f32 },
        ("number", _) => quote! { f64 },
        ("string", "date") => quote! { ::chrono::naive::NaiveDate },
        ("string", "date-time") => quote! { ::chrono::DateTime<::chrono::offset::Utc> },
        ("string", "uuid") => quote! { ::uuid::Uuid },
        ("string", SECRET) => quote! { ::dropforge_client::Secret },
        ("string", _) => quote! { ::std::string::String },
        _ => any_value(),
    }
}

fn any_value() -> TokenStream {
    quote! { ::serde_json::Value }
}
