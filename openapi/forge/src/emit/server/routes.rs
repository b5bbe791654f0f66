//! Registration at dropshot's router.

use super::handlers::marker;
use super::text::{doc, ident, top};
use crate::ir::{Api, Route};
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(api: &Api) -> TokenStream {
    let service = ident(&api.trait_name);
    let marker = |index: &usize| marker(&api.operations[*index]);
    let registrations = api.routes.iter().map(|route| match route {
        Route::Direct(index) => {
            let marker = marker(index);
            quote! { routes.handle::<A, handlers::#marker>()?; }
        }
        Route::Folded(group) => {
            let markers = group.iter().map(marker);
            quote! { routes.fold([#(routes.entry::<A, handlers::#markers>()),*])?; }
        }
    });
    let docs = format!("Registers every operation of {}.", api.title);
    let docs = doc(&[
        Some(&docs),
        match api.not_found.is_empty() {
            true => None,
            false => Some(
                "Every path below the prefixes of `x-dropforge-not-found` goes to one route of \
                 dropshot's, so that unknown paths get the response of the document.",
            ),
        },
        Some("# Errors"),
        Some("When dropshot rejects a route, or another document has registered it."),
        Some(&top(api)),
    ]);
    quote! {
        #docs
        pub fn register<A: #service>(
            api: &mut ::dropforge_runtime::dropshot::ApiDescription<A::Context>,
        ) -> ::std::result::Result<(), ::dropforge_runtime::RegisterError> {
            let mut routes = ::dropforge_runtime::Routes::new(api, &API, A::reject);
            #(#registrations)*
            routes.finish()
        }
    }
}
