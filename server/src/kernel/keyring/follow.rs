//! Updates the server keys of a kernel from the key file and the database.

use super::text::ServerKeyError;
use super::{MissingKey, OtherAddress, promoted, ring};
use crate::kernel::Kernel;
use crate::store::StoreError;

/// Why keys cannot be updated.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// The keys cannot be read.
    #[error(transparent)]
    Keys(#[from] ServerKeyError),
    /// A key is missing.
    #[error(transparent)]
    Missing(#[from] MissingKey),
    /// Another running replica has another public address.
    #[error(transparent)]
    Address(#[from] OtherAddress),
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl FollowError {
    /// Whether the error is unrelated to the keys: the process (EMFILE) or the system (ENFILE) has
    /// too many open files.
    fn is_passing(&self) -> bool {
        match self {
            FollowError::Keys(ServerKeyError::File { source, .. }) => {
                matches!(source.raw_os_error(), Some(23 | 24))
            }
            _ => false,
        }
    }
}

/// Reads the available keys, and finds the current one.
///
/// # Errors
///
/// When the store fails, or this replica does not have a required key; the keys then stay
/// unchanged.
pub async fn follow(kernel: &Kernel) -> Result<(), FollowError> {
    let promoted = kernel.store.read(promoted).await?;
    let keys = kernel.key_source.read();
    let ring = keys
        .map_err(FollowError::from)
        .and_then(|keys| Ok(ring(keys, &promoted)?));
    if ring.as_ref().err().is_none_or(|error| !error.is_passing()) {
        kernel.miss_keys(ring.is_err());
    }
    let ring = ring?;
    let before = kernel.server_keys.ring();
    if before.current() != ring.current() {
        tracing::info!(key = %ring.current(), "another server key is the current one");
    }
    kernel.server_keys.set(ring);
    Ok(())
}
