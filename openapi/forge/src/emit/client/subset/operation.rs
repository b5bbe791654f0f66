//! What the subset cannot say of an operation, for the code that gives it back.

use crate::ir::{Location, Requirement, Status, Style};

/// One operation of the lowered document.
#[derive(Debug, Clone)]
pub struct Operation {
    /// Its name: the `operationId` of the lowered document, and the method of the client.
    pub id: String,
    /// The name of the operation of the document; the same as `id` unless this is one of its forms.
    pub base: String,
    /// The `operationId` of the document.
    pub document_id: String,
    /// Where it stands in the document.
    pub pointer: String,
    /// The HTTP method, in capitals.
    pub method: String,
    /// The path, as the document has it.
    pub path: String,
    /// The path in the subset, where two variants of one operation need two.
    pub written_path: String,
    /// The method in the subset.
    pub written_method: &'static str,
    /// The `Accept` header to send instead of progenitor's.
    pub accept: Option<String>,
    /// The `Content-Type` header to send instead of progenitor's.
    pub content_type: Option<String>,
    /// Whether the body, which progenitor writes as JSON, is sent as a form.
    pub encode_form: bool,
    /// Whether the body has several parts; the parts are in the subset's `multipart` where the document lists any.
    pub multipart: bool,
    /// Parameters that progenitor cannot write where they belong.
    pub parameters: Vec<Parameter>,
    /// The alternatives of its security.
    pub security: Vec<Requirement>,
    /// What is special about this form.
    pub variant: OperationVariant,
    /// Its successes, if they have several types.
    pub successes: Option<Vec<Case>>,
    /// Its errors.
    pub errors: Errors,
}

/// The forms of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OperationVariant {
    /// As the document has it.
    Plain,
    /// Without the body that the document lets a caller leave out; the named operation is the form with it.
    WithoutBody {
        /// The form with a body.
        with_body: String,
    },
    /// With that body.
    WithBody,
    /// Answered with a stream of events.
    Events(Events),
}

/// How the events of an answer are to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Events {
    /// The component that one event is; any JSON value when there is none.
    pub item: Option<String>,
    /// The data that ends the stream.
    pub terminator: Option<String>,
    /// The property that the name of an event is the value of.
    pub event: Option<String>,
    /// The data is text, not JSON.
    pub text: bool,
    /// The boolean property of the request that asks for a stream.
    pub selector: Option<String>,
}

/// A parameter that the session writes where it belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Where progenitor puts it, in the query or in a header, and its name there.
    pub from: (Location, String),
    /// Where it belongs, and its name there.
    pub to: (Location, String),
    /// What stands for it in the path, if that is where it belongs.
    pub marker: String,
    /// How it is written there.
    pub written: Written,
}

/// How the session writes a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
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
    /// One for each status, range and `default`.
    pub cases: Vec<Case>,
    /// They have several types, so that progenitor answers bytes.
    pub raw: bool,
}

/// The response with one status.
#[derive(Debug, Clone)]
pub struct Case {
    /// The status.
    pub status: Status,
    /// The name of its variant, the same as on the server's side.
    pub variant: String,
    /// Its body.
    pub body: Body,
    /// The document's description.
    pub description: String,
}

/// The body of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// None.
    Empty,
    /// JSON of this component; `None` until it has one.
    Json(Option<String>),
    /// Bytes.
    Bytes,
}
