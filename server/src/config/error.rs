//! What is wrong with a configuration, and where.

use std::path::PathBuf;

/// A configuration that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        source: std::io::Error,
    },
    /// The file holds something that it should not.
    #[error("{}:{line}:{column}: {}{message}", path.display(), prefix(key))]
    File {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
        /// The key, with its sections: `server.listen`.
        key: Option<String>,
        /// What is wrong.
        message: String,
    },
    /// A variable or a flag holds something that it should not; the text names
    /// it.
    #[error("{0}")]
    Value(String),
    /// A value that does not go with the others, wherever it came from.
    #[error("{key}: {message}")]
    Check {
        /// The key, with its sections.
        key: &'static str,
        /// What is wrong, and what to do.
        message: String,
    },
}

fn prefix(key: &Option<String>) -> String {
    key.as_ref()
        .map(|key| format!("{key}: "))
        .unwrap_or_default()
}

impl ConfigError {
    pub(super) fn refused(key: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        ConfigError::Check { key, message }
    }

    pub(super) fn environment(error: confique::Error) -> Self {
        ConfigError::Value(format!("{error:#}"))
    }
}
