//! The common part of the setters of generated builders: they convert a value for its field. If that fails, the request
//! fails with the text of the conversion's error.

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
    fn a_failed_conversion_names_the_field() {
        assert_eq!(property::<u8, _>(7, "age"), Ok(7));
        let error = property::<u8, _>(300, "age").expect_err("300 is not a u8");
        assert!(error.starts_with("error converting supplied value for age: "));
        assert_eq!(optional::<u8, _>(7, "failed"), Ok(Some(7)));
        assert_eq!(required::<u8, _>(300, "failed"), Err("failed".to_owned()));
    }
}
