//! The errors of backup and restore.

use std::io;
use std::path::Path;

use crate::kernel::keyring::text::ServerKeyError;
use crate::kernel::server_keys::KeyName;
use crate::store::StoreError;

/// Why a backup cannot be created or restored.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The target file exists.
    #[error("{0} already exists: move it away, or choose another path")]
    Exists(String),
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// No key can be derived from the passphrase.
    #[error("cannot derive a key from the passphrase: {0}")]
    Passphrase(String),
    /// The file does not begin like a backup.
    #[error(
        "the file is not a backup of accord-server, or a newer version created it: check its path"
    )]
    NotABackup,
    /// The passphrase is wrong, or the file was changed.
    #[error("cannot decrypt the backup: the passphrase is wrong, or the file is damaged")]
    Unreadable,
    /// The backup is of SQLite, and the configuration names PostgreSQL.
    #[error(
        "the backup has a SQLite database, but database.url names PostgreSQL: set it to a SQLite file"
    )]
    HasDatabase,
    /// The backup is of PostgreSQL, and the configuration names a file.
    #[error(
        "the backup has only server keys, because its database was PostgreSQL: set database.url"
    )]
    HasNoDatabase,
    /// This machine has other keys.
    #[error(
        "this machine does not have the server key {0} of the backup: move its key file away, or \
         configure the keys of the backup"
    )]
    OtherKeys(KeyName),
    /// The server keys cannot be read.
    #[error("server key: {0}")]
    Keys(#[from] ServerKeyError),
    /// The database cannot be copied, or its copy is invalid.
    #[error("store: {0}")]
    Store(#[from] StoreError),
}

impl BackupError {
    pub(super) fn exists(path: &Path) -> Self {
        BackupError::Exists(path.display().to_string())
    }

    pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.display().to_string();
        move |source| BackupError::File { path, source }
    }
}
