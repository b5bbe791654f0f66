//! What the guard finds.

use std::fmt;

use http::StatusCode;

use crate::table::Operation;
use crate::violation::Violation;

/// An answer that does not keep the document.
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

/// One difference between an answer and the document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Finding {
    /// The operation lists no such status.
    #[error("the status is not listed")]
    StatusNotListed,
    /// The response has no such media type.
    #[error("media type {sent:?} is not listed; listed: {}", .listed.join(", "))]
    MediaTypeNotListed {
        /// What was sent, if anything.
        sent: Option<String>,
        /// What the response may be.
        listed: Vec<&'static str>,
    },
    /// The response has media types, and there is no body.
    #[error("the body is missing")]
    BodyMissing,
    /// The response has no media types, and there is a body.
    #[error("there is a body, and none is listed")]
    BodyNotListed,
    /// The body is not what its media type says.
    #[error("the body cannot be read: {message}")]
    BodyUnreadable {
        /// What is wrong.
        message: String,
    },
    /// A header that has to be there is not.
    #[error("header {name} is missing")]
    HeaderMissing {
        /// Its name.
        name: &'static str,
    },
    /// A header breaks its schema.
    #[error("header {name} {}", .violation.message)]
    Header {
        /// Its name.
        name: &'static str,
        /// What it breaks.
        violation: Violation,
    },
    /// The body breaks its schema.
    #[error("{violation} ({})", .violation.keyword)]
    Body {
        /// What it breaks.
        violation: Violation,
    },
    /// One event of a stream breaks the schema of events, or is none.
    #[error("event {index}: {problem}")]
    Event {
        /// Which event, from 0.
        index: u64,
        /// What is wrong.
        problem: String,
    },
}
