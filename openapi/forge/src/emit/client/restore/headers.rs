//! The headers of an operation's successes, as a struct.

use super::{
    super::subset::{
        doc_text,
        operation::{HeaderType, Operation, ResponseHeader},
    },
    names::headers_of,
};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// The struct, if the document lists headers.
pub fn headers(operation: &Operation) -> Option<TokenStream> {
    if operation.headers.is_empty() {
        return None;
    }
    let name = headers_of(operation);
    let summary = format!(
        " The headers of a success of [`Client::{}`]: `{name}::try_from(response.headers())`.",
        operation.base
    );
    let fields = operation.headers.iter().map(|header| {
        let doc = header.description.as_deref().map_or_else(
            || format!(" `{}`.", header.name),
            |text| format!(" `{}`: {}", header.name, doc_text(text)),
        );
        let (field, ty) = (format_ident!("{}", header.field), value_type(&header.ty));
        match header.required {
            true => quote! { #[doc = #doc] pub #field: #ty, },
            false => quote! { #[doc = #doc] pub #field: ::std::option::Option<#ty>, },
        }
    });
    let values = operation.headers.iter().map(value);
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
