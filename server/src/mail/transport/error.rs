//! Why a message did not leave.

use std::time::Duration;

/// A mail server that takes longer for all steps of one message has failed. Far below
/// the time for which mail is claimed ([`outbox::CLAIM`]), so that a message is never
/// on its way from two replicas.
///
/// [`outbox::CLAIM`]: crate::mail::outbox::CLAIM
pub const MAX_DURATION: Duration = Duration::from_secs(120);

/// Why a message did not leave.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// The mail server refuses it, or does not answer.
    #[error("{0}")]
    Smtp(#[from] lettre::transport::smtp::Error),
    /// The mail server takes longer than [`MAX_DURATION`].
    #[error("the mail server took longer than {} seconds", MAX_DURATION.as_secs())]
    TooSlow,
    /// The message was not begun: there was no time left for it.
    #[error("there was no time left to send it")]
    NotBegun,
    /// The file cannot be written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: String,
        /// What the operating system says.
        source: std::io::Error,
    },
}

impl SendError {
    pub(super) fn file(path: impl std::fmt::Display, source: std::io::Error) -> SendError {
        SendError::File {
            path: path.to_string(),
            source,
        }
    }

    /// Whether trying again is of no use.
    pub fn is_permanent(&self) -> bool {
        matches!(self, SendError::Smtp(error) if error.is_permanent())
    }
}
