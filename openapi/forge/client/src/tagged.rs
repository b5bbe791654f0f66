//! Unions whose members are distinguished by the value of a property.

use serde::{Serialize, Serializer, ser::Error};
use serde_json::Value;

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
