//! The runtime's decisions about a request. Tools compare documents by the requests that they
//! admit.

use http::HeaderMap;
use serde_json::Value;

use crate::rejection::Rejection;
use crate::table::{MediaType, Operation, Parameter};

/// One decision, and the request that it is about.
#[derive(Debug, Clone)]
pub struct Decided<'a> {
    /// The operation.
    pub operation: &'static Operation,
    /// The headers.
    pub headers: &'a HeaderMap,
    /// The decision.
    pub decision: Decision<'a>,
}

/// A decision of the runtime about a request.
#[derive(Debug, Clone)]
pub enum Decision<'a> {
    /// The caller may call the operation.
    Admitted,
    /// The request is rejected.
    Rejected(&'a Rejection),
    /// Whether a parameter is valid.
    Parameter {
        /// The parameter.
        parameter: &'static Parameter,
        /// Its value. `None` if it is absent.
        value: Option<&'a Value>,
        /// Whether the parameter may have this value, or be absent.
        valid: bool,
    },
    /// Whether the body is valid. An invalid lenient body counts as absent.
    Body {
        /// The body. `None` if it is absent.
        body: Option<SentBody<'a>>,
        /// Whether the body may have this value, or be absent.
        valid: bool,
    },
}

/// The body of a request.
#[derive(Debug, Clone)]
pub struct SentBody<'a> {
    /// The entry of the operation's `content` that describes it.
    pub media: &'static MediaType,
    /// Its value, if its media type has one.
    pub value: Option<&'a Value>,
}
