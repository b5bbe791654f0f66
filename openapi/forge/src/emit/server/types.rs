//! Rust types of the schemas.

use super::default;
use super::text::{doc, ident, place};
use crate::ir::{Alternative, Api, Definition, DefinitionId, Field, Shape, Type, holds_secret};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

pub(super) fn emit(api: &Api) -> TokenStream {
    let definitions = api
        .definitions
        .iter()
        .map(|definition| self::definition(api, definition));
    quote! { #(#definitions)* }
}

/// The path of a type, from anywhere in the generated module's children when
/// `types` is `super::types`.
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

fn definition(api: &Api, definition: &Definition) -> TokenStream {
    let name = ident(&definition.name);
    let here = quote!(self);
    let docs = doc(&[
        definition.description.as_deref(),
        Some(&place(&definition.origin.place)),
    ]);
    match &definition.shape {
        Shape::Struct { fields, additional } => {
            let defaults = defaults(api, &name, fields, &here);
            let mut marked = marked(fields);
            let others = additional.iter();
            marked.extend(others.map(|members| (ident("additional"), members.secret)));
            let debug = debug(&name, &marked);
            let derived = debug.is_none().then(|| quote!(Debug,));
            let fields = self::fields(api, &name, fields, &here);
            let additional = additional.as_ref().map(|members| {
                let ty = path(api, &members.ty, &here);
                quote! {
                    /// Every other member.
                    #[serde(flatten)]
                    pub additional: ::std::collections::BTreeMap<::std::string::String, #ty>,
                }
            });
            quote! {
                #docs
                #[derive(#derived Clone, PartialEq, ::dropforge_runtime::serde::Serialize, ::dropforge_runtime::serde::Deserialize)]
                #[serde(crate = "::dropforge_runtime::serde")]
                pub struct #name { #fields #additional }
                #defaults
                #debug
            }
        }
        Shape::Enum(variants) => enumeration(&docs, &definition.name, variants),
        Shape::Union(alternatives) => union(api, &docs, definition, alternatives),
        Shape::Alias(ty) => {
            let ty = path(api, ty, &here);
            quote! { #docs pub type #name = #ty; }
        }
        Shape::Newtype(ty) => {
            let ty = path(api, ty, &here);
            let has_secrets = holds_secret(&api.schemas, definition.schema);
            let derived = (!has_secrets).then(|| quote!(Debug,));
            let debug = has_secrets.then(|| debug_tuple(&name));
            quote! {
                #docs
                #[derive(#derived Clone, PartialEq, ::dropforge_runtime::serde::Serialize, ::dropforge_runtime::serde::Deserialize)]
                #[serde(crate = "::dropforge_runtime::serde")]
                #[serde(transparent)]
                pub struct #name(pub #ty);
                #debug
            }
        }
    }
}

/// How a struct is printed whose marked fields are secrets: without their values. None if no
/// field is marked.
pub(super) fn debug(structure: &Ident, fields: &[(Ident, bool)]) -> Option<TokenStream> {
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
    Some(quote! {
        impl ::std::fmt::Debug for #structure {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.debug_struct(#text)#(#printed)*.finish()
            }
        }
    })
}

/// The fields, each with whether it is secret.
pub(super) fn marked(fields: &[Field]) -> Vec<(Ident, bool)> {
    let marked = fields.iter().map(|one| (ident(&one.field), one.secret));
    marked.collect()
}

/// How a type around a secret is printed: without its value.
fn debug_tuple(name: &Ident) -> TokenStream {
    let text = name.to_string();
    quote! {
        impl ::std::fmt::Debug for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.debug_tuple(#text).field(&"…").finish()
            }
        }
    }
}

/// How an enum is printed whose marked variants hold secrets: without their values. None if no
/// variant is marked.
pub(super) fn debug_variants(name: &Ident, variants: &[(Ident, bool)]) -> Option<TokenStream> {
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
    Some(quote! {
        impl ::std::fmt::Debug for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                match self { #(#arms)* }
            }
        }
    })
}

