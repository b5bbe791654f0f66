//! What the lowering found out about an operation, for the code that gives back what was lowered.

use crate::lower::names;

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
    /// The path in the lowered document, where two forms of one operation need two.
    pub lowered_path: String,
    /// The `Accept` header to send instead of progenitor's.
    pub accept: Option<String>,
    /// The `Content-Type` header to send instead of progenitor's.
    pub content_type: Option<String>,
    /// Parameters that are sent under another name, or in another place, than progenitor sends them.
    pub moved: Vec<Moved>,
    /// The alternatives of its security: names of schemes, with their scopes.
    pub security: Vec<Vec<(String, Vec<String>)>>,
    /// What is special about this form.
    pub form: Form,
    /// Its successes, if they have several types.
    pub successes: Option<Vec<Case>>,
    /// Its errors.
    pub errors: Errors,
}

/// The forms of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
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

/// A parameter that the session moves to its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// Where progenitor puts it: in the query or in a header.
    pub from: (Place, String),
    /// Where it belongs.
    pub to: (Place, String),
}

/// Where a parameter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the query.
    Query,
    /// A header.
    Header,
    /// In the `Cookie` header.
    Cookie,
}

/// The errors of an operation.
#[derive(Debug, Clone, Default)]
pub struct Errors {
    /// One for each status, range and `default`.
    pub cases: Vec<Case>,
    /// They have several types, so that progenitor answers bytes.
    pub raw: bool,
}

/// The answer with one status.
#[derive(Debug, Clone)]
pub struct Case {
    /// The status.
    pub status: Status,
    /// Its body.
    pub body: Body,
    /// The document's description.
    pub description: String,
}

/// One status, or several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// One.
    Code(u16),
    /// A hundred of them: 4 for 400 to 499.
    Range(u16),
    /// All that are not listed.
    Default,
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

impl Status {
    /// The status that a key of `responses` stands for.
    pub fn parse(key: &str) -> Option<Self> {
        if key == "default" {
            return Some(Self::Default);
        }
        if let Some(range) = key.strip_suffix("XX").or_else(|| key.strip_suffix("xx")) {
            return range
                .parse()
                .ok()
                .filter(|range| (1..=5).contains(range))
                .map(Self::Range);
        }
        key.parse()
            .ok()
            .filter(|code| (100..=599).contains(code))
            .map(Self::Code)
    }

    /// The key of `responses` for this status.
    pub fn key(self) -> String {
        match self {
            Self::Code(code) => code.to_string(),
            Self::Range(range) => format!("{range}XX"),
            Self::Default => "default".to_owned(),
        }
    }

    /// The hundred that the status is in.
    pub fn hundred(self) -> Option<u16> {
        match self {
            Self::Code(code) => Some(code / 100),
            Self::Range(range) => Some(range),
            Self::Default => None,
        }
    }

    /// The name of the variant for it, the same as on the server's side.
    pub fn variant(self) -> String {
        match self {
            Self::Default => "Default".to_owned(),
            Self::Range(range) => names::range_name(range),
            Self::Code(code) => names::status_name(code),
        }
    }
}
