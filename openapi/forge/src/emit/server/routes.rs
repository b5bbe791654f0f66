//! Registration at dropshot's router.

use super::text::{doc, ident, top};
use crate::ir::{Api, Route};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub(super) fn emit(api: &Api) -> TokenStream {
    let service = ident(&api.trait_name);
    let mut registrations = Vec::new();
    let mut folded = Vec::new();
    for (number, route) in api.routes.iter().enumerate() {
        match route {
            Route::Direct(index) => {
                let operation = &api.operations[*index];
                let (table, method) = (
                    ident(&operation.names.table),
                    ident(&operation.names.method),
                );
                registrations.push(quote! {
                    routes.operation(&operations::#table, handlers::#method::<A>)?;
                });
            }
            Route::Folded(group) => {
                let name = format_ident!("folded_{}", number);
                let tables: Vec<_> = group
                    .iter()
                    .map(|i| ident(&api.operations[*i].names.table))
                    .collect();
                registrations.push(quote! {
                    routes.folded(&[#(&operations::#tables),*], #name::<A>)?;
                });
                folded.push(self::folded(api, &name, group));
            }
        }
    }
    let docs = format!("Registers every operation of {}.", api.title);
    let docs = doc(&[
        Some(&docs),
        match api.not_found.is_empty() {
            true => None,
            false => Some(
                "Every path below the prefixes of `x-dropforge-not-found` goes to one route of \
                 dropshot's, so that unknown paths get the response of the document. Dropshot's \
                 own OpenAPI document leaves such routes out: see [`describe`].",
            ),
        },
        Some("# Errors"),
        Some("What dropshot refuses, and routes that another document has taken."),
        Some(&top(api)),
    ]);
    quote! {
        #docs
        pub fn register<A: #service>(
            api: &mut ::dropforge_runtime::dropshot::ApiDescription<A::Context>,
        ) -> ::std::result::Result<(), ::dropforge_runtime::RegisterError> {
            add_routes::<A>(::dropforge_runtime::Routes::new(api, &API, A::reject))
        }
        /// Registers every operation at a route of its own, for dropshot's OpenAPI
        /// document. Unknown paths are dropshot's to answer.
        ///
        /// # Errors
        ///
        /// As of [`register`].
        pub fn describe<A: #service>(
            api: &mut ::dropforge_runtime::dropshot::ApiDescription<A::Context>,
        ) -> ::std::result::Result<(), ::dropforge_runtime::RegisterError> {
            add_routes::<A>(::dropforge_runtime::Routes::apart(api, &API, A::reject))
        }
        fn add_routes<A: #service>(
            mut routes: ::dropforge_runtime::Routes<'_, A::Context>,
        ) -> ::std::result::Result<(), ::dropforge_runtime::RegisterError> {
            #(#registrations)*
            routes.finish()
        }
        #(#folded)*
    }
}

/// One dropshot route with several document paths behind it.
fn folded(api: &Api, name: &proc_macro2::Ident, group: &[usize]) -> TokenStream {
    let service = ident(&api.trait_name);
    let operations: Vec<_> = group.iter().map(|index| &api.operations[*index]).collect();
    let tables: Vec<_> = operations.iter().map(|o| ident(&o.names.table)).collect();
    let marker = format_ident!("{}Operation", operations[0].names.stem);
    let arms = operations.iter().enumerate().map(|(index, operation)| {
        let method = ident(&operation.names.method);
        quote! {
            ::std::option::Option::Some(#index) => {
                handlers::#method::<A>(rqctx, request.retag()).await.map(|served| served.retag())
            }
        }
    });
    quote! {
        async fn #name<A: #service>(
            rqctx: ::dropforge_runtime::dropshot::RequestContext<A::Context>,
            request: ::dropforge_runtime::Kept<handlers::#marker>,
        ) -> ::std::result::Result<
            ::dropforge_runtime::Served<handlers::#marker>,
            ::dropforge_runtime::dropshot::HttpError,
        > {
            match ::dropforge_runtime::select(&[#(&operations::#tables),*], &request) {
                #(#arms)*
                _ => ::dropforge_runtime::refuse(
                    &API,
                    rqctx,
                    request,
                    A::reject,
                    ::dropforge_runtime::Rejection::NotFound,
                )
                .await,
            }
        }
    }
}
