//! `enum`: compares a value with those listed, without parsing each one where its text suffices.

use serde_json::Value;

use super::checker::Checker;
use super::equal::equal;
use crate::violation::Keyword;

/// The most values that a message lists.
const MAX_LISTED: usize = 12;

impl Checker<'_> {
    pub(super) fn enumeration(&mut self, listed: &[&str], value: &Value) {
        if listed.iter().any(|text| represents(text, value)) {
            return;
        }
        self.fail(Keyword::Enum, || match listed {
            [only] => format!("must be {only}"),
            _ if listed.len() <= MAX_LISTED => format!("must be one of {}", listed.join(", ")),
            _ => format!(
                "must be one of {} and {} more",
                listed[..MAX_LISTED].join(", "),
                listed.len() - MAX_LISTED
            ),
        });
    }
}

/// Whether JSON text represents a value.
pub(super) fn represents(text: &str, value: &Value) -> bool {
    match value {
        Value::Null => text == "null",
        Value::Bool(true) => text == "true",
        Value::Bool(false) => text == "false",
        Value::String(string) if !text.contains('\\') => text
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'))
            .is_some_and(|text| text == *string),
        Value::String(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            serde_json::from_str(text).is_ok_and(|listed: Value| equal(&listed, value))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn listed_text_represents_equal_values() {
        for (text, value, expected) in [
            ("\"a\"", json!("a"), true),
            ("\"a\"", json!("b"), false),
            ("\"\\n\"", json!("\n"), true),
            ("1", json!(1.0), true),
            ("1", json!("1"), false),
            ("null", json!(null), true),
            ("[1,{\"a\":2}]", json!([1, {"a": 2.0}]), true),
            ("true", json!(false), false),
        ] {
            assert_eq!(represents(text, &value), expected, "{text} {value}");
        }
    }
}
