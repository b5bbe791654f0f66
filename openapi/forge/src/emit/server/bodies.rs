//! Enums of operations that take several kinds of request body.

use super::text::{doc, ident, place};
use super::types;
use crate::ir::{Api, BodyShape};
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(api: &Api) -> TokenStream {
    let enums = api.operations.iter().filter_map(|operation| {
        let body = operation.body.as_ref()?;
        let BodyShape::Several { name, variants } = &body.shape else {
            return None;
        };
        let name = ident(name);
        let docs = doc(&[
            Some(&format!("The request body of `{}`.", operation.id)),
            Some(&place(&operation.origin.place)),
        ]);
        let holds_secret = |index: &usize| body.media[*index].holds_secret(&api.schemas);
        let marked = variants.iter().map(|(variant, _, media)| {
            let is_secret = media.iter().any(holds_secret);
            (ident(variant), is_secret)
        });
        let debug = types::debug_variants(&name, &marked.collect::<Vec<_>>());
        let derived = debug.is_none().then(|| quote!(Debug,));
        let variants = variants.iter().map(|(variant, shape, _)| {
            let variant = ident(variant);
            let ty = ty(api, shape, &quote!(types));
            quote! { #[allow(missing_docs)] #variant(#ty), }
        });
        Some(quote! {
            #docs
            #[derive(#derived Clone)]
            pub enum #name { #(#variants)* }
            #debug
        })
    });
    quote! { #(#enums)* }
}

/// The type of an argument of this shape.
pub(super) fn ty(api: &Api, shape: &BodyShape, types: &TokenStream) -> TokenStream {
    match shape {
        BodyShape::Typed(ty) => types::path(api, ty, types),
        BodyShape::Raw(ty) => {
            let ty = types::path(api, ty, types);
            quote!(::dropforge_runtime::RawJson<#ty>)
        }
        BodyShape::Text => quote!(::std::string::String),
        BodyShape::Bytes => quote!(::dropforge_runtime::bytes::Bytes),
        BodyShape::Several { name, .. } => {
            let name = ident(name);
            quote!(#name)
        }
    }
}
