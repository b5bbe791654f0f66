//! The kind of value that fits a place of a document, by the tables.

use super::key::{Key, Object, ValueType, Version};
use super::{tables, unknown};
use crate::document::pointer;

/// What a place of a document holds.
#[derive(Debug, Clone, Copy)]
pub enum Slot {
    /// A value of a type. It has a key of the tables unless it is an element or a named member.
    Value(ValueType, Option<&'static Key>),
    /// An element of the list under a key.
    Element(&'static Key),
    /// A security requirement: the names of schemes, each with a list of scopes.
    Requirement,
    /// The list of scopes, or a scope in it, of a scheme in a requirement.
    RequiredScopes,
}

impl Slot {
    /// The slot of a place, whether the document has something there or not. `None` within
    /// values that the tables do not describe, such as examples.
    pub fn at(place: &str, version: Version) -> Option<Slot> {
        let root = Slot::Value(ValueType::One(&tables::DOCUMENT), None);
        pointer::segments(place).try_fold(root, |slot, segment| slot.inner(&segment, version))
    }

    fn inner(self, segment: &str, version: Version) -> Option<Slot> {
        match self {
            Slot::Value(ValueType::One(object) | ValueType::BooleanOr(object), _) => {
                match object.key(segment, version) {
                    Some(key) => Some(Slot::Value(key.value_type, Some(key))),
                    None if segment == tables::REFERENCE && object.is_referable => {
                        Some(Slot::Value(ValueType::Url, None))
                    }
                    None if unknown::is_extension(segment) => None,
                    None => object.patterned.map(|inner| Slot::Value(inner, None)),
                }
            }
            Slot::Value(ValueType::List(object) | ValueType::Map(object), _) => {
                Some(Slot::Value(ValueType::One(object), None))
            }
            Slot::Value(ValueType::Security, _) => Some(Slot::Requirement),
            Slot::Value(ValueType::Texts | ValueType::TextOrTexts, Some(key)) => {
                Some(Slot::Element(key))
            }
            Slot::Requirement | Slot::RequiredScopes => Some(Slot::RequiredScopes),
            Slot::Value(..) | Slot::Element(_) => None,
        }
    }

    /// The object of the specification at this place.
    pub fn object(self) -> Option<&'static Object> {
        match self {
            Slot::Value(ValueType::One(object) | ValueType::BooleanOr(object), _) => Some(object),
            _ => None,
        }
    }

    /// The name in messages of what the place holds: `a schema`.
    pub(super) fn name(self) -> String {
        match (self, self.object()) {
            (_, Some(object)) => object.name.to_owned(),
            (Slot::Value(_, Some(key)), _) => format!("the value of `{}`", key.name),
            (Slot::Element(key), _) => format!("an item of `{}`", key.name),
            (Slot::Requirement | Slot::RequiredScopes, _) => "a security requirement".to_owned(),
            (Slot::Value(_, None), _) => "another value".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(place: &str) -> Option<&'static str> {
        let slot = Slot::at(place, Version::V30)?;
        slot.object().map(|object| object.section)
    }

    #[test]
    fn a_pointer_leads_along_the_tables() {
        assert_eq!(object(""), Some("OpenAPI Object"));
        assert_eq!(object("/paths/~1a/get"), Some("Operation Object"));
        let schema = "/paths/~1a/get/responses/200/content/x~1y/schema/properties/a/items";
        assert_eq!(object(schema), Some("Schema Object"));
        assert_eq!(
            object("/paths/~1a/get/parameters/3"),
            Some("Parameter Object")
        );
        assert_eq!(object("/components/schemas/A/example/type"), None);
        assert_eq!(object("/nothing"), None);
        assert_eq!(object("/paths/x-shared"), None);
        assert_eq!(object("/components/schemas/x-a"), Some("Schema Object"));
    }

    #[test]
    fn requirements_hold_schemes_and_their_scopes() {
        let slot = |place: &str| Slot::at(place, Version::V30);
        assert!(matches!(slot("/security/0"), Some(Slot::Requirement)));
        assert!(matches!(
            slot("/security/0/token/1"),
            Some(Slot::RequiredScopes)
        ));
        let scope = slot("/paths/~1a/get/x-required-scopes/0");
        assert!(matches!(scope, Some(Slot::Element(key)) if key.name == "x-required-scopes"));
    }
}
