//! Why a response cannot be scripted.

/// A scripted response that the documents do not allow. It names the place, the cause and the
/// remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScriptError {
    /// No document has the operation.
    #[error("no document has the operation {operation:?}; use one of {}", .known.join(", "))]
    UnknownOperation {
        /// The given name.
        operation: String,
        /// The operations of the four documents.
        known: Vec<&'static str>,
    },
    /// The document does not list the status for the operation.
    #[error(
        "{operation} ({place}): the status {status} is not listed; use one of {}",
        .listed.iter().map(u16::to_string).collect::<Vec<_>>().join(", ")
    )]
    UnlistedStatus {
        /// The operation.
        operation: &'static str,
        /// The document, and the JSON Pointer of the operation in it.
        place: String,
        /// The given status.
        status: u16,
        /// The statuses that the document lists.
        listed: Vec<u16>,
    },
    /// The document has no example with this name.
    #[error(
        "{operation} ({place}): the status {status} has no example {name:?}; use one of {}",
        .known.join(", ")
    )]
    UnknownExample {
        /// The operation.
        operation: &'static str,
        /// The document, and the JSON Pointer of the operation in it.
        place: String,
        /// The given status.
        status: u16,
        /// The given name.
        name: String,
        /// The names of the examples.
        known: Vec<&'static str>,
    },
    /// A header cannot be sent.
    #[error("{operation} ({place}): the header {name:?} cannot be sent; {remedy}")]
    InvalidHeader {
        /// The operation.
        operation: &'static str,
        /// The document, and the JSON Pointer of the operation in it.
        place: String,
        /// The name of the header.
        name: String,
        /// What to change.
        remedy: &'static str,
    },
    /// The response is invalid against the document.
    #[error(
        "{operation} ({place}): the response with the status {status} violates the document: {}; \
         correct the response, or omit it to get the example of the document",
        .violations.join("; ")
    )]
    Invalid {
        /// The operation.
        operation: &'static str,
        /// The document, and the JSON Pointer of the operation in it.
        place: String,
        /// The given status.
        status: u16,
        /// Each violation, with its place in the response.
        violations: Vec<String>,
    },
}
