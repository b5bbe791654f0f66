//! A file with secrets.
//!
//! Its content lets its holder act as the user, so only the owner can read it. It is replaced as a
//! whole: a crash leaves the old content or the new one. Each change locks a file beside it, reads,
//! changes and writes. So programs that share the file preserve each other's content. A link to the
//! file stays: the file that it points to is read and replaced.

use super::{
    LoginLock,
    access::{create_folder, owner_only, shared_mode, sync_folder},
    file_error::TokenFileError,
};
use std::{
    fs::{self, OpenOptions},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    time::Duration,
};

/// The age at which a temporary file belongs to a program that has crashed.
pub(super) const ABANDONED: Duration = Duration::from_secs(60 * 60);

/// A file that only its owner can read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrivateFile {
    path: PathBuf,
}

impl PrivateFile {
    /// The file at this path.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The content; `None` if the file does not exist.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or others than the owner can read or change it.
    pub fn read(&self) -> Result<Option<Vec<u8>>, TokenFileError> {
        let read = || -> io::Result<_> {
            let mut file = fs::File::open(&self.path)?;
            let mut content = Vec::new();
            file.read_to_end(&mut content)?;
            Ok((content, file.metadata()?))
        };
        let (content, metadata) = match read() {
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.error(error)),
        };
        match shared_mode(&metadata) {
            Some(mode) => Err(TokenFileError::Shared {
                path: self.path.clone(),
                mode,
            }),
            None => Ok(Some(content)),
        }
    }

    /// Replaces the content, or removes the file for `None`. The caller holds the lock.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn write(&self, content: Option<&[u8]>) -> Result<(), TokenFileError> {
        let written = match content {
            Some(content) => self.replace(content),
            None => fs::remove_file(self.target()),
        };
        match written {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(self.error(error)),
            _ => Ok(()),
        }
    }

    /// Waits for the lock of the files with secrets in this directory, and creates the directory.
    ///
    /// # Errors
    ///
    /// When the directory or the lock cannot be created.
    pub fn lock(&self) -> Result<LoginLock, TokenFileError> {
        let folder = self.folder().map_err(|error| self.error(error))?;
        let lock = LoginLock::of_file(folder.join(".login.lock"));
        lock.map_err(|error| self.error(error))
    }

    /// Makes sure that the file can be written, and changes nothing.
    ///
    /// # Errors
    ///
    /// When it cannot.
    pub fn check(&self) -> Result<(), TokenFileError> {
        let written = self.temporary(b"");
        let removed = written.and_then(fs::remove_file);
        removed.map_err(|error| self.error(error))
    }

    fn replace(&self, content: &[u8]) -> io::Result<()> {
        let temporary = self.temporary(content)?;
        let renamed = fs::rename(&temporary, self.target());
        if renamed.is_err() {
            // The first failure is the one to report.
            let _ = fs::remove_file(&temporary);
        }
        renamed?;
        let folder = self.folder()?;
        sweep(&folder);
        // The content is in place. Some file systems cannot sync a directory.
        let _ = sync_folder(&folder);
        Ok(())
    }

    /// A new file with this content in the same directory, so that it can be renamed.
    fn temporary(&self, content: &[u8]) -> io::Result<PathBuf> {
        let path = self
            .folder()?
            .join(format!(".login-{}.tmp", dropforge_client::random_uuid()));
        let mut file = owner_only(OpenOptions::new().write(true).create_new(true)).open(&path)?;
        let written = file.write_all(content).and_then(|()| file.sync_all());
        if let Err(error) = written {
            let _ = fs::remove_file(&path);
            return Err(error);
        }
        Ok(path)
    }

    /// The file itself, if the path is a link to it.
    fn target(&self) -> PathBuf {
        let target = fs::canonicalize(&self.path).or_else(|_| {
            // The link may point to a file that does not exist yet.
            let target = fs::read_link(&self.path)?;
            Ok::<_, io::Error>(parent(&self.path).join(target))
        });
        target.unwrap_or_else(|_| self.path.clone())
    }

    /// The directory of the file, created for the owner alone if it does not exist.
    fn folder(&self) -> io::Result<PathBuf> {
        let target = self.target();
        let folder = parent(&target);
        create_folder(folder)?;
        Ok(folder.to_owned())
    }

    fn error(&self, source: io::Error) -> TokenFileError {
        TokenFileError::File {
            path: self.path.clone(),
            source,
        }
    }
}

/// The directory of a file.
fn parent(file: &Path) -> &Path {
    let folder = file.parent();
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Removes temporary files that a crashed program has left. They may have secrets.
fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_temporary = name
            .to_str()
            .is_some_and(|name| name.starts_with(".login-") && name.ends_with(".tmp"));
        let modified = entry.metadata().and_then(|metadata| metadata.modified());
        let age = modified.ok().and_then(|time| time.elapsed().ok());
        if is_temporary && age.is_some_and(|age| age > ABANDONED) {
            // Another time, if it fails now.
            let _ = fs::remove_file(entry.path());
        }
    }
}
