//! Operations as static tables.

use super::responses::framing;
use super::schemas;
use super::security::{self, location};
use super::text::{doc, ident, place, top};
use crate::ir::{
    Api, Codec, Framing, Header, HeaderSource, MediaType, NotFound, Operation, Parameter, Part,
    Requirement, Response, ResponseType, Segment, Status, Style,
};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

pub(super) fn emit(api: &Api) -> TokenStream {
    let Api {
        name,
        title,
        version,
        base_path,
        not_found,
        is_prototype,
        request_ids,
        ..
    } = api;
    let request_id_count = request_ids.len();
    let prefixes = not_found.iter().map(|one| ident(&one.table));
    let not_found = not_found.iter().map(|one| self::not_found(api, one));
    let names: Vec<_> = api
        .operations
        .iter()
        .map(|o| ident(&o.names.table))
        .collect();
    let responses = api
        .responses
        .iter()
        .enumerate()
        .map(|(index, r)| response(index, r));
    let operations = api
        .operations
        .iter()
        .map(|operation| self::operation(api, operation));
    let docs = doc(&[
        Some(&format!("{title} {version} as the runtime's tables.")),
        Some(&top(api)),
    ]);
    quote! {
        #docs
        pub static API: ::dropforge_runtime::table::Api = ::dropforge_runtime::table::Api {
            name: #name,
            title: #title,
            version: #version,
            base_path: #base_path,
            operations: &[#(&operations::#names),*],
            not_found: &[#(&operations::#prefixes),*],
            request_ids: &operations::REQUEST_IDS,
            is_prototype: #is_prototype,
        };
        /// One table for each operation.
        pub mod operations {
            use super::schemas;
            use ::dropforge_runtime::table::*;
            pub(super) static REQUEST_IDS: [::dropforge_runtime::http::HeaderName; #request_id_count] =
                [#(::dropforge_runtime::http::HeaderName::from_static(#request_ids)),*];
            #(#responses)*
            #(#operations)*
            #(#not_found)*
        }
    }
}

/// The response to unknown paths below a prefix, as an operation that is never called.
fn not_found(api: &Api, not_found: &NotFound) -> TokenStream {
    let NotFound {
        prefix,
        segments,
        origin,
        response,
        table,
    } = not_found;
    let docs = doc(&[
        Some(&format!("Unknown paths below `{prefix}`")),
        Some(&place(&origin.place)),
    ]);
    let table = ident(table);
    let (id, route) = (
        format!("{prefix} not found"),
        format!("{}/{{path:.*}}", prefix.trim_end_matches('/')),
    );
    let pointer = &origin.pointer;
    let segments = segments.iter().map(segment);
    let response = entry(api, response);
    quote! {
        #docs
        pub static #table: Operation = Operation {
            id: #id,
            method: ::dropforge_runtime::http::Method::GET,
            path: #prefix,
            segments: &[#(#segments),*],
            route: #route,
            pointer: #pointer,
            parameters: &[],
            body: ::std::option::Option::None,
            responses: &[#response],
            method_not_allowed: ::std::option::Option::None,
            security: &[],
            max_body_bytes: 0,
        };
    }
}

fn operation(api: &Api, operation: &Operation) -> TokenStream {
    let table = ident(&operation.names.table);
    let docs = doc(&[
        Some(&format!("`{} {}`", operation.method, operation.path)),
        Some(&place(&operation.origin.place)),
    ]);
    let Operation {
        id, path, route, ..
    } = operation;
    let pointer = &operation.origin.pointer;
    let method = ident(&operation.method);
    let segments = operation.segments.iter().map(segment);
    let parameters = operation.parameters.iter().map(parameter);
    let body = match &operation.body {
        None => quote!(::std::option::Option::None),
        Some(body) => {
            let (required, lenient) = (body.required, body.lenient);
            let media = body.media.iter().map(media_type);
            quote!(::std::option::Option::Some(&RequestBody {
                required: #required,
                lenient: #lenient,
                media: &[#(#media),*],
            }))
        }
    };
    let responses = operation.responses.iter().map(|one| entry(api, one));
    let method_not_allowed = match &operation.method_not_allowed {
        None => quote!(::std::option::Option::None),
        Some(response) => {
            let response = entry(api, response);
            quote!(::std::option::Option::Some(&#response))
        }
    };
    let security = operation
        .security
        .iter()
        .map(|requirement| self::requirement(api, requirement));
    let max_body_bytes =
        Literal::usize_unsuffixed(usize::try_from(operation.max_body_bytes).unwrap_or(usize::MAX));
    quote! {
        #docs
        pub static #table: Operation = Operation {
            id: #id,
            method: ::dropforge_runtime::http::Method::#method,
            path: #path,
            segments: &[#(#segments),*],
            route: #route,
            pointer: #pointer,
            parameters: &[#(#parameters),*],
            body: #body,
            responses: &[#(#responses),*],
            method_not_allowed: #method_not_allowed,
            security: &[#(#security),*],
            max_body_bytes: #max_body_bytes,
        };
    }
}

/// One entry of the responses.
fn entry(api: &Api, response: &Response) -> TokenStream {
    let status = status(response.status);
    let of = &api.responses[response.type_index];
    let (headers, media) = response_tables(response.type_index);
    let headers = match of.headers.is_empty() {
        true => quote!(&[]),
        false => quote!(&#headers),
    };
    let media = match of.media.is_empty() {
        true => quote!(&[]),
        false => quote!(&#media),
    };
    quote!(Response { status: #status, headers: #headers, media: #media })
}

/// Names of the headers and media types of a response.
fn response_tables(index: usize) -> (Ident, Ident) {
    (
        format_ident!("HEADERS_{}", index),
        format_ident!("MEDIA_{}", index),
    )
}

/// The headers and media types of a response, once for all operations that have it.
fn response(index: usize, response: &ResponseType) -> TokenStream {
    let (headers_name, media_name) = response_tables(index);
    let headers = (!response.headers.is_empty()).then(|| {
        let (count, headers) = (response.headers.len(), response.headers.iter().map(header));
        quote! { static #headers_name: [Header; #count] = [#(#headers),*]; }
    });
    let media = (!response.media.is_empty()).then(|| {
        let (count, media) = (response.media.len(), response.media.iter().map(media_type));
        quote! { static #media_name: [MediaType; #count] = [#(#media),*]; }
    });
    quote! { #headers #media }
}

fn segment(segment: &Segment) -> TokenStream {
    match segment {
        Segment::Literal(text) => quote!(Segment::Literal(#text)),
        Segment::Variable(name) => quote!(Segment::Variable(#name)),
        Segment::Mixed(parts) => {
            let parts = parts.iter().map(|part| match part {
                Part::Literal(text) => quote!(Part::Literal(#text)),
                Part::Variable(name) => quote!(Part::Variable(#name)),
            });
            quote!(Segment::Mixed(&[#(#parts),*]))
        }
    }
}

fn parameter(parameter: &Parameter) -> TokenStream {
    let Parameter {
        name,
        required,
        explode,
        json,
        ..
    } = parameter;
    let location = location(parameter.location);
    let style = ident(match parameter.style {
        Style::Simple => "Simple",
        Style::Label => "Label",
        Style::Matrix => "Matrix",
        Style::Form => "Form",
        Style::SpaceDelimited => "SpaceDelimited",
        Style::PipeDelimited => "PipeDelimited",
        Style::DeepObject => "DeepObject",
    });
    let schema = schemas::name(parameter.schema);
    let required = required.then(|| quote!(.required()));
    let explode = explode.then(|| quote!(.explode()));
    let json = json.then(|| quote!(.json()));
    quote! {
        Parameter::of(#location, #name, Style::#style, &schemas::#schema)#required #explode #json
    }
}

fn media_type(media: &MediaType) -> TokenStream {
    let MediaType {
        name,
        codec,
        schema,
        raw,
        stream,
        parts,
    } = media;
    let codec = ident(match codec {
        Codec::Json => "Json",
        Codec::Form => "Form",
        Codec::Multipart => "Multipart",
        Codec::EventStream => "EventStream",
        Codec::Text => "Text",
        Codec::Binary => "Binary",
    });
    let schema = schema.map(|id| {
        let name = schemas::name(id);
        quote!(.schema(&schemas::#name))
    });
    let raw = raw.then(|| quote!(.raw()));
    let stream = (*stream != Framing::default()).then(|| {
        let framing = framing(stream);
        quote!(.stream(#framing))
    });
    let parts = (!parts.is_empty()).then(|| {
        let parts = parts
            .iter()
            .map(|(name, types)| quote!((#name, &[#(#types),*])));
        quote!(.parts(&[#(#parts),*]))
    });
    quote!(MediaType::of(#name, Codec::#codec)#schema #raw #stream #parts)
}

fn header(header: &Header) -> TokenStream {
    let Header { name, required, .. } = header;
    let schema = schemas::name(header.schema);
    let required = required.then(|| quote!(.required()));
    let source = match header.source {
        HeaderSource::Handler => TokenStream::new(),
        HeaderSource::RequestId => quote!(.source(HeaderSource::RequestId)),
    };
    quote!(Header::of(#name, &schemas::#schema)#required #source)
}

fn status(status: Status) -> TokenStream {
    match status {
        Status::Code(code) => {
            let code = Literal::u16_unsuffixed(code);
            quote!(Status::Code(#code))
        }
        Status::Range(digit) => {
            let digit = Literal::u8_unsuffixed(digit);
            quote!(Status::Range(#digit))
        }
        Status::Default => quote!(Status::Default),
    }
}

fn requirement(api: &Api, requirement: &Requirement) -> TokenStream {
    let all = requirement.all.iter().map(|used| {
        let scheme = &api.schemes[used.scheme];
        let (name, scopes) = (&scheme.name, &used.scopes);
        let credentials = security::scheme(&scheme.credentials);
        quote!(SchemeUse { name: #name, scheme: #credentials, scopes: &[#(#scopes),*] })
    });
    quote!(Requirement { all: &[#(#all),*] })
}
