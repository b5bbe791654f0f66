//! The trait that a server implements: one method per operation, in the words
//! of the document.

use super::text::{doc, ident, place, top};
use super::{bodies, responses, security};
use crate::ir::{Api, Operation, Trait};
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(api: &Api) -> TokenStream {
    let name = ident(&api.trait_name);
    let docs = doc(&[
        Some(&format!("{} {}.", api.title, api.version)),
        api.description.as_deref(),
        Some("Each method is an operation of the document; its return type lists the responses."),
        Some(&top(api)),
    ]);
    let enums = api
        .operations
        .iter()
        .map(|operation| responses::enums(api, operation));
    if api.traits.is_empty() {
        let methods = api
            .operations
            .iter()
            .map(|operation| method(api, operation));
        return quote! {
            #docs
            pub trait #name: Security { #(#methods)* }
            #(#enums)*
        };
    }
    let parts = api.traits.iter().map(|part| by_tag(api, part));
    let names: Vec<_> = api.traits.iter().map(|part| ident(&part.name)).collect();
    quote! {
        #docs
        pub trait #name: #(#names)+* {}
        impl<S: #(#names)+*> #name for S {}
        #(#parts)*
        #(#enums)*
    }
}

/// The trait of one tag.
fn by_tag(api: &Api, part: &Trait) -> TokenStream {
    let name = ident(&part.name);
    let about = match &part.tag {
        Some(tag) => format!("The operations of {} under the tag `{tag}`.", api.title),
        None => format!("The operations of {} without a tag.", api.title),
    };
    let docs = doc(&[Some(&about), part.description.as_deref()]);
    let methods = part
        .operations
        .iter()
        .map(|index| method(api, &api.operations[*index]));
    quote! {
        #docs
        pub trait #name: Security { #(#methods)* }
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
        let ty = bodies::argument(api, body, &quote!(types));
        quote! { body: #ty, }
    });
    let (response, error) = (
        ident(&operation.names.response),
        ident(&operation.names.error),
    );
    let id = &operation.id;
    let (unused, body_of_method) = match api.is_prototype {
        true => (
            quote! { #[allow(unused_variables)] },
            quote! { { async { ::dropforge_runtime::not_implemented(#id) } } },
        ),
        false => (TokenStream::new(), quote! { ; }),
    };
    quote! {
        #docs
        #unused
        fn #name(
            call: ::dropforge_runtime::Call<Self::Context>,
            #caller #parameters #body
        ) -> impl ::std::future::Future<
            Output = ::std::result::Result<#response, #error>,
        > + ::std::marker::Send #body_of_method
    }
}
