//! The folder whose files references may reach, if the caller names one.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

/// A folder, and a document below it.
pub(super) struct Root {
    /// The path of the folder, without symbolic links.
    pub(super) folder: PathBuf,
    /// The path of the document below it.
    pub(super) document: String,
}

impl Root {
    /// # Errors
    ///
    /// When the folder cannot be read, or does not have the document below it.
    pub(super) fn of(document: &Path, root: &Path) -> Result<Root, String> {
        let folder = real(root).map_err(|error| {
            let root = root.display();
            format!("cannot read the folder {root}, which references may reach: {error}")
        })?;
        let parent = document.parent().unwrap_or(Path::new(""));
        let own = real(parent).map_err(|error| format!("cannot read its folder: {error}"))?;
        let own = own.strip_prefix(&folder).map_err(|_| {
            let root = root.display();
            format!("the document is outside of the folder {root}, which references may reach")
        })?;
        let document = own.join(document.file_name().unwrap_or_default());
        let segments: Option<Vec<&str>> = document.iter().map(OsStr::to_str).collect();
        let segments = segments.ok_or("the path of the document is not UTF-8")?;
        Ok(Root {
            document: segments.join("/"),
            folder,
        })
    }

    /// The path of a file or folder, without symbolic links.
    ///
    /// # Errors
    ///
    /// When it does not exist, or a link leads out of the folder.
    pub(super) fn find(&self, path: &str) -> io::Result<PathBuf> {
        let real = self.folder.join(path).canonicalize()?;
        match real.starts_with(&self.folder) {
            true => Ok(real),
            false => Err(io::Error::other("a symbolic link leads out of the folder")),
        }
    }
}

/// A path without symbolic links. The empty path is the working directory.
fn real(path: &Path) -> io::Result<PathBuf> {
    Path::new(".").join(path).canonicalize()
}
