//! The names of tags, which the document cannot limit.

use serde_json::{Map, Value};

use super::error::KeyError;

/// Maximum number of characters in the name of a tag or a namespace.
const MAX_NAME_LENGTH: usize = 100;

/// Checks the names of tags and namespaces.
///
/// # Errors
///
/// [`KeyError::Invalid`] at `pointer` if a name is empty or too long.
pub fn check_names(tags: &Map<String, Value>, pointer: &str) -> Result<(), KeyError> {
    let inner = tags.values().filter_map(Value::as_object);
    let mut names = tags.keys().chain(inner.flat_map(Map::keys));
    match names.all(|name| (1..=MAX_NAME_LENGTH).contains(&name.chars().count())) {
        true => Ok(()),
        false => Err(KeyError::Invalid {
            pointer: pointer.into(),
            message: format!(
                "has a tag or namespace whose name does not have 1 to {MAX_NAME_LENGTH} characters"
            ),
        }),
    }
}
