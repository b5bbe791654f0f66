//! The errors of an operation, one variant for each status.

use super::{
    super::{
        splice::Builder,
        subset::operation::{Body, Operation},
    },
    cases, error_of,
};
use proc_macro2::TokenStream;
use quote::quote;

/// The enum of the errors, and how to tell them apart.
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
    let listed: Vec<_> = all.iter().map(cases::variant).collect();
    let told_apart = if raw {
        by_bytes(operation)
    } else {
        by_value(operation)
    };
    let bodies = all.iter().map(|case| {
        let variant = cases::variant(case);
        match case.body {
            Body::Json(_) => {
                quote! { Self::#variant(response) => ::dropforge_client::body_of(response), }
            }
            Body::Empty | Body::Bytes => quote! { Self::#variant(_) => None, },
        }
    });
    let request_ids = (!request_ids.is_empty()).then(|| {
        quote! {
            fn request_id_headers(&self) -> &'static [&'static str] {
                &[#(#request_ids),*]
            }
        }
    });
    quote! {
        #[doc = #summary]
        #[derive(Debug)]
        #[allow(clippy::large_enum_variant)]
        pub enum #name {
            #(#variants)*
            /// Anything else: the request could not be sent, or the document does not describe the response.
            Other(::dropforge_client::Failure),
        }

        impl #name {
            /// Tells an error of this operation apart by its status.
            pub async fn from_error(error: Error<#error>) -> Self {
                #told_apart
            }
        }

        impl ::dropforge_client::OperationError for #name {
            fn status(&self) -> Option<::reqwest::StatusCode> {
                match self {
                    #(Self::#listed(response) => Some(response.status()),)*
                    Self::Other(failure) => failure.status(),
                }
            }

            fn headers(&self) -> Option<&::reqwest::header::HeaderMap> {
                match self {
                    #(Self::#listed(response) => Some(response.headers()),)*
                    Self::Other(failure) => failure.response().map(|response| &response.headers),
                }
            }

            fn body(&self) -> Option<::serde_json::Value> {
                match self {
                    #(#bodies)*
                    Self::Other(failure) => {
                        failure.response().and_then(|response| ::serde_json::from_slice(&response.body).ok())
                    }
                }
            }

            #request_ids

            fn failure(&self) -> Option<&::dropforge_client::Failure> {
                match self {
                    Self::Other(failure) => Some(failure),
                    #[allow(unreachable_patterns)]
                    _ => None,
                }
            }
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

/// progenitor has read the body: all have one type.
fn by_value(operation: &Operation) -> TokenStream {
    let all = &operation.errors.cases;
    let arms = all.iter().map(|case| {
        let (pattern, variant) = (cases::pattern(case), cases::variant(case));
        quote! { #pattern => Self::#variant(response), }
    });
    let otherwise = cases::otherwise(
        all,
        quote! { Self::Other(::dropforge_client::Failure::of(Error::ErrorResponse(response)).await), },
    );
    quote! {
        match error {
            Error::ErrorResponse(response) => match response.status().as_u16() {
                #(#arms)*
                #otherwise
            },
            other => Self::Other(::dropforge_client::Failure::of(other).await),
        }
    }
}

/// progenitor has left the bytes.
fn by_bytes(operation: &Operation) -> TokenStream {
    let all = &operation.errors.cases;
    let arms = all.iter().map(|case| {
        let (pattern, variant, method) = (
            cases::pattern(case),
            cases::variant(case),
            cases::read(&case.body),
        );
        quote! { #pattern => buffered.#method().map_or_else(Self::Other, Self::#variant), }
    });
    let otherwise = cases::otherwise(all, quote! { Self::Other(buffered.unlisted()), });
    quote! {
        let response = match error {
            Error::ErrorResponse(response) => response,
            other => return Self::Other(::dropforge_client::Failure::of(other).await),
        };
        match ::dropforge_client::Buffered::read(response).await {
            Ok(buffered) => match buffered.status.as_u16() {
                #(#arms)*
                #otherwise
            },
            Err(error) => Self::Other(error),
        }
    }
}
