//! The server under test, its credentials, and the kinds of test.

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

/// Credentials for one scheme.
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
    /// Sends each example of a request.
    Examples,
    /// Omits each required parameter and property. The server must reject with a status between 400
    /// and 499 that is not about credentials.
    Required,
    /// Moves each value to each bound of its constraints and past it, and to another type. An optional
    /// parameter without an example is moved, too. The server must reject, as above, if the document
    /// does.
    Constraints,
    /// Adds a property that the document does not declare. The server must reject it if the schema
    /// closes the object, and must not fail otherwise.
    UnknownFields,
    /// Sends a body as another media type, and without any.
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
    /// Sends every method that the path does not have: 405, with the others in `Allow`.
    OtherMethods,
}
