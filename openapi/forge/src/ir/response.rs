//! Responses: the headers and the body of each status of an operation.

use super::{Framing, MediaType, Origin, Place, SchemaId, Type};

/// One entry of an operation's `responses`.
#[derive(Debug, Clone)]
pub struct Response {
    /// The status or statuses that it represents.
    pub status: Status,
    /// Name of its variant in the operation's response or error enum.
    pub variant: String,
    /// Index of its type in [`super::Api::responses`].
    pub type_index: usize,
    /// Whether it belongs to the error enum.
    pub error: bool,
    /// The place of its status.
    pub place: Place,
}

/// A key of `responses`. The order is that of a lookup: single codes, then ranges, then `default`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// One status code.
    Code(u16),
    /// `2XX` and the like, by their first digit.
    Range(u8),
    /// `default`.
    Default,
}

impl Status {
    /// The key of `responses`.
    pub fn key(self) -> String {
        match self {
            Self::Code(code) => code.to_string(),
            Self::Range(digit) => format!("{digit}XX"),
            Self::Default => "default".to_owned(),
        }
    }

    /// Whether a response with this status can have a body (RFC 9110, sections 6.4.1 and 15.3.6).
    pub fn allows_body(self) -> bool {
        match self {
            Self::Code(code) => !matches!(code, 100..=199 | 204 | 205 | 304),
            Self::Range(digit) => digit != 1,
            Self::Default => true,
        }
    }

    /// The class of its codes: their first digit (RFC 9110, section 15). `None` for `default`.
    pub fn class(self) -> Option<u16> {
        match self {
            Self::Code(code) => Some(code / 100),
            Self::Range(digit) => Some(digit.into()),
            Self::Default => None,
        }
    }
}

/// A response with a Rust type: a component, or an inline response.
#[derive(Debug, Clone)]
pub struct ResponseType {
    /// Name of the struct.
    pub name: String,
    /// `description`.
    pub description: Option<String>,
    /// The response's place.
    pub origin: Origin,
    /// Its headers.
    pub headers: Vec<Header>,
    /// Its media types.
    pub media: Vec<MediaType>,
    /// The body in the struct.
    pub payload: Payload,
}

/// The body in a response's struct.
#[derive(Debug, Clone)]
pub enum Payload {
    /// No body.
    None,
    /// A value, written as one of several JSON media types by `Accept`.
    Typed(Type),
    /// JSON bytes as they are, or a value.
    Raw(Type),
    /// A stream of events.
    Events(Type, Framing),
    /// Text.
    Text,
    /// Bytes.
    Bytes,
    /// One of several different payloads; the handler chooses.
    Several {
        /// Name of the enum.
        name: String,
        /// Its variants.
        variants: Vec<PayloadVariant>,
    },
}

/// One variant of [`Payload::Several`].
#[derive(Debug, Clone)]
pub struct PayloadVariant {
    /// Its name.
    pub name: String,
    /// Its payload; never `Several` or `None`.
    pub payload: Payload,
    /// The media types that it can be written as.
    pub media: Vec<String>,
}

/// One response header.
#[derive(Debug, Clone)]
pub struct Header {
    /// Its name.
    pub name: String,
    /// The field of the response's struct.
    pub field: String,
    /// `description`.
    pub description: Option<String>,
    /// The place of its name.
    pub place: Place,
    /// Whether the header is required.
    pub required: bool,
    /// The schema of its value.
    pub schema: SchemaId,
    /// The part of the server that sets it.
    pub source: HeaderSource,
    /// The query parameter whose value for the next page the header has.
    pub next_page: Option<String>,
    /// The field's type, without the `Option` of an optional one.
    pub ty: Type,
}

/// The part of the server that sets a response header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeaderSource {
    /// The handler.
    Handler,
    /// The runtime: the request's id.
    RequestId,
}
