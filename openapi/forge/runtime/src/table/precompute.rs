//! Values that the checks read from a schema's table, precomputed by the compiler. `const`
//! functions have no iterators.

use super::{ObjectRules, Schema};

/// The maximum of properties in one mask.
const MAX_PROPERTIES: usize = 64;

/// See [`Schema::required_mask`].
pub(super) const fn required_mask(schema: &Schema) -> Option<u64> {
    let Schema {
        array,
        object,
        enumeration,
        all_of,
        any_of,
        one_of,
        not,
        ..
    } = schema;
    let composed = !all_of.is_empty() || !any_of.is_empty() || !one_of.is_empty();
    if composed || not.is_some() {
        return None;
    }
    if let Some(rules) = array
        && rules.unique
    {
        return None;
    }
    if let Some(listed) = enumeration
        && lists_parts(listed)
    {
        return None;
    }
    match object {
        Some(rules) => required(rules),
        None => Some(0),
    }
}

/// Whether one of the listed values is an array or an object.
const fn lists_parts(listed: &[&str]) -> bool {
    let mut at = 0;
    while at < listed.len() {
        if let [b'[' | b'{', ..] = listed[at].as_bytes() {
            return true;
        }
        at += 1;
    }
    false
}

const fn required(rules: &ObjectRules) -> Option<u64> {
    let counts = rules.min_properties.is_some() || rules.max_properties.is_some();
    if counts || rules.properties.len() > MAX_PROPERTIES {
        return None;
    }
    let mut required_mask = 0;
    let mut at = 0;
    while at < rules.required.len() {
        let Some(place) = place(rules, rules.required[at]) else {
            return None;
        };
        if !rules.properties[place].read_only {
            required_mask |= 1 << place;
        }
        at += 1;
    }
    Some(required_mask)
}

const fn place(rules: &ObjectRules, name: &str) -> Option<usize> {
    let mut place = 0;
    while place < rules.properties.len() {
        if is_same(rules.properties[place].name, name) {
            return Some(place);
        }
        place += 1;
    }
    None
}

const fn is_same(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    let mut at = 0;
    while at < left.len() {
        if left[at] != right[at] {
            return false;
        }
        at += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use crate::table::{Additional, ArrayRules, ObjectRules, Property, Schema};

    static PROPERTIES: [Property; 3] = [property("a"), property("b"), property("c")];

    const fn property(name: &'static str) -> Property {
        Property {
            name,
            schema: &Schema::ANY,
            read_only: false,
            write_only: false,
        }
    }

    const RULES: ObjectRules = ObjectRules {
        properties: &PROPERTIES,
        required: &["c", "a"],
        additional: Additional::Allowed,
        min_properties: None,
        max_properties: None,
    };

    #[test]
    fn what_must_be_there_is_known_by_its_places() {
        let required_mask = |rules: &'static ObjectRules| {
            let schema = Schema {
                object: Some(rules),
                ..Schema::ANY
            };
            schema.with_precomputed().required_mask
        };
        assert_eq!(required_mask(&RULES), Some(0b101));
        assert_eq!(Schema::ANY.required_mask, None);
        assert_eq!(Schema::ANY.with_precomputed().required_mask, Some(0));
        const READ_ONLY: ObjectRules = ObjectRules {
            properties: &[Property {
                read_only: true,
                ..property("a")
            }],
            required: &["a"],
            ..RULES
        };
        assert_eq!(required_mask(&READ_ONLY), Some(0));
        const UNKNOWN: ObjectRules = ObjectRules {
            required: &["d"],
            ..RULES
        };
        assert_eq!(required_mask(&UNKNOWN), None);
        const COUNTED: ObjectRules = ObjectRules {
            max_properties: Some(1),
            ..RULES
        };
        assert_eq!(required_mask(&COUNTED), None);
    }

    #[test]
    fn a_value_that_has_to_be_seen_as_a_whole_is_known() {
        let unique = ArrayRules {
            items: None,
            min_items: None,
            max_items: None,
            unique: true,
        };
        let unique: &'static ArrayRules = Box::leak(Box::new(unique));
        for schema in [
            Schema {
                all_of: &[&Schema::ANY],
                ..Schema::ANY
            },
            Schema {
                not: Some(&Schema::ANY),
                ..Schema::ANY
            },
            Schema {
                array: Some(unique),
                ..Schema::ANY
            },
            Schema {
                enumeration: Some(&["1", "[]"]),
                ..Schema::ANY
            },
        ] {
            assert_eq!(schema.with_precomputed().required_mask, None);
        }
        let listed = Schema {
            enumeration: Some(&["1", "\"[\""]),
            ..Schema::ANY
        };
        assert_eq!(listed.with_precomputed().required_mask, Some(0));
    }
}
