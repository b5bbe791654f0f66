//! The results of a failed verification.

use super::chain::Head;
use crate::kernel::server_keys::KeyName;
use crate::store::StoreError;

/// The place of a change in a trail.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// A number is missing.
    #[error("event {0} is missing")]
    Missing(i64),
    /// An event's seal is invalid.
    #[error("event {0} was changed, or one before it was changed, added or removed")]
    Changed(i64),
    /// The record of pruned events was changed.
    #[error("the anchor, which names the last pruned event, was changed or added")]
    Anchor,
    /// An unsealed event was changed.
    #[error("an unsealed event was changed or added: {action} of {subject}")]
    Forged {
        /// The action that it records.
        action: String,
        /// The subject that it records.
        subject: String,
    },
    /// A seal that an operator kept is no longer in the trail.
    #[error("the trail no longer contains {0}")]
    Shortened(Head),
}

/// Why a trail could not be verified.
#[derive(Debug, Clone, thiserror::Error)]
pub enum VerifyError {
    /// The trail was changed.
    #[error(transparent)]
    Broken(#[from] Broken),
    /// An event was sealed with a server key that this replica lacks.
    #[error(
        "event {number} is sealed with the server key {key}, which is missing: \
         add it to the key file again, with the word retired before it"
    )]
    KeyMissing {
        /// The event.
        number: i64,
        /// The key.
        key: KeyName,
    },
    /// The anchor is under a server key that this replica lacks.
    #[error(
        "the anchor of the pruned events is under the server key {0}, which is missing: \
         add it to the key file again"
    )]
    AnchorKeyMissing(KeyName),
    /// A seal that an operator kept is of a pruned event, so it proves nothing.
    #[error(
        "event {} was pruned, as were all events up to {pruned}: give the end of a later \
         verification",
        kept.number
    )]
    Pruned {
        /// The seal.
        kept: Head,
        /// The number of the last pruned event.
        pruned: i64,
    },
    /// The trail could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}
