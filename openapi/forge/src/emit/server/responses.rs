//! Response types, and the enums of each operation's responses.

use super::text::{doc, ident, place};
use super::{debug, type_path};
use crate::ir::{
    Api, Framing, Header, HeaderSource, Operation, Payload, Response, ResponseType, Shape, Status,
    Type,
};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The contents of the module `responses`.
pub(super) fn emit(api: &Api) -> TokenStream {
    let structs = api
        .responses
        .iter()
        .map(|response| structure(api, response));
    quote! { #(#structs)* }
}

fn structure(api: &Api, response: &ResponseType) -> TokenStream {
    let name = ident(&response.name);
    let docs = doc(&[
        response.description.as_deref(),
        Some(&place(&response.origin.place)),
    ]);
    let headers: Vec<&Header> = response
        .headers
        .iter()
        .filter(|h| h.source == HeaderSource::Handler)
        .collect();
    let header_fields = headers.iter().map(|header| header_field(api, header));
    let header_calls = headers.iter().map(|header| header_call(api, header));
    let media: Vec<&str> = response.media.iter().map(|media| media.sent_as()).collect();
    let body_field = body_type(api, &response.payload).map(|ty| {
        quote! {
            /// The body.
            pub body: #ty,
        }
    });
    let several = several(api, response);
    let mut marked: Vec<_> = headers
        .iter()
        .map(|one| (ident(&one.field), api.holds_secret(one.schema)))
        .collect();
    if body_field.is_some() {
        marked.push((ident("body"), has_secret_body(api, response)));
    }
    let debug = debug::of_struct(&name, &marked);
    let derived = debug.is_none().then(|| quote!(#[derive(Debug)]));
    let reply = reply(&response.payload, &media, quote!(self.body));
    quote! {
        #docs
        #derived
        pub struct #name { #(#header_fields)* #body_field }
        #debug
        impl #name {
            #[allow(unused_variables)]
            pub(super) fn into_reply(
                self,
                status: ::dropforge_runtime::http::StatusCode,
                accept: &::dropforge_runtime::Accept,
            ) -> ::dropforge_runtime::Reply {
                let reply = #reply;
                #(#header_calls)*
                reply
            }
        }
        #several
    }
}

/// Whether the body of a response is left out of `Debug`.
fn has_secret_body(api: &Api, response: &ResponseType) -> bool {
    let mut media = response.media.iter();
    media.any(|media| api.has_secret_body(media))
}

/// Whether the display of a value is its text in a header. Instants, lists and objects differ.
fn displays(api: &Api, ty: &Type) -> bool {
    match ty {
        Type::Bool
        | Type::I32
        | Type::I64
        | Type::U64
        | Type::F64
        | Type::String
        | Type::Date
        | Type::Uuid => true,
        Type::Named(id) | Type::Boxed(id) => match &api.definitions[id.0].shape {
            Shape::Enum(_) => true,
            Shape::Alias(inner) => displays(api, inner),
            Shape::Struct { .. } | Shape::Union(_) | Shape::Newtype(_) => false,
        },
        Type::Any
        | Type::DateTime
        | Type::Binary
        | Type::FreeObject
        | Type::Array(_)
        | Type::Map(_)
        | Type::Nullable(_) => false,
    }
}

/// The statement that sets a header of a reply.
fn header_call(api: &Api, header: &Header) -> TokenStream {
    let field = ident(&header.field);
    let name = header.name.to_ascii_lowercase();
    let name = quote! { const { ::dropforge_runtime::http::HeaderName::from_static(#name) } };
    match (setter(api, &header.ty), header.required) {
        (Some(set), true) => quote! { let reply = reply.#set(#name, self.#field); },
        (Some(set), false) => quote! {
            let reply = match self.#field {
                ::std::option::Option::Some(value) => reply.#set(#name, value),
                ::std::option::Option::None => reply,
            };
        },
        (None, true) if displays(api, &header.ty) => {
            quote! { let reply = reply.header(#name, &self.#field); }
        }
        (None, false) if displays(api, &header.ty) => {
            quote! { let reply = reply.header_opt(#name, self.#field.as_ref()); }
        }
        (None, _) => quote! { let reply = reply.header_as(#name, &self.#field); },
    }
}

/// The method that sets a header, for a value that converts into a header's value directly.
fn setter(api: &Api, ty: &Type) -> Option<TokenStream> {
    match ty {
        Type::I32 | Type::I64 | Type::U64 => Some(quote!(header_integer)),
        Type::String => Some(quote!(header_text)),
        Type::Named(id) | Type::Boxed(id) => match &api.definitions[id.0].shape {
            Shape::Alias(inner) => setter(api, inner),
            Shape::Enum(_) | Shape::Struct { .. } | Shape::Union(_) | Shape::Newtype(_) => None,
        },
        _ => None,
    }
}

fn header_field(api: &Api, header: &Header) -> TokenStream {
    let name = ident(&header.field);
    let docs = doc(&[
        header.description.as_deref().or(Some(&header.name)),
        Some(&place(&header.place)),
    ]);
    let ty = type_path::path(api, &header.ty, &quote!(super::types));
    match header.required {
        true => quote! { #docs pub #name: #ty, },
        false => quote! { #docs pub #name: ::std::option::Option<#ty>, },
    }
}

fn body_type(api: &Api, payload: &Payload) -> Option<TokenStream> {
    let path = |ty| type_path::path(api, ty, &quote!(super::types));
    Some(match payload {
        Payload::None => return None,
        Payload::Typed(ty) => path(ty),
        Payload::Raw(ty) => {
            let ty = path(ty);
            quote!(::dropforge_runtime::RawJson<#ty>)
        }
        Payload::Events(ty, _) => {
            let ty = path(ty);
            quote!(::dropforge_runtime::EventStream<#ty>)
        }
        Payload::Text => quote!(::std::string::String),
        Payload::Bytes => quote!(::dropforge_runtime::bytes::Bytes),
        Payload::Several { name, .. } => {
            let name = ident(name);
            quote!(#name)
        }
    })
}

/// The enum of a body of several kinds.
fn several(api: &Api, response: &ResponseType) -> TokenStream {
    let Payload::Several { name, variants } = &response.payload else {
        return TokenStream::new();
    };
    let name = ident(name);
    // One secret media type hides the values of all: `Debug` is for logs.
    let is_secret = has_secret_body(api, response);
    let marked = variants.iter().map(|one| (ident(&one.name), is_secret));
    let debug = debug::of_variants(&name, &marked.collect::<Vec<_>>());
    let derived = debug.is_none().then(|| quote!(#[derive(Debug)]));
    let variants = variants.iter().map(|variant| {
        let docs = doc(&[Some(&format!("`{}`", variant.media.join("` or `")))]);
        let name = ident(&variant.name);
        let ty = body_type(api, &variant.payload);
        quote! { #docs #name(#ty), }
    });
    let docs = doc(&[
        Some("A body that comes in several kinds."),
        Some(&place(&response.origin.place)),
    ]);
    quote! {
        #docs
        #derived
        pub enum #name { #(#variants)* }
        #debug
    }
}

/// An expression that makes the reply.
fn reply(payload: &Payload, media: &[&str], body: TokenStream) -> TokenStream {
    let first = media.first().copied().unwrap_or("application/octet-stream");
    match payload {
        Payload::None => quote!(::dropforge_runtime::Reply::empty(status)),
        Payload::Typed(_) => match media {
            [only] => quote!(::dropforge_runtime::Reply::json_as(status, #only, &#body)),
            _ => {
                quote!(::dropforge_runtime::Reply::negotiated(status, &[#(#media),*], accept, &#body))
            }
        },
        Payload::Raw(_) => quote!(::dropforge_runtime::Reply::raw(status, #first, #body)),
        Payload::Events(_, framing) => {
            let framing = self::framing(framing);
            quote!(::dropforge_runtime::Reply::events(status, #first, #framing, #body))
        }
        Payload::Text => quote!(::dropforge_runtime::Reply::text(status, #first, #body)),
        Payload::Bytes => quote!(::dropforge_runtime::Reply::bytes(status, #first, #body)),
        Payload::Several { name, variants } => {
            let name = ident(name);
            let arms = variants.iter().map(|variant| {
                let media: Vec<&str> = variant.media.iter().map(String::as_str).collect();
                let reply = reply(&variant.payload, &media, quote!(body));
                let variant = ident(&variant.name);
                quote! { #name::#variant(body) => #reply, }
            });
            quote! { match #body { #(#arms)* } }
        }
    }
}

/// The expression of a framing in the runtime's table.
pub(super) fn framing(framing: &Framing) -> TokenStream {
    let option = |text: &Option<String>| match text {
        Some(text) => quote!(::std::option::Option::Some(#text)),
        None => quote!(::std::option::Option::None),
    };
    let (terminator, event) = (option(&framing.terminator), option(&framing.event));
    quote!(::dropforge_runtime::table::Framing { terminator: #terminator, event: #event })
}

/// The two enums of an operation: its responses, and its errors.
pub(super) fn enums(api: &Api, operation: &Operation) -> TokenStream {
    let (successes, errors): (Vec<&Response>, Vec<&Response>) = operation
        .responses
        .iter()
        .partition(|response| !response.error);
    let (names, id) = (&operation.names, &operation.id);
    let about = format!("The responses of `{id}`.");
    let successes = one_enum(api, operation, &names.response, &successes, &about);
    let about = format!("The errors of `{id}`.");
    let errors = one_enum(api, operation, &names.error, &errors, &about);
    quote! { #successes #errors }
}

fn one_enum(
    api: &Api,
    operation: &Operation,
    name: &str,
    responses: &[&Response],
    about: &str,
) -> TokenStream {
    let name = ident(name);
    let docs = doc(&[Some(about), Some(&place(&operation.origin.place))]);
    let variants = responses.iter().map(|response| {
        let kind = &api.responses[response.type_index];
        let docs = doc(&[
            kind.description.as_deref().or(Some(&kind.name)),
            Some(&place(&response.place)),
        ]);
        let variant = ident(&response.variant);
        let ty = ident(&kind.name);
        match response.status {
            Status::Code(_) => quote! { #docs #variant(responses::#ty), },
            _ => quote! { #docs #variant(::dropforge_runtime::http::StatusCode, responses::#ty), },
        }
    });
    let arms = responses.iter().map(|response| {
        let variant = ident(&response.variant);
        match response.status {
            Status::Code(code) => quote! {
                Self::#variant(response) => response.into_reply(
                    ::dropforge_runtime::status(#code),
                    accept,
                ),
            },
            _ => {
                quote! { Self::#variant(status, response) => response.into_reply(status, accept), }
            }
        }
    });
    let conversions = conversions(api, &name, responses);
    quote! {
        #docs
        #[derive(Debug)]
        pub enum #name { #(#variants)* }
        impl ::dropforge_runtime::IntoReply for #name {
            #[allow(unused_variables)]
            fn into_reply(self, accept: &::dropforge_runtime::Accept) -> ::dropforge_runtime::Reply {
                match self { #(#arms)* }
            }
        }
        #conversions
    }
}

/// Conversions of the responses that have one status and a type of their own.
fn conversions(api: &Api, name: &Ident, responses: &[&Response]) -> TokenStream {
    let conversions = responses.iter().filter(|response| {
        let same = responses
            .iter()
            .filter(|other| other.type_index == response.type_index);
        matches!(response.status, Status::Code(_)) && same.count() == 1
    });
    let conversions = conversions.map(|response| {
        let variant = ident(&response.variant);
        let ty = ident(&api.responses[response.type_index].name);
        quote! {
            impl ::std::convert::From<responses::#ty> for #name {
                fn from(response: responses::#ty) -> Self { Self::#variant(response) }
            }
        }
    });
    quote! { #(#conversions)* }
}
