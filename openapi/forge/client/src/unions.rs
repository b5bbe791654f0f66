//! Unions: values of one of several types.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned, ser::Error};
use serde_json::Value;

use crate::json_errors::without_values;

/// Writes a member of a union, with the property that identifies it unless the member has that property itself.
pub fn write_tagged<T: Serialize, S: Serializer>(
    member: &T,
    property: &str,
    tag: &str,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut value = serde_json::to_value(member).map_err(S::Error::custom)?;
    if let Value::Object(object) = &mut value {
        object
            .entry(property)
            .or_insert_with(|| Value::String(tag.to_owned()));
    }
    value.serialize(serializer)
}

/// Reads a value of a union without a discriminator, by trying its members in order.
///
/// Members are often distinguished by properties with listed values, such as `type`. So the first round tries the members
/// whose properties all have listed values. A newer service may send further values. So the second round also tries
/// members with several listed values, one of which the value lacks. A single listed value is a constant, and never
/// differs.
// No `Debug`: the value may have secrets.
#[allow(missing_debug_implementations)]
pub struct UnionReader {
    union: &'static str,
    value: Value,
    round: u8,
    /// The error of the member that the value most likely is, and whether its properties show that.
    error: Option<(serde_json::Error, bool)>,
}

/// A property, and the values that the document lists for it.
type Mark<'a> = (&'a str, &'a [&'a str]);

impl UnionReader {
    /// Reads the value; `union` is the name of the union for errors.
    ///
    /// # Errors
    ///
    /// When the value is not JSON.
    pub fn new<'de, D: Deserializer<'de>>(
        union: &'static str,
        deserializer: D,
    ) -> Result<Self, D::Error> {
        Ok(Self {
            union,
            value: Value::deserialize(deserializer)?,
            round: 0,
            error: None,
        })
    }

    /// Begins the next round; `false` after the last.
    pub fn next_round(&mut self) -> bool {
        self.round += 1;
        self.round <= 2
    }

    /// The value as a member with these properties, if this round tries the member and it fits.
    pub fn read<T: DeserializeOwned>(&mut self, marks: &[Mark<'_>]) -> Option<T> {
        if !marks.iter().all(|mark| self.fits(mark)) {
            return None;
        }
        match T::deserialize(&self.value) {
            Ok(member) => Some(member),
            Err(error) => {
                let is_meant = marks.iter().any(|mark| self.lists(mark) == Some(true));
                if !matches!(self.error, Some((_, was_meant)) if was_meant || !is_meant) {
                    self.error = Some((error, is_meant));
                }
                None
            }
        }
    }

    /// Whether this round tries a member with this property. Without the property, the type of the member decides.
    fn fits(&self, mark: &Mark<'_>) -> bool {
        let is_open = self.round > 1 && mark.1.len() > 1;
        is_open || self.lists(mark) != Some(false)
    }

    /// Whether the value of a property is listed; `None` if the value has no such text.
    fn lists(&self, (property, listed): &Mark<'_>) -> Option<bool> {
        let text = self.value.get(property)?.as_str()?;
        Some(listed.contains(&text))
    }

    /// The value, if its properties show no member: one that only a newer document lists.
    ///
    /// # Errors
    ///
    /// When its properties show a member whose other properties it does not match.
    pub fn unknown<E: serde::de::Error>(self) -> Result<Value, E> {
        match self.error {
            Some((_, true)) => Err(self.error()),
            _ => Ok(self.value),
        }
    }

    /// The error for a value that is none of the members.
    pub fn error<E: serde::de::Error>(self) -> E {
        let union = self.union;
        match self.error {
            Some((error, _)) => {
                let reason = without_values(&error);
                E::custom(format_args!("not a member of {union}: {reason}"))
            }
            None => E::custom(format_args!(
                "not a member of {union}: no member has these values"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[derive(Debug, Deserialize)]
    struct Piece {
        text: String,
    }

    #[test]
    fn a_value_is_unknown_unless_its_properties_show_a_member() {
        let read = |value: Value| {
            let mut reader = UnionReader::new("Event", value).expect("JSON");
            while reader.next_round() {
                let piece = reader.read::<Piece>(&[("kind", &["piece"])]);
                assert_eq!(piece.map(|piece| piece.text), None);
            }
            reader.unknown::<serde_json::Error>()
        };
        let other = json!({ "kind": "end", "text": "x" });
        assert_eq!(read(other.clone()).ok(), Some(other));
        let error = read(json!({ "kind": "piece" })).expect_err("no text");
        assert!(
            error.to_string().contains("missing field `text`"),
            "{error}"
        );
    }
}
