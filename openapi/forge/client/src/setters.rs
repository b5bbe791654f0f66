//! What the setters of generated builders have in common: a value that converts becomes the value of a field, and a
//! conversion that fails becomes the text that the request fails with.

use std::fmt::Display;

/// Converts the value of a property.
pub fn property<T, V>(value: V, name: &str) -> Result<T, String>
where
    V: TryInto<T>,
    V::Error: Display,
{
    value
        .try_into()
        .map_err(|error| format!("error converting supplied value for {name}: {error}"))
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
    fn a_failed_conversion_names_what_was_set() {
        assert_eq!(property::<u8, _>(7, "age"), Ok(7));
        let error = property::<u8, _>(300, "age").expect_err("300 is not a u8");
        assert!(error.starts_with("error converting supplied value for age: "));
        assert_eq!(optional::<u8, _>(7, "failed"), Ok(Some(7)));
        assert_eq!(required::<u8, _>(300, "failed"), Err("failed".to_owned()));
    }
}
