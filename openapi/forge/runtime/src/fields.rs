//! How generated types tell absent, null and present apart.
//!
//! serde takes a missing member of type `Option` for `None`; a member that is
//! required but may be null has to be there, and one that is optional and may
//! be null has three states.

use serde::{Deserialize, Deserializer};

/// A member that is there, and may be null.
///
/// # Errors
///
/// What the value's own type refuses.
pub fn required_nullable<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer)
}

/// A member that may be missing (`None`), null (`Some(None)`) or a value.
///
/// # Errors
///
/// What the value's own type refuses.
pub fn optional_nullable<'de, D, T>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer).map(Some)
}

/// A member that may be missing (`None`) and takes any value, null included.
///
/// # Errors
///
/// What the value's own type refuses.
pub fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}
