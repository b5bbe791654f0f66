//! Generated enums that represent strings.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserializer;
use serde::de::{Error, Visitor};

/// An enum of strings.
pub trait Names: Copy + 'static {
    /// Every value, in the order of the document.
    const VALUES: &'static [Self];
    /// The strings, in the same order.
    const NAMES: &'static [&'static str];
    /// The error for every other string.
    const MESSAGE: &'static str;
}

/// Returns the value with this name.
///
/// # Errors
///
/// No value has this name.
pub fn parse<T: Names>(name: &str) -> Result<T, &'static str> {
    let place = T::NAMES.iter().position(|known| *known == name);
    let value = place.and_then(|place| T::VALUES.get(place));
    value.copied().ok_or(T::MESSAGE)
}

/// Reads a value.
///
/// # Errors
///
/// The input is not a string, or no value has this name.
pub fn read<'de, D, T>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Names,
{
    from.deserialize_str(Name(PhantomData))
}

struct Name<T>(PhantomData<T>);

impl<T: Names> Visitor<'_> for Name<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<T, E> {
        parse(name).map_err(E::custom)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[derive(Debug, Clone, Copy, PartialEq)]
    enum Kind {
        Hot,
        Cold,
    }

    impl Names for Kind {
        const VALUES: &'static [Kind] = &[Kind::Hot, Kind::Cold];
        const NAMES: &'static [&'static str] = &["hot", "so cold"];
        const MESSAGE: &'static str = "not a value of Kind";
    }

    #[test]
    fn a_value_is_read_by_its_name() {
        assert_eq!(parse("hot"), Ok(Kind::Hot));
        assert_eq!(parse::<Kind>("Hot"), Err("not a value of Kind"));
        assert_eq!(read::<_, Kind>(json!("so cold")).unwrap(), Kind::Cold);
        for (value, message) in [
            (json!("warm"), "not a value of Kind"),
            (json!({"hot": null}), "invalid type: map, expected a string"),
        ] {
            let error = read::<_, Kind>(value).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
    }
}
