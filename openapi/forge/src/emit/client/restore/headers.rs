//! The headers of an operation's successes, and those of its errors, each as a struct.

use super::{
    super::subset::operation::{HeaderType, Operation, ResponseHeader},
    names::{error_headers_of, headers_of},
};
use crate::emit::comment;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::collections::HashSet;

/// The struct of the headers of successes, if the document lists any.
pub fn of_successes(operation: &Operation) -> Option<TokenStream> {
    let name = headers_of(operation);
    let summary = format!(
        " The headers of a success of [`Client::{}`]: `{name}::try_from(response.headers())`.",
        operation.base
    );
    of(&name, &summary, &operation.headers)
}

/// The struct of the headers of errors, if the document lists any. `taken` has the names for those of successes.
pub fn of_errors(operation: &Operation, taken: &HashSet<String>) -> Option<TokenStream> {
    let name = error_headers_of(operation, taken);
    let summary = format!(
        " The headers of an error of [`Client::{}`], which `OperationError::headers` returns: \
         `{name}::try_from(headers)`. An error may lack some of them.",
        operation.base
    );
    of(&name, &summary, &operation.error_headers)
}

fn of(name: &Ident, summary: &str, headers: &[ResponseHeader]) -> Option<TokenStream> {
    if headers.is_empty() {
        return None;
    }
    let fields = headers.iter().map(|header| {
        let doc = header.description.as_deref().map_or_else(
            || format!(" `{}`.", header.name),
            |text| format!(" `{}`: {}", header.name, comment::description(text)),
        );
        let (field, ty) = (format_ident!("{}", header.field), value_type(&header.ty));
        match header.required {
            true => quote! { #[doc = #doc] pub #field: #ty, },
            false => quote! { #[doc = #doc] pub #field: ::std::option::Option<#ty>, },
        }
    });
    let values = headers.iter().map(value);
    Some(quote! {
        #[doc = #summary]
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub struct #name {
            #(#fields)*
        }

        impl ::std::convert::TryFrom<&::dropforge_client::http::HeaderMap> for #name {
            type Error = ::dropforge_client::HeaderError;

            fn try_from(headers: &::dropforge_client::http::HeaderMap) -> ::std::result::Result<Self, Self::Error> {
                Ok(Self { #(#values)* })
            }
        }
    })
}

fn value(header: &ResponseHeader) -> TokenStream {
    let (field, name) = (format_ident!("{}", header.field), &header.name);
    let read = match header.ty {
        HeaderType::List(_) => quote! { ::dropforge_client::header_list(headers, #name)? },
        _ => quote! { ::dropforge_client::header(headers, #name)? },
    };
    match header.required {
        true => quote! { #field: ::dropforge_client::required_header(#name, #read)?, },
        false => quote! { #field: #read, },
    }
}

fn value_type(ty: &HeaderType) -> TokenStream {
    match ty {
        HeaderType::Bool => quote! { bool },
        HeaderType::Integer => quote! { i64 },
        HeaderType::Unsigned => quote! { u64 },
        HeaderType::Number => quote! { f64 },
        HeaderType::Text => quote! { ::std::string::String },
        HeaderType::List(element) => {
            let element = value_type(element);
            quote! { ::std::vec::Vec<#element> }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::document::Document;

    const TEXT: &str = "openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /a:
    get:
      operationId: read
      responses:
        '200': {description: Good.}
        '401': {description: Unauthorized., headers: {WWW-Authenticate: {required: true, schema: {type: string}}}}
        '429': {description: Wait., headers: {Retry-After: {required: true, schema: {type: integer}}}}
  /b:
    get:
      operationId: readError
      responses:
        '200': {description: Good., headers: {X-Kind: {required: true, schema: {type: string}}}}
  /c:
    get:
      operationId: readAny
      responses:
        default: {description: Any., headers: {X-Any: {required: true, schema: {type: boolean}}}}
";

    #[test]
    fn errors_have_their_own_headers_and_none_is_required() {
        let document = Document::load("test.yaml", TEXT).expect("YAML");
        let client = crate::emit::client::generate(&document).expect("a client");
        let code = client.tokens.to_string().replace(' ', "");
        for part in [
            "pubstructReadErrorHeaders_{",
            "pubwww_authenticate:::std::option::Option<::std::string::String>,",
            "pubretry_after:::std::option::Option<i64>,",
            "pubstructReadErrorHeaders{",
            "pubx_kind:::std::string::String,",
            "pubstructReadAnyHeaders{",
            "pubx_any:bool,",
        ] {
            assert!(code.contains(part), "{part}\nis not in\n{code}");
        }
        assert!(!code.contains("ReadErrorErrorHeaders"), "{code}");
    }
}
