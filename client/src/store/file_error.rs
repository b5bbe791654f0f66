//! The errors of the file of logins.

use std::{error::Error, fmt, io, path::PathBuf};

/// Why a login cannot be remembered in a file, or found again.
#[derive(Debug)]
#[non_exhaustive]
pub enum TokenFileError {
    /// The directory for the file is unknown.
    NoHome,
    /// The file system refuses.
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The content is not that of a file of logins.
    Content {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// Other users of the machine can read or change the file.
    Shared {
        /// The file.
        path: PathBuf,
        /// The permissions of the file, as those of `chmod`.
        mode: u32,
    },
    /// The key has an invalid name of a profile.
    Profile {
        /// The name.
        name: String,
    },
}

impl fmt::Display for TokenFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHome => {
                f.write_str("no home directory is known; set the path of the login's file")
            }
            Self::File { path, source } => write!(f, "the login in {}: {source}", path.display()),
            Self::Content { path, source } => write!(
                f,
                "{} has no valid login ({source}); remove it and log in again",
                path.display()
            ),
            Self::Shared { path, mode } => write!(
                f,
                "other users may read or change the login in {path} (mode {mode:o}); run `chmod 600 {path}`, and log \
                 in again if you do not trust them",
                path = path.display()
            ),
            Self::Profile { name } => write!(
                f,
                "{name:?} is not the name of a profile; use 1 to 64 letters, digits, '.', '_' or '-'"
            ),
        }
    }
}

impl Error for TokenFileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::File { source, .. } => Some(source),
            Self::Content { source, .. } => Some(source),
            Self::NoHome | Self::Shared { .. } | Self::Profile { .. } => None,
        }
    }
}
