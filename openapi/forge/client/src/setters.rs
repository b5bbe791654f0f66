//! The common part of the setters of generated builders: they convert a value for its field. If that fails, the request
//! fails with the text of the conversion's error.

use std::fmt::Display;

/// Converts the value of a body; `failure` is the beginning of the text of a failed conversion.
pub fn body<T, V>(value: V, failure: &str) -> Result<T, String>
where
    V: TryInto<T>,
    V::Error: Display,
{
    value
        .try_into()
        .map_err(|error| format!("{failure}: {error}"))
}

/// Converts the value of a required parameter; `failure` is the text of a failed conversion.
pub fn required<T, V: TryInto<T>>(value: V, failure: &str) -> Result<T, String> {
    value.try_into().map_err(|_| failure.to_owned())
}

/// Converts the value of an optional parameter; `failure` is the text of a failed conversion.
pub fn optional<T, V: TryInto<T>>(value: V, failure: &str) -> Result<Option<T>, String> {
    required(value, failure).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_conversion_says_why() {
        assert_eq!(body::<u8, _>(7, "no body"), Ok(7));
        let error = body::<u8, _>(300, "no body").expect_err("300 is not a u8");
        assert!(error.starts_with("no body: "), "{error}");
        let error = required::<u8, _>(300, "no age");
        assert_eq!(error, Err("no age".to_owned()));
    }
}
