//! The identifier of a pattern.

/// Maximum length of a code, in bytes.
const MAX_CODE: usize = 100;
/// Maximum length of a version, in bytes.
const MAX_VERSION: usize = 50;

/// The identifier of a pattern within its project: `code|version`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternId {
    /// The code.
    pub code: String,
    /// The version.
    pub version: String,
}

impl PatternId {
    /// Parses an identifier of a path. `None` if the text is not an identifier.
    pub fn parse(text: &str) -> Option<Self> {
        let (code, version) = text.split_once('|')?;
        (is_code(code) && is_version(version)).then(|| PatternId {
            code: code.to_owned(),
            version: version.to_owned(),
        })
    }
}

impl std::fmt::Display for PatternId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}|{}", self.code, self.version)
    }
}

/// Whether a text can be a code.
pub fn is_code(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    (1..=MAX_CODE).contains(&text.len()) && text.bytes().all(is_allowed)
}

/// Whether a text can be a version.
pub fn is_version(text: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    (1..=MAX_VERSION).contains(&text.len()) && text.split('.').all(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_is_read_back_as_it_is_written() {
        let id = PatternId::parse("ORDER_TRIAGE|01.00.0000").unwrap();
        assert_eq!((&*id.code, &*id.version), ("ORDER_TRIAGE", "01.00.0000"));
        assert_eq!(id.to_string(), "ORDER_TRIAGE|01.00.0000");
    }

    #[test]
    fn an_invalid_identifier_is_rejected() {
        let long = format!("{}|1", "C".repeat(MAX_CODE + 1));
        let long_version = format!("C|{}", "1".repeat(MAX_VERSION + 1));
        for text in [
            "",
            "|",
            "CODE",
            "CODE|",
            "|1",
            "CODE|1.",
            "CODE|.1",
            "CODE|1..2",
            "CODE|v1",
            "CO DE|1",
            "CODE|1|2",
            "CO\0DE|1",
            "CÖDE|1",
            &long,
            &long_version,
        ] {
            assert_eq!(PatternId::parse(text), None, "{text:?}");
        }
    }
}
