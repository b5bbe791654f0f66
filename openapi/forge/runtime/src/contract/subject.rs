//! What an implementer supplies to the tests, and what is tried.

use bytes::Bytes;
use http::{Request, Response, StatusCode};

use crate::table::{Operation, Parameter, SchemeUse};

/// A server under test. Its methods block: tests are synchronous.
pub trait Subject {
    /// Sends a request whose target is a path and query.
    ///
    /// # Errors
    ///
    /// Why there is no response.
    fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, String>;

    /// Credentials that a scheme accepts, with these scopes.
    fn credentials(&self, operation: &Operation, used: &SchemeUse) -> Secret;

    /// Valid credentials without the scopes. `None` if the scheme has no scopes.
    fn insufficient(&self, used: &SchemeUse) -> Option<Secret>;

    /// What to send for a parameter instead of the document's example: the identifier of
    /// something that exists.
    fn parameter(&self, operation: &Operation, parameter: &Parameter) -> Option<String> {
        let _ = (operation, parameter);
        None
    }

    /// Whether a response may have a status that the document does not list for the operation.
    /// The runtime refuses requests with 400, 401 and others whether or not the document lists
    /// them. A server error always fails. By default, a document has to list every status that its server returns.
    fn accepts_unlisted(&self, operation: &Operation, status: StatusCode) -> bool {
        let _ = (operation, status);
        false
    }
}

/// Credentials of one scheme.
pub enum Secret {
    /// The token of `Authorization: Bearer`.
    Bearer(String),
    /// User and password of `Authorization: Basic`.
    Basic(String, String),
    /// The value of an API key.
    ApiKey(String),
    /// Nothing in the request: the certificate belongs to the connection.
    MutualTls,
}

/// A kind of test of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// Each example of a request is sent.
    Examples,
    /// Each required parameter and property is left out, and refused with a
    /// status between 400 and 499 that is not about credentials.
    Required,
    /// Each value is moved to each bound of its constraints and past it, and to
    /// another type: refused, where the document refuses it, as above.
    Constraints,
    /// A property that the document does not know is added: refused where the
    /// schema says that there are no others, no error otherwise.
    UnknownFields,
    /// A body is sent as another media type, and without any.
    ContentType,
    /// `Accept` admits no media type of the operation: 406 if the document lists it. Otherwise
    /// `Accept` is only a preference.
    Accept,
    /// No credentials: 401.
    NoCredentials,
    /// Malformed credentials: 401.
    MalformedCredentials,
    /// Credentials without the scopes: 403, or 401.
    InsufficientCredentials,
    /// Every method that the path does not have: 405, with the others in `Allow`.
    OtherMethods,
}
