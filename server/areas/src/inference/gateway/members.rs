//! The members of a JSON object, each with its original text.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The maximum length of a name to fold, in bytes. The names that matter here are shorter, even if
/// each letter is a character of three bytes that folds to it.
const MAX_NAME_LENGTH: usize = 64;

/// The names and the unparsed values, in their order. A name may be repeated.
pub(super) struct Members<'a>(pub(super) Vec<(Cow<'a, str>, &'a RawValue)>);

/// A name, borrowed if it has no escapes.
#[derive(Deserialize)]
pub(super) struct Name<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor;
        impl<'de> Visitor<'de> for MembersVisitor {
            type Value = Members<'de>;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((Name(name), value)) = map.next_entry()? {
                    members.push((name, value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(MembersVisitor)
    }
}

impl<'a> Members<'a> {
    /// The values of a name.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &'a RawValue> {
        let found = self.0.iter().filter(move |(one, _)| one == name);
        found.map(|(_, value)| *value)
    }
}

/// A name under Unicode case folding, as upstreams read it that ignore case.
pub(super) fn folded(name: &str) -> Cow<'_, str> {
    let is_lower = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase();
    match name.len() > MAX_NAME_LENGTH || name.bytes().all(is_lower) {
        true => Cow::Borrowed(name),
        // Upper case first: it separates ligatures, and the long s becomes an S.
        false => Cow::Owned(name.to_uppercase().to_lowercase()),
    }
}
