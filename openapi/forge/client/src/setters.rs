//! The common part of the setters of generated builders: they convert a value for its field. If that fails, the request
//! fails with the text of the conversion's error.

use std::fmt::Display;

/// Converts the value of a body or of a required parameter; `failure` is the beginning of the text of a failed
/// conversion.
pub fn required<T, V>(value: V, failure: &str) -> Result<T, String>
where
    V: TryInto<T>,
    V::Error: Display,
{
    value
        .try_into()
        .map_err(|error| format!("{failure}: {error}"))
}

/// Converts the value of an optional parameter; `failure` is the beginning of the text of a failed conversion.
pub fn optional<T, V>(value: V, failure: &str) -> Result<Option<T>, String>
where
    V: TryInto<T>,
    V::Error: Display,
{
    required(value, failure).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_conversion_says_why() {
        assert_eq!(optional::<u8, _>(7, "no age"), Ok(Some(7)));
        let error = required::<u8, _>(300, "no age").expect_err("300 is not a u8");
        assert!(error.starts_with("no age: out of range"), "{error}");
    }
}
