//! The errors of a kernel.

use super::keyring::text::ServerKeyError;
use super::keyring::{KeyMismatch, OtherAddress};
use super::traces::TracesError;
use crate::store::StoreError;

/// Why a [`Kernel`](super::Kernel) cannot be opened, or cannot follow the server keys.
#[derive(Debug, thiserror::Error)]
pub enum KernelError {
    /// The data directory cannot be created.
    #[error("data directory {path}: {source}")]
    DataDirectory {
        /// The directory.
        path: String,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The database file no longer exists. A new file would hide the loss of all data.
    #[error(
        "the database file {database} is missing, but there was one, as these files show: \
         {witnesses}. It was deleted or moved, its volume is not mounted, or database.url is \
         wrong. Put it back. To begin a new, empty database, move these files away"
    )]
    LostDatabase {
        /// The missing file.
        database: String,
        /// The files that prove that there was a database.
        witnesses: String,
    },
    /// The server keys cannot be read or made.
    #[error("server key: {0}")]
    ServerKeys(#[from] ServerKeyError),
    /// The server keys are not those that the store was written with.
    #[error(transparent)]
    WrongKeys(#[from] KeyMismatch),
    /// Another running replica has another public address.
    #[error(transparent)]
    Address(#[from] OtherAddress),
    /// The store cannot be opened, or fails.
    #[error("store: {0}")]
    Store(#[from] StoreError),
    /// Metrics cannot be set up.
    #[error("metrics: {0}")]
    Metrics(#[from] metrics_exporter_prometheus::BuildError),
    /// Traces cannot be sent.
    #[error(transparent)]
    Traces(#[from] TracesError),
}
