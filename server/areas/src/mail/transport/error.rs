//! Why a message was not sent.

use std::time::Duration;

/// The maximum time for all steps of one message. It is far below the time for which mail is
/// claimed ([`outbox::CLAIM`]), so that two replicas never send the same message at once.
///
/// [`outbox::CLAIM`]: crate::mail::outbox::CLAIM
pub const MAX_DURATION: Duration = Duration::from_secs(120);

/// Why a message was not sent.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// The mail server rejects the message, or does not respond.
    #[error("{0}")]
    Smtp(#[from] lettre::transport::smtp::Error),
    /// The mail server takes longer than [`MAX_DURATION`].
    #[error("the mail server took longer than {} seconds", MAX_DURATION.as_secs())]
    TooSlow,
    /// The time was over before the message was begun.
    #[error("there was no time left to send it")]
    NotBegun,
    /// The file cannot be written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: String,
        /// The error of the operating system.
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

    /// Whether another attempt would fail too.
    pub fn is_permanent(&self) -> bool {
        matches!(self, SendError::Smtp(error) if error.is_permanent())
    }
}
