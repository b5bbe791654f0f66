//! The trait that a server implements: one method per operation, in the words
//! of the document.

use super::text::{doc, ident, place, top};
use super::{bodies, responses, security};
use crate::ir::{Api, Operation};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub(super) fn emit(api: &Api) -> TokenStream {
    let name = ident(&api.trait_name);
    let docs = doc(&[
        Some(&format!("{} {}.", api.title, api.version)),
        api.description.as_deref(),
        Some("Each method is an operation of the document; its return type lists the responses."),
        Some(&top(api)),
    ]);
    let methods = api
        .operations
        .iter()
        .map(|operation| method(api, operation));
    let enums = api
        .operations
        .iter()
        .map(|operation| responses::enums(api, operation));
    quote! {
        #docs
        pub trait #name: Security { #(#methods)* }
        #(#enums)*
    }
}

fn method(api: &Api, operation: &Operation) -> TokenStream {
    let name = ident(&operation.names.method);
    let stem = ident(&operation.names.stem);
    let docs = doc(&[
        operation.summary.as_deref(),
        operation.description.as_deref(),
        Some(&format!("`{} {}`", operation.method, operation.path)),
        Some(&place(&operation.origin.place)),
    ]);
    let caller =
        security::caller_type(api, operation, &quote!(Self)).map(|ty| quote! { caller: #ty, });
    let parameters =
        (!operation.parameters.is_empty()).then(|| quote! { parameters: parameters::#stem, });
    let body = operation.body.as_ref().map(|body| {
        let ty = bodies::ty(api, &body.shape, &quote!(types));
        match body.required {
            true => quote! { body: #ty, },
            false => quote! { body: ::std::option::Option<#ty>, },
        }
    });
    let (response, error) = (
        format_ident!("{}Response", stem),
        format_ident!("{}Error", stem),
    );
    quote! {
        #docs
        fn #name(
            call: ::dropforge_runtime::Call<Self::Context>,
            #caller #parameters #body
        ) -> impl ::std::future::Future<
            Output = ::std::result::Result<#response, #error>,
        > + ::std::marker::Send;
    }
}
