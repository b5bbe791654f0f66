//! Values that the document declares secret.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A text that is sent and received unchanged, and never printed: a token, a password, a key.
///
/// Generated types have it where the document says `format: password` or `x-dropforge-secret: true`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// The text. The caller is responsible for keeping it out of logs and errors.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The text.
    pub fn into_exposed(self) -> String {
        self.0
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_written_and_not_printed() {
        let secret: Secret = serde_json::from_str("\"x-1\"").expect("a text");
        assert_eq!(serde_json::to_string(&secret).expect("JSON"), "\"x-1\"");
        assert_eq!(format!("{secret:?}"), "Secret(…)");
        assert_eq!(secret.expose(), "x-1");
    }
}
