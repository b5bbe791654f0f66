//! Errors in a configuration, and their places.

use std::path::PathBuf;

/// A configuration that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The file has an invalid value.
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
        /// The problem.
        message: String,
    },
    /// A variable or a flag has an invalid value. The text names it.
    #[error("{0}")]
    Value(String),
    /// A value conflicts with others, from any source.
    #[error("{key}: {message}")]
    Check {
        /// The key, with its sections.
        key: &'static str,
        /// The problem, and how to correct it.
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