/// The fields of a struct.
pub(super) fn fields(
    api: &Api,
    structure: &Ident,
    fields: &[Field],
    types: &TokenStream,
) -> TokenStream {
    let fields = fields
        .iter()
        .map(|field| match default::of_field(api, field, types) {
            Some(_) => defaulted(api, structure, field, types),
            None => self::field(api, field, types),
        });
    quote! { #(#fields)* }
}

/// A field that has a value even where the member is absent.
fn defaulted(api: &Api, structure: &Ident, field: &Field, types: &TokenStream) -> TokenStream {
    let name = ident(&field.field);
    let rename = &field.name;
    let docs = field_docs(field);
    let ty = path(api, &field.ty, types);
    let function = format!("{structure}::{}", default::function(field));
    quote! { #docs #[serde(rename = #rename, default = #function)] pub #name: #ty, }
}

/// The functions that give a struct's fields their defaults.
pub(super) fn defaults(
    api: &Api,
    structure: &Ident,
    fields: &[Field],
    types: &TokenStream,
) -> TokenStream {
    let functions: Vec<TokenStream> = fields
        .iter()
        .filter_map(|field| {
            let value = default::of_field(api, field, types)?;
            let function = default::function(field);
            let ty = path(api, &field.ty, types);
            Some(quote! { fn #function() -> #ty { #value } })
        })
        .collect();
    match functions.as_slice() {
        [] => TokenStream::new(),
        functions => quote! { impl #structure { #(#functions)* } },
    }
}

/// A field: absent and null are told apart where the document does.
fn field(api: &Api, field: &Field, types: &TokenStream) -> TokenStream {
    let name = ident(&field.field);
    let rename = &field.name;
    let docs = field_docs(field);
    let ty = path(api, &field.ty, types);
    match (field.required, &field.ty) {
        (true, Type::Nullable(_)) => quote! {
            #docs
            #[serde(rename = #rename, deserialize_with = "::dropforge_runtime::fields::required_nullable")]
            pub #name: #ty,
        },
        (true, _) => quote! { #docs #[serde(rename = #rename)] pub #name: #ty, },
        (false, Type::Nullable(_)) => quote! {
            #docs
            #[serde(
                rename = #rename,
                default,
                skip_serializing_if = "::std::option::Option::is_none",
                deserialize_with = "::dropforge_runtime::fields::optional_nullable"
            )]
            pub #name: ::std::option::Option<#ty>,
        },
        // Anything, `null` too.
        (false, Type::Any) => quote! {
            #docs
            #[serde(
                rename = #rename,
                default,
                skip_serializing_if = "::std::option::Option::is_none",
                deserialize_with = "::dropforge_runtime::fields::present"
            )]
            pub #name: ::std::option::Option<#ty>,
        },
        (false, _) => quote! {
            #docs
            #[serde(rename = #rename, default, skip_serializing_if = "::std::option::Option::is_none")]
            pub #name: ::std::option::Option<#ty>,
        },
    }
}

fn field_docs(field: &Field) -> TokenStream {
    doc(&[
        field.description.as_deref().or(Some(&field.name)),
        Some(&place(&field.place)),
    ])
}

fn enumeration(docs: &TokenStream, name: &str, variants: &[(String, String)]) -> TokenStream {
    let message = format!("not a value of {name}");
    let name = ident(name);
    let names: Vec<_> = variants.iter().map(|(variant, _)| ident(variant)).collect();
    let texts: Vec<_> = variants.iter().map(|(_, text)| text).collect();
    let variant_docs = variants.iter().map(|(_, text)| format!(" `{text}`"));
    quote! {
        #docs
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, ::dropforge_runtime::serde::Serialize, ::dropforge_runtime::serde::Deserialize)]
        #[serde(crate = "::dropforge_runtime::serde")]
        pub enum #name { #( #[doc = #variant_docs] #[serde(rename = #texts)] #names, )* }
        impl #name {
            /// Every value, in the document's order.
            pub const ALL: &'static [#name] = &[#(#name::#names),*];
            /// The value as the document writes it.
            pub fn as_str(&self) -> &'static str {
                match self { #( #name::#names => #texts, )* }
            }
        }
        impl ::std::fmt::Display for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
        impl ::std::str::FromStr for #name {
            type Err = &'static str;
            fn from_str(text: &str) -> ::std::result::Result<Self, &'static str> {
                match text {
                    #( #texts => ::std::result::Result::Ok(#name::#names), )*
                    _ => ::std::result::Result::Err(#message),
                }
            }
        }
    }
}

/// Which alternative a value belongs to is a question of its schema, so the
/// checks answer it, and the order of the variants does not matter.
fn union(
    api: &Api,
    docs: &TokenStream,
    definition: &Definition,
    alternatives: &[Alternative],
) -> TokenStream {
    let name = ident(&definition.name);
    let here = quote!(self);
    let variants: Vec<_> = alternatives.iter().map(|a| ident(&a.variant)).collect();
    let types: Vec<_> = alternatives
        .iter()
        .map(|a| path(api, &a.ty, &here))
        .collect();
    let indices = 0..alternatives.len();
    let schema = super::schemas::name(definition.schema);
    let message = format!("none of the alternatives of {}", definition.name);
    let secret = alternatives.iter().map(|a| a.secret);
    let marked: Vec<_> = variants.iter().cloned().zip(secret).collect();
    let debug = debug_variants(&name, &marked);
    let derived = debug.is_none().then(|| quote!(Debug,));
    quote! {
        #docs
        #[derive(#derived Clone, PartialEq, ::dropforge_runtime::serde::Serialize)]
        #[serde(crate = "::dropforge_runtime::serde")]
        #[serde(untagged)]
        pub enum #name { #( #[allow(missing_docs)] #variants(#types), )* }
        #debug
        impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for #name {
            fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::std::result::Result<Self, D::Error> {
                let value = <::dropforge_runtime::serde_json::Value as ::dropforge_runtime::serde::Deserialize>::deserialize(deserializer)?;
                match ::dropforge_runtime::check::alternative(&super::schemas::#schema, &value) {
                    #( ::std::option::Option::Some(#indices) => ::dropforge_runtime::serde_json::from_value(value)
                        .map(#name::#variants)
                        .map_err(::dropforge_runtime::serde::de::Error::custom), )*
                    _ => ::std::result::Result::Err(::dropforge_runtime::serde::de::Error::custom(#message)),
                }
            }
        }
    }
}
