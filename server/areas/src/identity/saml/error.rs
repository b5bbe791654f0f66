//! Why an assertion is rejected.

use crate::identity::error::Refusal;

/// Why an assertion is invalid: for the log, not for the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AssertionError(pub &'static str);

impl From<AssertionError> for Refusal {
    fn from(error: AssertionError) -> Self {
        Refusal::InvalidClient(error.0.into())
    }
}
