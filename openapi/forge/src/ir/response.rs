//! Responses: what each status of an operation carries.

use super::{Framing, MediaType, Origin, Place, SchemaId, Type};

/// One entry of an operation's `responses`.
#[derive(Debug, Clone)]
pub struct Response {
    /// The status or statuses it stands for.
    pub status: Status,
    /// Name of its variant in the operation's response or error enum.
    pub variant: String,
    /// Index of its type in [`super::Api::responses`].
    pub type_index: usize,
    /// Whether it belongs to the error enum.
    pub error: bool,
    /// Where its status stands.
    pub place: Place,
}

/// A key of `responses`. Single codes come before ranges, and `default` last, as they are looked up.
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

    /// The first digit of its codes; none for `default`.
    pub fn hundred(self) -> Option<u16> {
        match self {
            Self::Code(code) => Some(code / 100),
            Self::Range(digit) => Some(digit.into()),
            Self::Default => None,
        }
    }
}

/// A response that has a Rust type: a component, or one written in place.
#[derive(Debug, Clone)]
pub struct ResponseType {
    /// Name of the struct.
    pub name: String,
    /// `description`.
    pub description: Option<String>,
    /// Where it stands.
    pub origin: Origin,
    /// Its headers.
    pub headers: Vec<Header>,
    /// Its media types.
    pub media: Vec<MediaType>,
    /// What the struct holds as its body.
    pub payload: Payload,
}

/// What a response's struct holds as its body.
#[derive(Debug, Clone)]
pub enum Payload {
    /// Nothing.
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
    /// One of several that differ; the handler chooses.
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
    /// What it holds; never `Several` or `None`.
    pub payload: Payload,
    /// The media types it can be written as.
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
    /// Where its name stands.
    pub place: Place,
    /// Whether each such response has it.
    pub required: bool,
    /// What its value must be.
    pub schema: SchemaId,
    /// Who fills it in.
    pub source: HeaderSource,
    /// The field's type, without the `Option` of an optional one.
    pub ty: Type,
}

/// Who fills a response header in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeaderSource {
    /// The handler.
    Handler,
    /// The runtime: the request's id.
    RequestId,
}
