//! Responses by status: patterns, types and the parsing of bodies; and the enum of an operation's successes.

use super::{
    super::subset::operation::{Body, Case, Operation},
    names::{success_of, type_of},
};
use crate::emit::comment;
use crate::ir::Status;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// The variant of a case.
pub fn variant(case: &Case) -> Ident {
    format_ident!("{}", case.variant)
}

/// The statuses of a case, as a pattern of a `u16`. Single ones come before ranges, and `default` last.
pub fn pattern(case: &Case) -> TokenStream {
    match case.status {
        Status::Code(code) => quote! { #code },
        Status::Range(digit) => {
            let first = u16::from(digit) * 100;
            let last = first + 99;
            quote! { #first..=#last }
        }
        Status::Default => quote! { _ },
    }
}

/// The arm for other statuses, unless the cases have all.
pub fn otherwise(cases: &[Case], arm: TokenStream) -> TokenStream {
    if cases.iter().any(|case| case.status == Status::Default) {
        TokenStream::new()
    } else {
        quote! { _ => #arm }
    }
}

/// The type of a body that generated code reads.
pub fn body_type(body: &Body) -> TokenStream {
    match body {
        Body::Json(component) => type_of(component.as_deref()),
        Body::Bytes => quote! { ::dropforge_client::Bytes },
        Body::Empty => quote! { () },
    }
}

/// The method of `Buffered` that reads a body.
pub fn read(body: &Body) -> TokenStream {
    match body {
        Body::Json(_) => quote! { json },
        Body::Bytes => quote! { bytes },
        Body::Empty => quote! { empty },
    }
}

/// The documentation of a variant.
pub fn doc(case: &Case) -> String {
    let description = comment::description(&case.description);
    let what = match case.status {
        Status::Default => "Any other status".to_owned(),
        status => status.key(),
    };
    if description.is_empty() {
        format!(" {what}.")
    } else {
        format!(" {what}: {description}")
    }
}

/// The enum of the successes, if they have several types.
pub fn successes(operation: &Operation) -> TokenStream {
    let Some(cases) = &operation.successes else {
        return TokenStream::new();
    };
    let name = success_of(operation);
    let summary = format!(" The responses of [`Client::{}`].", operation.base);
    let variants = cases.iter().map(|case| {
        let (doc, variant) = (doc(case), variant(case));
        match &case.body {
            Body::Empty => quote! { #[doc = #doc] #variant, },
            body => {
                let body = body_type(body);
                quote! { #[doc = #doc] #variant(#body), }
            }
        }
    });
    let arms = cases.iter().map(|case| {
        let (pattern, variant, body) = (pattern(case), variant(case), body_type(&case.body));
        let read = match case.body {
            Body::Empty => quote! { Ok(Self::#variant) },
            Body::Bytes => {
                quote! { buffered.bytes().map(|value| Self::#variant(value.into_inner())) }
            }
            Body::Json(_) => {
                quote! { buffered.json::<#body>().map(|value| Self::#variant(value.into_inner())) }
            }
        };
        quote! { #pattern => #read, }
    });
    let otherwise = otherwise(cases, quote! { Err(buffered.unlisted()), });
    quote! {
        #[doc = #summary]
        #[derive(Debug, Clone, PartialEq)]
        #[allow(clippy::large_enum_variant)]
        #[non_exhaustive]
        pub enum #name {
            #(#variants)*
        }

        impl #name {
            fn read(buffered: ::dropforge_client::Buffered) -> Result<ResponseValue<Self>, ::dropforge_client::Failure> {
                let (status, headers) = (buffered.status, buffered.headers.clone());
                let value = match status.as_u16() {
                    #(#arms)*
                    #otherwise
                };
                value.map(|value| ResponseValue::new(value, status, headers))
            }
        }
    }
}
