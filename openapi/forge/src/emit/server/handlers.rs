//! Handlers: the types and methods with which the runtime serves a request.

use super::text::{doc, ident, place};
use super::{bodies, security};
use crate::ir::{Api, Operation};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

pub(super) fn emit(api: &Api) -> TokenStream {
    let handlers = api
        .operations
        .iter()
        .map(|operation| handler(api, operation));
    quote! { mod handlers { use super::*; #(#handlers)* } }
}

/// The name of the type that represents an operation.
pub(super) fn marker(operation: &Operation) -> Ident {
    format_ident!("{}Operation", operation.names.stem)
}

fn handler(api: &Api, operation: &Operation) -> TokenStream {
    let service = ident(&api.trait_name);
    let method = ident(&operation.names.method);
    let stem = ident(&operation.names.stem);
    let table = ident(&operation.names.table);
    let marker = marker(operation);
    let (response, error) = (
        ident(&operation.names.response),
        ident(&operation.names.error),
    );
    let authenticate = security::authenticate(api, operation);
    let caller_type = security::caller_type(api, operation, &quote!(A));
    let (caller, caller_argument) = argument("caller", caller_type.is_some());
    let caller_type = caller_type.unwrap_or_else(|| quote!(()));
    let (parameters, parameters_argument) =
        argument("parameters", !operation.parameters.is_empty());
    let parameters_type = match operation.parameters.is_empty() {
        true => quote!(::dropforge_runtime::serde::de::IgnoredAny),
        false => quote!(parameters::#stem),
    };
    let (body, body_argument) = argument("body", operation.body.is_some());
    let read_body = match &operation.body {
        Some(body) => bodies::reader(api, body),
        None => quote!(()),
    };
    let body_type = match &operation.body {
        Some(body) => bodies::argument(api, body, &quote!(types)),
        None => quote!(()),
    };
    let docs = doc(&[Some(&place(&operation.origin.place))]);
    quote! {
        #docs
        pub(super) enum #marker {}
        impl<A: #service> ::dropforge_runtime::Handle<A, A::Context> for #marker {
            const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::#table;
            type Caller = #caller_type;
            type Parameters = #parameters_type;
            type Body = #read_body;
            type Outcome = ::std::result::Result<#response, #error>;
            #authenticate
            fn call(
                call: ::dropforge_runtime::Call<A::Context>,
                #caller: Self::Caller,
                #parameters: Self::Parameters,
                #body: #body_type,
            ) -> impl ::std::future::Future<Output = Self::Outcome> + ::std::marker::Send {
                A::#method(call, #caller_argument #parameters_argument #body_argument)
            }
        }
    }
}

/// A pattern for an argument, and the expression that the trait's method receives.
fn argument(name: &str, is_taken: bool) -> (TokenStream, TokenStream) {
    let name = ident(name);
    match is_taken {
        true => (quote!(#name), quote!(#name,)),
        false => (quote!(_), TokenStream::new()),
    }
}
