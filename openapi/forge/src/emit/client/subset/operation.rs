//! The features of an operation that the subset lacks, for the code that restores them.

use crate::ir::{Location, Requirement, Status, Style};

/// One operation of the lowered document.
#[derive(Debug, Clone)]
pub struct Operation {
    /// Its name: the `operationId` of the lowered document, and the method of the client.
    pub id: String,
    /// The name of the operation of the document; the same as `id` unless this is one of its variants.
    pub base: String,
    /// The `operationId` of the document.
    pub document_id: String,
    /// The pointer of the operation in the document.
    pub pointer: String,
    /// The HTTP method, in capitals.
    pub method: String,
    /// The path, as the document has it.
    pub path: String,
    /// The path in the subset, which differs between the variants of one operation.
    pub written_path: String,
    /// The method in the subset.
    pub written_method: &'static str,
    /// The `Accept` header to send instead of progenitor's.
    pub accept: Option<String>,
    /// The `Content-Type` header to send instead of progenitor's.
    pub content_type: Option<String>,
    /// Whether the body, which progenitor writes as JSON, is sent as a form.
    pub encode_form: bool,
    /// Whether the body has several parts. The subset's `multipart` has the parts if the document lists any.
    pub multipart: bool,
    /// Parameters that progenitor cannot write into their places.
    pub parameters: Vec<Parameter>,
    /// The headers by which the service recognizes a repeated request, in lower case.
    pub idempotency_keys: Vec<String>,
    /// How the next page of a list is requested.
    pub pages: Option<Pages>,
    /// The headers of its successes.
    pub headers: Vec<ResponseHeader>,
    /// The headers of its errors.
    pub error_headers: Vec<ResponseHeader>,
    /// The alternatives of its security.
    pub security: Vec<Requirement>,
    /// The variant of the operation.
    pub variant: OperationVariant,
    /// Its successes, if they have several types.
    pub successes: Option<Vec<Case>>,
    /// Its errors.
    pub errors: Errors,
}

/// The variants of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OperationVariant {
    /// The only variant of the operation.
    Plain,
    /// Without the optional body; the named operation is the variant with it.
    WithoutBody {
        /// The variant with a body.
        with_body: String,
    },
    /// With the optional body.
    WithBody,
    /// The response is a stream of events.
    Events(Events),
}

/// The framing and the type of the events of a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Events {
    /// The component of one event; without one, an event is any JSON value.
    pub item: Option<String>,
    /// The data that ends the stream.
    pub terminator: Option<String>,
    /// The property whose value is the name of the event.
    pub event: Option<String>,
    /// Whether the data is text, not JSON.
    pub text: bool,
    /// The boolean property of the request that requests a stream.
    pub selector: Option<String>,
}

/// How the next page of a list is requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pages {
    /// The response header with the value of the parameter, in lower case.
    pub header: String,
    /// The method of the builder that sets the parameter.
    pub setter: String,
    /// The fields of the builder for parameters of the first page only.
    pub first_only: Vec<String>,
}

/// A header of an operation's successes, or of its errors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResponseHeader {
    /// Its name, in lower case.
    pub name: String,
    /// The field of the struct.
    pub field: String,
    /// The document's description.
    pub description: Option<String>,
    /// Whether every success has it. An error may lack any header.
    pub required: bool,
    /// The type of its value.
    pub ty: HeaderType,
}

/// The type of a header's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeaderType {
    /// `true` or `false`.
    Bool,
    /// An `i64`.
    Integer,
    /// A `u64`.
    Unsigned,
    /// An `f64`.
    Number,
    /// Text.
    Text,
    /// Values with commas between them.
    List(Box<HeaderType>),
}

/// A parameter that the session writes into its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The place into which progenitor writes the parameter, query or header, and its name there.
    pub from: (Location, String),
    /// The place that the document defines, and its name there.
    pub to: (Location, String),
    /// The marker of a path parameter in the path.
    pub marker: String,
    /// The serialization of the parameter at its place.
    pub written: Serialization,
}

/// The serialization of a parameter by the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Serialization {
    /// As one text.
    Text,
    /// As JSON.
    Json,
    /// In a style, exploded or not.
    Styled(Style, bool),
}

/// The errors of an operation.
#[derive(Debug, Clone, Default)]
pub struct Errors {
    /// One case for each status, range and `default`.
    pub cases: Vec<Case>,
    /// Whether the errors have several types, so that progenitor returns bytes.
    pub raw: bool,
}

/// The response with one status.
#[derive(Debug, Clone)]
pub struct Case {
    /// The status.
    pub status: Status,
    /// The name of its variant, the same as in the server.
    pub variant: String,
    /// Its body.
    pub body: Body,
    /// The document's description.
    pub description: String,
}

/// The body of a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// None.
    Empty,
    /// JSON of this component; `None` if progenitor's code reads it.
    Json(Option<String>),
    /// Bytes.
    Bytes,
}

/// The parts of a multipart body.
#[derive(Debug)]
pub struct Parts {
    /// The name of the struct.
    pub name: String,
    /// The operation that the body belongs to.
    pub operation: String,
    /// The parts.
    pub fields: Vec<Part>,
}

/// A part, or several of one name.
#[derive(Debug)]
pub struct Part {
    /// Its name in the document.
    pub name: String,
    /// The field of the struct.
    pub field: String,
    /// Its description.
    pub description: Option<String>,
    /// Whether the part is required.
    pub required: bool,
    /// The content of the part.
    pub content: Field,
    /// The media type that the document defines.
    pub media_type: Option<String>,
}

/// The content of a part.
#[derive(Debug)]
pub enum Field {
    /// A file.
    File,
    /// Any number of files.
    Files,
    /// A value of the type of this argument.
    Value(String),
}
