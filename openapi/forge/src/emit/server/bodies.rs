//! Enums for operations with several kinds of request body.

use super::text::{doc, ident, place};
use super::{debug, type_path};
use crate::ir::{Api, Body, BodyShape};
use proc_macro2::{Literal, TokenStream};
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
        let holds_secret = |index: &usize| api.has_secret_body(&body.media[*index]);
        let marked = variants.iter().map(|(variant, _, media)| {
            let is_secret = media.iter().any(holds_secret);
            (ident(variant), is_secret)
        });
        let debug = debug::of_variants(&name, &marked.collect::<Vec<_>>());
        let derived = debug.is_none().then(|| quote!(Debug,));
        let arms = variants.iter().map(|(variant, shape, indices)| {
            let variant = ident(variant);
            let read = match shape {
                BodyShape::Typed(_) => quote!(body_as),
                BodyShape::Raw(_) => quote!(raw_body),
                BodyShape::Text => quote!(text_body),
                BodyShape::Bytes | BodyShape::Several { .. } => quote!(bytes_body),
            };
            let indices = indices
                .iter()
                .map(|index| Literal::usize_unsuffixed(*index));
            quote! {
                ::std::option::Option::Some(#(#indices)|*) => request.#read().map(Self::#variant),
            }
        });
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
            impl ::dropforge_runtime::ReadBody for #name {
                type Value = Self;
                fn read(
                    request: &::dropforge_runtime::Request,
                ) -> ::std::result::Result<Self, ::dropforge_runtime::Rejection> {
                    match request.media_index() {
                        #(#arms)*
                        _ => ::std::result::Result::Err(::dropforge_runtime::Rejection::missing_body()),
                    }
                }
            }
        })
    });
    quote! { #(#enums)* }
}

/// The type of a body's argument.
pub(super) fn argument(api: &Api, body: &Body, types: &TokenStream) -> TokenStream {
    let ty = ty(api, &body.shape, types);
    match body.required {
        true => ty,
        false => quote!(::std::option::Option<#ty>),
    }
}

/// The type by which the runtime reads a body.
pub(super) fn reader(api: &Api, body: &Body) -> TokenStream {
    let ty = ty(api, &body.shape, &quote!(types));
    let reader = match &body.shape {
        BodyShape::Typed(_) => quote!(::dropforge_runtime::Typed<#ty>),
        _ => ty,
    };
    match body.required {
        true => reader,
        false => quote!(::std::option::Option<#reader>),
    }
}

/// The type of an argument of this shape.
fn ty(api: &Api, shape: &BodyShape, types: &TokenStream) -> TokenStream {
    match shape {
        BodyShape::Typed(ty) => type_path::path(api, ty, types),
        BodyShape::Raw(ty) => {
            let ty = type_path::path(api, ty, types);
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
