//! The hooks of the client, and the table of operations that they look into.

use super::super::lower::{
    Lowered, SchemeKind,
    operation::{Form, Operation, Place},
};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// The table of operations, and hooks that hand each request to the session.
pub fn hooks(lowered: &Lowered) -> TokenStream {
    let schemes = lowered.schemes.iter().enumerate().map(|(index, scheme)| {
        let ident = format_ident!("SCHEME_{index}");
        let name = &scheme.name;
        let kind = match &scheme.kind {
            SchemeKind::Basic => quote! { Basic },
            SchemeKind::Bearer => quote! { Bearer },
            SchemeKind::Authorization(name) => quote! { Authorization(#name) },
            SchemeKind::Header(name) => quote! { Header(#name) },
            SchemeKind::Query(name) => quote! { Query(#name) },
            SchemeKind::Cookie(name) => quote! { Cookie(#name) },
        };
        quote! {
            static #ident: ::dropforge_client::Scheme =
                ::dropforge_client::Scheme { name: #name, kind: ::dropforge_client::SchemeKind::#kind };
        }
    });
    let operations = lowered
        .operations
        .iter()
        .map(|operation| entry(lowered, operation));
    let count = lowered.operations.len();
    let arms = lowered
        .operations
        .iter()
        .enumerate()
        .map(|(index, operation)| {
            let id = &operation.id;
            quote! { #id => #index, }
        });
    let base_path = &lowered.base_path;
    quote! {
        /// The path that every address begins with, behind the address of the service: a client's base address is the
        /// two together.
        pub const BASE_PATH: &str = #base_path;

        #(#schemes)*

        /// The operations, as a session sees them.
        pub static OPERATIONS: [::dropforge_client::Operation; #count] = [#(#operations),*];

        /// The operation of a method, by the name of that method.
        fn operation(method: &str) -> Option<&'static ::dropforge_client::Operation> {
            let index: usize = match method {
                #(#arms)*
                _ => return None,
            };
            OPERATIONS.get(index)
        }

        impl ClientHooks<::dropforge_client::Session> for Client {
            async fn pre<E>(&self, request: &mut ::reqwest::Request, info: &OperationInfo) -> Result<(), Error<E>> {
                match operation(info.operation_id) {
                    Some(operation) => {
                        ::dropforge_client::prepare(&self.inner, request, operation).await.map_err(Error::Custom)
                    }
                    None => Ok(()),
                }
            }

            async fn exec(
                &self,
                request: ::reqwest::Request,
                info: &OperationInfo,
            ) -> ::reqwest::Result<::reqwest::Response> {
                match operation(info.operation_id) {
                    Some(operation) => {
                        ::dropforge_client::execute(&self.inner, &self.client, request, operation).await
                    }
                    None => self.client.execute(request).await,
                }
            }
        }
    }
}

fn entry(lowered: &Lowered, operation: &Operation) -> TokenStream {
    let Operation {
        document_id,
        method,
        path,
        ..
    } = operation;
    let option = |text: &Option<String>| match text {
        Some(text) => quote! { Some(#text) },
        None => quote! { None },
    };
    let (accept, content_type) = (option(&operation.accept), option(&operation.content_type));
    let streams = matches!(operation.form, Form::Events(_));
    let security = operation.security.iter().map(|alternative| {
        let requirements = alternative.iter().filter_map(|(name, scopes)| {
            let index = lowered.schemes.iter().position(|scheme| scheme.name == *name)?;
            let scheme = format_ident!("SCHEME_{index}");
            Some(quote! { ::dropforge_client::Requirement { scheme: &#scheme, scopes: &[#(#scopes),*] } })
        });
        quote! { &[#(#requirements),*] }
    });
    let place = |(place, name): &(Place, String)| match place {
        Place::Query => quote! { ::dropforge_client::Place::Query(#name) },
        Place::Header => quote! { ::dropforge_client::Place::Header(#name) },
        Place::Cookie => quote! { ::dropforge_client::Place::Cookie(#name) },
    };
    let moved = operation.moved.iter().map(|moved| {
        let (from, to) = (place(&moved.from), place(&moved.to));
        quote! { (#from, #to) }
    });
    quote! {
        ::dropforge_client::Operation {
            id: #document_id,
            method: #method,
            path: #path,
            accept: #accept,
            content_type: #content_type,
            streams: #streams,
            moved: &[#(#moved),*],
            security: &[#(#security),*],
        }
    }
}
