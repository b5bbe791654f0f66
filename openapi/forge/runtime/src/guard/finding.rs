//! The findings of the guard.

use std::fmt;

use http::StatusCode;

use crate::table::Operation;
use crate::violation::Violation;

/// A response that violates the document.
#[derive(Debug, Clone)]
pub struct GuardReport {
    /// The operation.
    pub operation: &'static Operation,
    /// The status sent.
    pub status: StatusCode,
    /// The request's id.
    pub request_id: String,
    /// What differs.
    pub findings: Vec<Finding>,
}

impl fmt::Display for GuardReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}:", self.operation.id, self.status.as_u16())?;
        for (index, finding) in self.findings.iter().enumerate() {
            let separator = if index == 0 { " " } else { "; " };
            write!(f, "{separator}{finding}")?;
        }
        Ok(())
    }
}

/// One difference between a response and the document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Finding {
    /// The operation lists no such status.
    #[error("the status is not listed")]
    StatusNotListed,
    /// The response has no such media type.
    #[error("media type {sent:?} is not listed; listed: {}", .listed.join(", "))]
    MediaTypeNotListed {
        /// The media type sent, if any.
        sent: Option<String>,
        /// The media types of the response in the document.
        listed: Vec<&'static str>,
    },
    /// The response has media types, and the body is missing.
    #[error("the body is missing")]
    BodyMissing,
    /// The response has no media types, and a body was sent.
    #[error("there is a body, and none is listed")]
    BodyNotListed,
    /// The body does not have the syntax of its media type.
    #[error("the body cannot be read: {message}")]
    BodyUnreadable {
        /// What is wrong.
        message: String,
    },
    /// A required header is missing.
    #[error("header {name} is missing")]
    HeaderMissing {
        /// Its name.
        name: &'static str,
    },
    /// A header is invalid against its schema.
    #[error("header {name} {}", .violation.message)]
    Header {
        /// Its name.
        name: &'static str,
        /// The violations.
        violation: Violation,
    },
    /// The body is invalid against its schema.
    #[error("{violation} ({})", .violation.keyword)]
    Body {
        /// The violations.
        violation: Violation,
    },
    /// One event of a stream is malformed, or invalid against the schema of events.
    #[error("event {index}: {problem}")]
    Event {
        /// The index of the event.
        index: u64,
        /// What is wrong.
        problem: String,
    },
}
