//! The contract tests: a macro with a `#[test]` for each operation and each case that applies to
//! it, and the document with their examples. The runtime has the cases themselves.

use super::text::ident;
use crate::ir::{Api, BodyShape, Operation};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub(super) fn emit(api: &Api) -> TokenStream {
    let name = format_ident!("{}_contract_tests", api.name);
    let tests = api.operations.iter().map(|operation| {
        let module = ident(&operation.names.method);
        let id = &operation.id;
        let cases = cases(operation).into_iter().map(|(test, case)| {
            let (test, case) = (ident(test), ident(case));
            quote! {
                #[test]
                fn #test() {
                    ::dropforge_runtime::contract::run(
                        &$($api)::+::API,
                        $($api)::+::SOURCE_JSON,
                        #id,
                        ::dropforge_runtime::contract::Case::#case,
                        $subject(),
                    );
                }
            }
        });
        quote! { mod #module { #(#cases)* } }
    });
    let document = &api.document;
    quote! {
        /// The document as JSON, for the contract tests. Programs that do not name it do not contain it.
        pub static SOURCE_JSON: &str = #document;
        /// Tests for the implementer of this document: the path of this module, then that of a
        /// function that returns the [`Subject`](::dropforge_runtime::contract::Subject).
        #[macro_export]
        macro_rules! #name {
            ($($api:ident)::+, $subject:path) => { #(#tests)* };
        }
    }
}

/// The cases that apply to an operation: the name of the test, and the case.
fn cases(operation: &Operation) -> Vec<(&'static str, &'static str)> {
    let body = operation.body.as_ref();
    let typed = body.is_some_and(|body| !matches!(body.shape, BodyShape::Text | BodyShape::Bytes));
    let parameters = &operation.parameters;
    let required = parameters.iter().any(|parameter| parameter.required);
    let security = &operation.security;
    let secured = !security.is_empty() && security.iter().all(|one| !one.all.is_empty());
    let mut uses = security.iter().flat_map(|one| &one.all);
    let scoped = uses.any(|used| !used.scopes.is_empty());
    let all = [
        (
            true,
            "each_example_is_answered_as_the_document_says",
            "Examples",
        ),
        (
            typed || required,
            "what_is_required_is_asked_for",
            "Required",
        ),
        (
            typed || !parameters.is_empty(),
            "each_constraint_holds_on_both_sides",
            "Constraints",
        ),
        (
            typed,
            "unknown_fields_are_treated_as_the_schema_says",
            "UnknownFields",
        ),
        (
            body.is_some(),
            "another_content_type_is_refused",
            "ContentType",
        ),
        (true, "an_accept_that_nothing_fits_is_told", "Accept"),
        (
            secured,
            "nobody_comes_in_without_credentials",
            "NoCredentials",
        ),
        (
            secured,
            "malformed_credentials_are_refused",
            "MalformedCredentials",
        ),
        (
            secured && scoped,
            "credentials_that_grant_too_little_are_refused",
            "InsufficientCredentials",
        ),
        (true, "every_other_method_is_refused", "OtherMethods"),
    ];
    all.into_iter()
        .filter(|(applies, _, _)| *applies)
        .map(|(_, test, case)| (test, case))
        .collect()
}
