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
    #[error("{}{key}: {message}", prefix(place))]
    Check {
        /// The variable, or the file with line and column. An option has none.
        place: Option<String>,
        /// The key, with its sections.
        key: &'static str,
        /// The problem, and how to correct it.
        message: String,
    },
}

fn prefix(text: &Option<String>) -> String {
    text.as_ref()
        .map(|text| format!("{text}: "))
        .unwrap_or_default()
}

impl ConfigError {
    pub(super) fn refused(key: &'static str, message: impl Into<String>) -> Self {
        ConfigError::Check {
            place: None,
            key,
            message: message.into(),
        }
    }

    pub(super) fn environment(error: confique::Error) -> Self {
        let text = format!("{error:#}");
        ConfigError::Value(of_variable(&text).unwrap_or(text))
    }

    /// The same error, with the place of the key if it concerns several values.
    pub(super) fn at(self, place_of: impl FnOnce(&str) -> Option<String>) -> Self {
        match self {
            ConfigError::Check { key, message, .. } => ConfigError::Check {
                place: place_of(key),
                key,
                message,
            },
            other => other,
        }
    }
}

/// The error of a variable without the names of Rust: `ACCORD_LISTEN: expected ...`.
fn of_variable(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("environment variable `")?;
    let (name, rest) = rest.split_once('`')?;
    let (_, problem) = rest.split_once(": ")?;
    Some(format!("{name}: {}", in_plain_words(problem)))
}

/// Types as libraries name them, and what an operator writes.
const TYPES: [(&str, &str); 10] = [
    ("u16", "a whole number from 0 to 65535"),
    ("u32", "a whole number from 0 to 4294967295"),
    ("u64", "a whole number of 0 or more"),
    ("usize", "a whole number of 0 or more"),
    ("i64", "a whole number"),
    ("f64", "a number"),
    (
        "socket address",
        "an IP address and a port, such as 127.0.0.1:8080",
    ),
    ("a boolean", "true or false"),
    ("a sequence", "a list in brackets"),
    ("path string", "a path in quotes"),
];

/// The message of a library, with the expected value as an operator writes it.
pub fn in_plain_words(message: &str) -> String {
    if message == "invalid socket address syntax" {
        return "expected an IP address and a port, such as 127.0.0.1:8080".to_owned();
    }
    if message.starts_with("relative URL without a base") {
        return "expected an address that begins with http:// or https://".to_owned();
    }
    if let Some(value) = message.strip_prefix("invalid value for bool: ") {
        return format!("invalid value {value}, expected true or false");
    }
    for (name, meaning) in TYPES {
        let found = message
            .strip_suffix(name)
            .and_then(|rest| rest.strip_suffix("expected "));
        if let Some(found) = found {
            return format!("{}expected {meaning}", found.replace(" as i128", ""));
        }
        // The value of a variable.
        if let Some((found, _)) = message.split_once(&format!(" for type {name}: ")) {
            return format!("{found}, expected {meaning}");
        }
    }
    let message = message
        .strip_prefix("validation failed: ")
        .unwrap_or(message);
    message.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_says_what_an_operator_writes() {
        for (message, expected) in [
            (
                "invalid socket address syntax",
                "expected an IP address and a port, such as 127.0.0.1:8080",
            ),
            (
                "invalid type: integer `8080`, expected socket address",
                "invalid type: integer `8080`, expected an IP address and a port, such as \
                 127.0.0.1:8080",
            ),
            (
                "relative URL without a base: \"accord.example\"",
                "expected an address that begins with http:// or https://",
            ),
            (
                "invalid value: integer `-1`, expected u32",
                "invalid value: integer `-1`, expected a whole number from 0 to 4294967295",
            ),
            (
                "invalid type: integer `99999999999999999999` as i128, expected u32",
                "invalid type: integer `99999999999999999999`, expected a whole number from 0 \
                 to 4294967295",
            ),
            (
                "validation failed: must be 1 to 60 seconds",
                "must be 1 to 60 seconds",
            ),
            ("expected 1 to 1000, found 0", "expected 1 to 1000, found 0"),
        ] {
            assert_eq!(in_plain_words(message), expected);
        }
    }

    #[test]
    fn the_error_of_a_variable_begins_with_its_name() {
        for (text, expected) in [
            (
                "failed to deserialize value `ServerConfig::head_seconds` from environment \
                 variable `ACCORD_HEAD_SECONDS`: invalid value 'abc' for type u32: invalid digit \
                 found in string",
                "ACCORD_HEAD_SECONDS: invalid value 'abc', expected a whole number from 0 to \
                 4294967295",
            ),
            (
                "failed to deserialize value `DemoConfig::enabled` from environment variable \
                 `ACCORD_DEMO`: invalid value for bool: 'nope'",
                "ACCORD_DEMO: invalid value 'nope', expected true or false",
            ),
            (
                "failed to parse environment variable `ACCORD_TRUSTED_PROXIES` into field \
                 `ServerConfig::trusted_proxies`: proxy: expected a network such as 10.0.0.0/8, \
                 or an address",
                "ACCORD_TRUSTED_PROXIES: proxy: expected a network such as 10.0.0.0/8, or an \
                 address",
            ),
        ] {
            assert_eq!(of_variable(text).as_deref(), Some(expected));
        }
        assert_eq!(of_variable("something else"), None);
    }
}
