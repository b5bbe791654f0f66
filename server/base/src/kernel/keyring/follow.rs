//! Updates the server keys of a kernel from the key file and the database.

use super::text::ServerKeyError;
use super::{promoted, ring};
use crate::kernel::{Kernel, KernelError};

/// Whether an error is unrelated to the keys: the process (EMFILE) or the system (ENFILE) has too
/// many open files.
fn is_passing(error: &KernelError) -> bool {
    match error {
        KernelError::ServerKeys(ServerKeyError::File { source, .. }) => {
            matches!(source.raw_os_error(), Some(23 | 24))
        }
        _ => false,
    }
}

/// Reads the available keys, and finds the current one. The keys stay unchanged if the store fails,
/// or this replica does not have a required key.
pub(super) async fn follow(kernel: &Kernel) -> Result<(), KernelError> {
    let promoted = kernel.store.read(promoted).await?;
    let keys = kernel.key_source.read();
    let ring = keys
        .map_err(KernelError::from)
        .and_then(|keys| Ok(ring(keys, &promoted)?));
    if ring.as_ref().err().is_none_or(|error| !is_passing(error)) {
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
