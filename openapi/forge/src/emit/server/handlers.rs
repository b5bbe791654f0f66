//! Handlers: from dropshot's request to the trait's method and back.

use super::security;
use super::text::{doc, ident, place};
use crate::ir::{Api, Body, BodyShape, Operation};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

pub(super) fn emit(api: &Api) -> TokenStream {
    let handlers = api
        .operations
        .iter()
        .map(|operation| handler(api, operation));
    quote! { mod handlers { use super::*; #(#handlers)* } }
}

fn handler(api: &Api, operation: &Operation) -> TokenStream {
    let service = ident(&api.trait_name);
    let method = ident(&operation.names.method);
    let stem = ident(&operation.names.stem);
    let table = ident(&operation.names.table);
    let marker = format_ident!("{}Operation", stem);
    let authenticate = security::authenticate(api, operation);
    let caller = (!operation.security.is_empty()).then(|| quote! { caller, });
    let parameters = (!operation.parameters.is_empty()).then(|| {
        quote! { let parameters: parameters::#stem = request.parameters()?; }
    });
    let parameters_argument = (!operation.parameters.is_empty()).then(|| quote! { parameters, });
    let body = operation.body.as_ref().map(read_body);
    let read_into = read_into(operation.body.as_ref());
    let body_argument = operation.body.as_ref().map(|_| quote! { body, });
    let docs = doc(&[Some(&place(&operation.origin.place))]);
    quote! {
        #docs
        pub(super) enum #marker {}
        impl ::dropforge_runtime::OperationMarker for #marker {
            const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::#table;
            const API: &'static ::dropforge_runtime::table::Api = &API;
        }
        pub(super) fn #method<A: #service>(
            rqctx: ::dropforge_runtime::dropshot::RequestContext<A::Context>,
            request: ::dropforge_runtime::Kept<#marker>,
        ) -> impl ::std::future::Future<
            Output = ::std::result::Result<
                ::dropforge_runtime::Served<#marker>,
                ::dropforge_runtime::dropshot::HttpError,
            >,
        > + ::std::marker::Send {
            ::dropforge_runtime::serve(
                &API,
                &operations::#table,
                rqctx,
                request,
                A::reject,
                |mut exchange: ::dropforge_runtime::Exchange<A::Context>| async move {
                    #authenticate
                    #[allow(unused_variables, unused_mut)]
                    let mut request = exchange.read #read_into().await?;
                    #parameters
                    #body
                    let accept = exchange.accept().clone();
                    let outcome = A::#method(
                        exchange.into_call(),
                        #caller #parameters_argument #body_argument
                    ).await;
                    ::std::result::Result::Ok(::dropforge_runtime::into_reply(outcome, &accept))
                },
            )
        }
    }
}

/// The type into which a body is read while it is checked: the method's own where there
/// is one only, which the compiler knows from it.
fn read_into(body: Option<&Body>) -> TokenStream {
    match body.map(|body| &body.shape) {
        Some(BodyShape::Typed(_)) => quote!(),
        _ => quote!(::<::dropforge_runtime::Unread>),
    }
}

fn read_body(body: &Body) -> TokenStream {
    let read = match &body.shape {
        BodyShape::Several { name, variants } => {
            let name = ident(name);
            let arms = variants.iter().map(|(variant, shape, indices)| {
                let variant = ident(variant);
                let read = match shape {
                    BodyShape::Typed(_) => quote!(request.body_as()?),
                    shape => read_one(shape),
                };
                let indices = indices
                    .iter()
                    .map(|index| Literal::usize_unsuffixed(*index));
                quote! {
                    ::std::option::Option::Some(#(#indices)|*) => {
                        ::std::option::Option::Some(#name::#variant(#read))
                    }
                }
            });
            quote! { match request.media_index() { #(#arms)* _ => ::std::option::Option::None } }
        }
        shape => {
            let read = read_one(shape);
            match body.required {
                true => return quote! { let body = #read; },
                false => quote! {
                    match request.media_index() {
                        ::std::option::Option::Some(_) => ::std::option::Option::Some(#read),
                        ::std::option::Option::None => ::std::option::Option::None,
                    }
                },
            }
        }
    };
    match body.required {
        // The runtime has already refused a request without a body.
        true => quote! {
            let body = match #read {
                ::std::option::Option::Some(body) => body,
                ::std::option::Option::None => return ::std::result::Result::Err(
                    ::dropforge_runtime::Rejection::missing_body(),
                ),
            };
        },
        false => quote! { let body = #read; },
    }
}

fn read_one(shape: &BodyShape) -> TokenStream {
    match shape {
        BodyShape::Typed(_) => quote!(request.body()?),
        BodyShape::Raw(_) => quote!(request.raw_body()?),
        BodyShape::Text => quote!(request.text_body()?),
        BodyShape::Bytes | BodyShape::Several { .. } => quote!(request.bytes_body()?),
    }
}
