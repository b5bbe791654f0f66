//! Why an assertion is refused.

use crate::identity::error::Refusal;

/// Why an assertion is not good: for the log, not for the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Bad(pub &'static str);

impl From<Bad> for Refusal {
    fn from(bad: Bad) -> Self {
        Refusal::InvalidClient(bad.0.into())
    }
}
