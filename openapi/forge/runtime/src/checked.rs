//! The valid body of a request, on its way into a type.
//!
//! The runtime validates JSON while it reads the text into the type, without a
//! `serde_json::Value` in between. A value is needed to report violations, for integers
//! written with a fraction (which JSON Schema accepts and most types do not), and for bodies
//! that are not JSON.

use std::borrow::Cow;
use std::sync::Arc;

use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde_json::{Error, Value};

use crate::check;
use crate::table::Schema;

/// A valid value.
#[derive(Debug, Clone)]
pub(crate) enum Checked {
    /// It stands in the body's text.
    Text {
        /// Whether types are read from the text: it writes integers as such.
        plain: bool,
    },
    /// It was made of the body.
    Value(Arc<Value>),
}

impl Checked {
    /// Validates JSON while it reads it into a type. Returns the type as well, unless the text
    /// writes an integer with a fraction. `None` means invalid or undecided: the caller falls
    /// back to a value.
    pub(crate) fn in_text<T: DeserializeOwned>(
        schema: &Schema,
        bytes: &[u8],
    ) -> Option<(Self, Option<T>)> {
        let text = std::str::from_utf8(bytes).ok()?;
        let (typed, fractions) = check::read(schema, text)?;
        let plain = !fractions;
        Some((Checked::Text { plain }, Some(typed).filter(|_| plain)))
    }

    /// A value that was made of the body and checked, where there was a schema.
    pub(crate) fn of(value: Value) -> Self {
        Checked::Value(Arc::new(value))
    }

    /// The value; `bytes` are the body's.
    pub(crate) fn value(&self, bytes: &Bytes) -> Result<Cow<'_, Value>, Error> {
        match self {
            Checked::Text { .. } => {
                serde_json::from_slice(bytes).map(|value| Cow::Owned(check::normalized(value)))
            }
            Checked::Value(value) => Ok(Cow::Borrowed(value)),
        }
    }

    /// The type, read from the text. None where it has to be read from the value.
    pub(crate) fn read<T: DeserializeOwned>(&self, bytes: &Bytes) -> Option<T> {
        match self {
            Checked::Text { plain: true } => {
                let text = std::str::from_utf8(bytes).ok()?;
                serde_json::from_str(text).ok()
            }
            Checked::Text { plain: false } | Checked::Value(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::de::IgnoredAny;
    use serde_json::json;

    use super::*;

    /// Read into a type as requests are, and as those whose type is not known before.
    fn read<T: DeserializeOwned + PartialEq + std::fmt::Debug>(text: &'static str) -> T {
        let bytes = Bytes::from_static(text.as_bytes());
        let checked = Checked::in_text(&Schema::ANY, &bytes);
        let (checked, typed) = checked.unwrap_or_else(|| {
            let value = serde_json::from_str(text).map(check::normalized);
            (Checked::of(value.expect("JSON")), None)
        });
        let value = checked.value(&bytes).expect("JSON");
        let later = checked
            .read(&bytes)
            .unwrap_or_else(|| T::deserialize(&*value).expect("the type"));
        let typed = typed.unwrap_or_else(|| T::deserialize(&*value).expect("the type"));
        assert_eq!(typed, later);
        typed
    }

    #[test]
    fn a_type_is_the_same_from_text_as_from_a_value() {
        assert_eq!(read::<Vec<u8>>("[1, 2.0]"), [1, 2]);
        assert_eq!(read::<Vec<f64>>("[1, 2.5]"), [1.0, 2.5]);
        assert_eq!(
            read::<Value>(r#"{"a": [1.0, null]}"#),
            json!({"a": [1, null]})
        );
        let members: BTreeMap<String, String> = read(r#"{"a": "\u00e9", "b": "é"}"#);
        assert_eq!(members["a"], members["b"]);
        assert_eq!(read::<Value>(r#"{"a": 1, "a": 2}"#), json!({"a": 2}));
    }

    #[test]
    fn what_a_value_has_to_tell_is_left_to_it() {
        let strings = Schema {
            types: crate::table::Types::STRING,
            ..Schema::ANY
        };
        for (schema, bytes) in [
            (&strings, &b"1"[..]),
            (&strings, b"\"a"),
            (&strings, b"\"\xff\""),
            (&Schema::ANY, br#"{"$serde_json::private::Number": "1"}"#),
        ] {
            assert!(Checked::in_text::<IgnoredAny>(schema, bytes).is_none());
        }
        assert!(Checked::in_text::<IgnoredAny>(&strings, b"\"a\"").is_some());
    }
}
