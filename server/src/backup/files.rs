//! Files that are created completely or not at all.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::BackupError;
use crate::kernel::{Random, flush_names};

/// The path of a file that is removed when this value is dropped.
pub(super) struct Temporary(PathBuf);

impl Temporary {
    /// An unused path in the same directory.
    pub(super) fn beside(path: &Path, random: &dyn Random) -> Temporary {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{}", random.uuid().simple()));
        Temporary(name.into())
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // The file may not exist yet.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Creates a file that only its owner may read.
pub(super) fn create_private(path: &Path) -> Result<File, BackupError> {
    let mut options = OpenOptions::new();
    options.create_new(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(BackupError::at(path))
}

/// Links a complete file to its final path, which must not exist.
pub(super) fn link_new(complete: &Temporary, path: &Path) -> Result<(), BackupError> {
    std::fs::hard_link(complete.path(), path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => BackupError::exists(path),
        _ => BackupError::at(path)(error),
    })?;
    let directory = path.parent().filter(|path| !path.as_os_str().is_empty());
    flush_names(directory.unwrap_or(Path::new("."))).map_err(BackupError::at(path))
}
