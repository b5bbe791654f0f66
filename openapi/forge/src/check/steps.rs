//! Counts the steps of checking a value, without taking them.
//!
//! A validator visits a schema once for each path that leads to it. Schemas that refer to the next
//! one twice have 2^n paths, so that a short document can take hours. The count visits each
//! referenced schema once for each value.

use std::collections::HashMap;
use std::ptr;

use serde_json::Value;

/// The visits of schemas in checking `value` against `schema`, which is made by
/// [`json_schema::of`](super::json_schema::of).
pub(super) fn count(schema: &Value, value: &Value) -> u64 {
    let mut steps = Steps {
        definitions: schema.get("$defs"),
        known: HashMap::new(),
    };
    steps.of(schema, value)
}

struct Steps<'v> {
    definitions: Option<&'v Value>,
    /// The steps of a referenced schema for a value, by the addresses of both.
    known: HashMap<(*const Value, *const Value), u64>,
}

impl<'v> Steps<'v> {
    fn of(&mut self, schema: &'v Value, value: &'v Value) -> u64 {
        let mut steps: u64 = 1;
        let mut below: Vec<(&'v Value, &'v Value)> = Vec::new();
        for (keyword, part) in schema.as_object().into_iter().flatten() {
            match (keyword.as_str(), part, value) {
                ("$ref", Value::String(reference), _) => {
                    steps = steps.saturating_add(self.referenced(reference, value));
                }
                ("not", _, _) => below.push((part, value)),
                ("allOf" | "anyOf" | "oneOf", Value::Array(parts), _) => {
                    below.extend(parts.iter().map(|part| (part, value)));
                }
                ("items", _, Value::Array(elements)) => {
                    below.extend(elements.iter().map(|element| (part, element)));
                }
                ("properties", Value::Object(properties), Value::Object(members)) => {
                    let declared = members
                        .iter()
                        .filter_map(|(name, member)| Some((properties.get(name)?, member)));
                    below.extend(declared);
                }
                ("additionalProperties", _, Value::Object(members)) => {
                    let properties = schema.get("properties");
                    let others = members.iter().filter(|(name, _)| {
                        properties.is_none_or(|all| all.get(name.as_str()).is_none())
                    });
                    below.extend(others.map(|(_, member)| (part, member)));
                }
                _ => {}
            }
        }
        for (part, value) in below {
            steps = steps.saturating_add(self.of(part, value));
        }
        steps
    }

    fn referenced(&mut self, reference: &str, value: &'v Value) -> u64 {
        let name = reference.strip_prefix("#/$defs/").unwrap_or_default();
        let Some(schema) = self.definitions.and_then(|all| all.get(name)) else {
            return 0;
        };
        let key = (ptr::from_ref(schema), ptr::from_ref(value));
        if let Some(steps) = self.known.get(&key) {
            return *steps;
        }
        // A circle of references ends here.
        self.known.insert(key, 0);
        let steps = self.of(schema, value);
        self.known.insert(key, steps);
        steps
    }
}
