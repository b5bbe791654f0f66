//! The errors of an operation, one variant for each status.

use super::{
    super::{
        output::Builder,
        subset::operation::{Body, Operation},
    },
    cases,
    names::error_of,
};
use proc_macro2::TokenStream;
use quote::quote;

/// The enum of the errors, the code that classifies them, and its traits.
pub fn errors(operation: &Operation, builder: &Builder, request_ids: &[String]) -> TokenStream {
    let name = error_of(operation);
    let all = &operation.errors.cases;
    let raw = operation.errors.raw;
    let error = &builder.error;
    let summary = format!(" How [`Client::{}`] fails.", operation.base);
    let variants = all.iter().map(|case| {
        let (doc, variant) = (cases::doc(case), cases::variant(case));
        let body = if raw {
            cases::body_type(&case.body)
        } else {
            error.clone()
        };
        quote! { #[doc = #doc] #variant(ResponseValue<#body>), }
    });
    let (classify, listed) = match raw {
        true => (
            quote! { classify_by_bytes(error, session, Self::listed) },
            by_bytes(operation),
        ),
        false => (
            quote! { classify_by_value(error, Self::listed) },
            by_value(operation, error),
        ),
    };
    let traits = traits(operation, request_ids);
    quote! {
        #[doc = #summary]
        #[derive(Debug)]
        #[allow(clippy::large_enum_variant)]
        #[non_exhaustive]
        pub enum #name {
            #(#variants)*
            /// Anything else: the request could not be sent, or the document does not describe the response.
            Other(::dropforge_client::Failure),
        }

        impl #name {
            /// Classifies an error of this operation by its status.
            #[doc(hidden)]
            pub async fn from_error(error: Error<#error>, session: &::dropforge_client::Session) -> Self {
                ::dropforge_client::#classify.await.unwrap_or_else(Self::Other)
            }

            #listed
        }

        #traits
    }
}

/// The implementations of `OperationError`, `Display` and `Error`.
fn traits(operation: &Operation, request_ids: &[String]) -> TokenStream {
    let name = error_of(operation);
    let outcomes = operation.errors.cases.iter().map(|case| {
        let variant = cases::variant(case);
        let described = match case.body {
            Body::Json(_) => quote! { json },
            Body::Empty | Body::Bytes => quote! { opaque },
        };
        quote! { Self::#variant(response) => Ok(::dropforge_client::Described::#described(response)), }
    });
    let request_ids = (!request_ids.is_empty()).then(|| {
        quote! {
            fn request_id_headers(&self) -> &'static [&'static str] {
                &[#(#request_ids),*]
            }
        }
    });
    quote! {
        impl ::dropforge_client::OperationError for #name {
            fn outcome(&self) -> Result<::dropforge_client::Described<'_>, &::dropforge_client::Failure> {
                match self {
                    #(#outcomes)*
                    Self::Other(failure) => Err(failure),
                }
            }

            #request_ids
        }

        impl ::std::fmt::Display for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::dropforge_client::describe(self, f)
            }
        }

        impl ::std::error::Error for #name {
            fn source(&self) -> Option<&(dyn ::std::error::Error + 'static)> {
                ::dropforge_client::OperationError::failure(self).and_then(::std::error::Error::source)
            }
        }
    }
}

/// The function that finds the variant of a response whose body progenitor has read: all bodies have one type.
fn by_value(operation: &Operation, error: &TokenStream) -> TokenStream {
    let all = &operation.errors.cases;
    let arms = all.iter().map(|case| {
        let (pattern, variant) = (cases::pattern(case), cases::variant(case));
        quote! { #pattern => Ok(Self::#variant(response)), }
    });
    let otherwise = cases::otherwise(all, quote! { Err(response), });
    quote! {
        fn listed(response: ResponseValue<#error>) -> Result<Self, ResponseValue<#error>> {
            match response.status().as_u16() {
                #(#arms)*
                #otherwise
            }
        }
    }
}

/// The function that reads the body of a response by its status: progenitor has not parsed the bytes.
fn by_bytes(operation: &Operation) -> TokenStream {
    let all = &operation.errors.cases;
    let arms = all.iter().map(|case| {
        let (pattern, variant, method) = (
            cases::pattern(case),
            cases::variant(case),
            cases::read(&case.body),
        );
        quote! { #pattern => response.#method().map(Self::#variant), }
    });
    let otherwise = cases::otherwise(all, quote! { Err(response.unlisted()), });
    quote! {
        fn listed(response: ::dropforge_client::Buffered) -> Result<Self, ::dropforge_client::Failure> {
            match response.status.as_u16() {
                #(#arms)*
                #otherwise
            }
        }
    }
}
