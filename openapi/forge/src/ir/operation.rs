//! Operations and their routes.

use super::{Body, Origin, Parameter, Requirement, Response};

/// One operation.
#[derive(Debug, Clone)]
pub struct Operation {
    /// `operationId`, or a generated one.
    pub id: String,
    /// The names in its generated code.
    pub names: OperationNames,
    /// HTTP method in capitals.
    pub method: String,
    /// Base path and path, percent-decoded.
    pub path: String,
    /// The path as the document writes it, without the base path.
    pub template: String,
    /// The base path and the path in segments.
    pub segments: Vec<Segment>,
    /// The path to register at dropshot's router.
    pub route: String,
    /// The operation's place.
    pub origin: Origin,
    /// The first of its tags.
    pub tag: Option<String>,
    /// `summary`.
    pub summary: Option<String>,
    /// `description`.
    pub description: Option<String>,
    /// Path, query, header and cookie parameters.
    pub parameters: Vec<Parameter>,
    /// The request body.
    pub body: Option<Body>,
    /// Every response listed.
    pub responses: Vec<Response>,
    /// The response of its path to methods that it does not have. No operation returns it.
    pub method_not_allowed: Option<Response>,
    /// Alternatives, of which one must hold. Empty if the operation has no security.
    pub security: Vec<Requirement>,
    /// How the next page of a list is requested.
    pub pages: Option<Pages>,
    /// Maximum size of a request body, in bytes.
    pub max_body_bytes: u64,
}

/// How the next page of a list is requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pages {
    /// The response header with the value of the parameter, absent on the last page.
    pub header: String,
    /// The query parameter.
    pub parameter: String,
}

/// The response to every path below a prefix that the document does not have.
#[derive(Debug, Clone)]
pub struct NotFound {
    /// Base path and prefix, percent-decoded.
    pub prefix: String,
    /// The same in segments, all of them literals.
    pub segments: Vec<Segment>,
    /// The place of the key.
    pub origin: Origin,
    /// The response.
    pub response: Response,
    /// The table's static: `NOT_FOUND_0`.
    pub table: String,
}

/// The names in the generated code of one operation.
#[derive(Debug, Clone)]
pub struct OperationNames {
    /// The trait's method: `create_user`.
    pub method: String,
    /// Stem of types: `CreateUser`.
    pub stem: String,
    /// The table's static: `CREATE_USER`.
    pub table: String,
    /// The enum of its responses: `CreateUserResponse`.
    pub response: String,
    /// The enum of its errors: `CreateUserError`.
    pub error: String,
    /// The enum of its callers, if it has several security schemes: `CreateUserCaller`.
    pub caller: String,
}

/// One segment of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment {
    /// Text, percent-decoded.
    Literal(String),
    /// A parameter.
    Variable(String),
    /// Text and parameters in one segment.
    Mixed(Vec<Part>),
}

/// A piece of a [`Segment::Mixed`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Text.
    Literal(String),
    /// A parameter.
    Variable(String),
}

/// One registration at dropshot's router.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Route {
    /// The router alone finds the operation.
    Direct(usize),
    /// The runtime matches the path again to find the operation.
    Folded(Vec<usize>),
}
