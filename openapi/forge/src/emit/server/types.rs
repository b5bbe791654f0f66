//! Rust types of the schemas.

use super::debug;
use super::impls::{deserialize, serialize};
use super::structs::Structure;
use super::text::{doc, ident, place};
use super::type_path::path;
use crate::emit::slots::places;
use crate::ir::{Alternative, Api, Definition, Shape};
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(api: &Api) -> TokenStream {
    let definitions = api
        .definitions
        .iter()
        .map(|definition| self::definition(api, definition));
    quote! { #(#definitions)* }
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
            let structure = Structure {
                docs,
                name,
                fields,
                additional: additional.as_ref(),
            };
            structure.emit(api, &here)
        }
        Shape::Enum(variants) => enumeration(&docs, &definition.name, variants),
        Shape::Union(alternatives) => union(api, &docs, definition, alternatives),
        Shape::Alias(ty) => {
            let ty = path(api, ty, &here);
            quote! { #docs pub type #name = #ty; }
        }
        Shape::Newtype(ty) => {
            let ty = path(api, ty, &here);
            let written = serialize(
                &name,
                &quote!(::dropforge_runtime::serde::Serialize::serialize(
                    &self.0, to
                )),
            );
            let read = deserialize(
                &name,
                &quote!(::dropforge_runtime::serde::Deserialize::deserialize(from).map(Self)),
            );
            let has_secrets = api.holds_secret(definition.schema);
            let derived = (!has_secrets).then(|| quote!(Debug,));
            let debug = has_secrets.then(|| debug::of_tuple(&name));
            quote! {
                #docs
                #[derive(#derived Clone, PartialEq)]
                pub struct #name(pub #ty);
                #debug
                #written
                #read
            }
        }
    }
}

fn enumeration(docs: &TokenStream, name: &str, variants: &[(String, String)]) -> TokenStream {
    let message = format!("not a value of {name}");
    let name = ident(name);
    let names: Vec<_> = variants.iter().map(|(variant, _)| ident(variant)).collect();
    let texts: Vec<_> = variants.iter().map(|(_, text)| text).collect();
    let variant_docs = variants
        .iter()
        .map(|(_, text)| doc(&[Some(&format!("`{text}`"))]));
    let written = serialize(&name, &quote!(to.serialize_str(self.as_str())));
    let read = deserialize(&name, &quote!(::dropforge_runtime::names::read(from)));
    quote! {
        #docs
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum #name { #( #variant_docs #names, )* }
        impl #name {
            /// Every value, in the document's order.
            pub const ALL: &'static [#name] = &[#(#name::#names),*];
            /// The value as the document writes it.
            pub fn as_str(&self) -> &'static str {
                <Self as ::dropforge_runtime::names::Names>::NAMES[*self as usize]
            }
        }
        impl ::dropforge_runtime::names::Names for #name {
            const VALUES: &'static [Self] = Self::ALL;
            const NAMES: &'static [&'static str] = &[#(#texts),*];
            const MESSAGE: &'static str = #message;
        }
        impl ::std::fmt::Display for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
        impl ::std::str::FromStr for #name {
            type Err = &'static str;
            fn from_str(text: &str) -> ::std::result::Result<Self, &'static str> {
                ::dropforge_runtime::names::parse(text)
            }
        }
        #written
        #read
    }
}

/// The schema decides which alternative a value belongs to. So the checks choose it, and the order
/// of the variants does not matter.
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
    let places = places(alternatives.len());
    let schema = super::schemas::name(definition.schema);
    let (label, count) = (&definition.name, alternatives.len());
    let written = serialize(
        &name,
        &quote! {
            match self {
                #( Self::#variants(value) => ::dropforge_runtime::serde::Serialize::serialize(value, to), )*
            }
        },
    );
    let read = deserialize(
        &name,
        &quote! {
            let (at, value) = ::dropforge_runtime::check::choose(from, &super::schemas::#schema, #label, #count)?;
            match at {
                #( #places => ::dropforge_runtime::serde_json::from_value(value).map(Self::#variants), )*
            }
            .map_err(::dropforge_runtime::serde::de::Error::custom)
        },
    );
    let secret = alternatives.iter().map(|a| api.holds_secret(a.schema));
    let marked: Vec<_> = variants.iter().cloned().zip(secret).collect();
    let debug = debug::of_variants(&name, &marked);
    let derived = debug.is_none().then(|| quote!(Debug,));
    quote! {
        #docs
        #[derive(#derived Clone, PartialEq)]
        pub enum #name { #( #[allow(missing_docs)] #variants(#types), )* }
        #debug
        #written
        #read
    }
}
