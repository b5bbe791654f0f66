//! Why the runtime refuses a request before, or instead of, the operation.
//!
//! Every document says in its own words how a refusal looks, so nothing here
//! makes a response: the implementer's `reject` turns a [`Rejection`] into a
//! [`Reply`](crate::Reply), once for a whole document.

use http::{Method, StatusCode};

use crate::denied::Denied;
use crate::violation::Violation;

/// A request that the operation never saw, or could not answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Rejection {
    /// The operation asks for credentials, and the request presents none.
    #[error("credentials are required")]
    MissingCredentials,
    /// The credentials presented are not good enough.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// Parameters or body break the document's rules: all of them, in order.
    #[error("{}", list(.0))]
    Invalid(Vec<Violation>),
    /// The body is not what its media type says: broken JSON, broken UTF-8.
    #[error("the request body cannot be read: {message}")]
    Unreadable {
        /// What is broken, and where.
        message: String,
    },
    /// The body is of a media type that the operation does not take.
    #[error("the request body has a media type that is not accepted; accepted: {}", .supported.join(", "))]
    UnsupportedMediaType {
        /// The value of `Content-Type`, if the request has one.
        received: Option<String>,
        /// What the operation takes.
        supported: Vec<&'static str>,
    },
    /// `Accept` rules out everything that the operation can answer with.
    #[error("none of the media types offered is acceptable; offered: {}", .offered.join(", "))]
    NotAcceptable {
        /// What the operation can answer with.
        offered: Vec<&'static str>,
    },
    /// The body is larger than the operation takes.
    #[error("the request body is larger than {limit} bytes")]
    TooLarge {
        /// The largest body accepted, in bytes.
        limit: usize,
    },
    /// The path is known, the method is not.
    #[error("the method is not allowed here")]
    MethodNotAllowed {
        /// The methods of this path. The `Allow` header is filled in by the
        /// runtime when the reply has none.
        allow: Vec<Method>,
    },
    /// No operation has this path.
    #[error("there is nothing at this address")]
    NotFound,
    /// The method of the operation is not written: 501. Only servers that are generated as
    /// prototypes have such methods, and those that call
    /// [`not_implemented`](crate::not_implemented).
    #[error("the operation {operation} is not implemented yet")]
    NotImplemented {
        /// The operation's id.
        operation: &'static str,
    },
    /// The operation failed in a way that is nobody's business: for the log.
    #[error("internal error: {message}")]
    Internal {
        /// What happened.
        message: String,
    },
}

impl Rejection {
    /// The refusal of a request that needs a body and has none.
    pub fn missing_body() -> Self {
        Rejection::Invalid(vec![Violation::missing_body()])
    }

    /// The refusal of a body that should be JSON and is not.
    pub(crate) fn not_json(error: &serde_json::Error) -> Self {
        Rejection::Unreadable {
            message: format!("it is not JSON: {error}"),
        }
    }

    /// The status that HTTP has for it, for documents that list no other.
    pub fn status(&self) -> StatusCode {
        match self {
            Rejection::MissingCredentials => StatusCode::UNAUTHORIZED,
            Rejection::Denied(denied) => denied.status(),
            Rejection::Invalid(_) | Rejection::Unreadable { .. } => StatusCode::BAD_REQUEST,
            Rejection::UnsupportedMediaType { .. } => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Rejection::NotAcceptable { .. } => StatusCode::NOT_ACCEPTABLE,
            Rejection::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Rejection::MethodNotAllowed { .. } => StatusCode::METHOD_NOT_ALLOWED,
            Rejection::NotFound => StatusCode::NOT_FOUND,
            Rejection::NotImplemented { .. } => StatusCode::NOT_IMPLEMENTED,
            Rejection::Internal { .. } => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

fn list(violations: &[Violation]) -> String {
    let lines: Vec<String> = violations.iter().map(Violation::to_string).collect();
    lines.join("; ")
}
