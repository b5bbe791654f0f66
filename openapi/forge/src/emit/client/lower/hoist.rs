//! Inline schemas that become types get a name of ours, and become components.
//!
//! typify would name them too, and two of its names may be the same, or one that a component has.

use super::{
    Lowering, enums,
    naming::{Names, pascal},
    walk::{METHODS, Object, components, reference},
};
use serde_json::Value;

/// Makes every struct, union and enumeration inside another schema a component.
pub fn all(lowering: &mut Lowering<'_>) {
    let old = std::mem::take(components(&mut lowering.root));
    let mut hoist = Hoist {
        names: Names::default(),
        found: Object::new(),
    };
    for name in old.keys() {
        hoist.names.give(name);
    }
    for (name, mut schema) in old {
        hoist.inside(&name, &mut schema);
        hoist.found.insert(name, schema);
    }
    let paths = lowering
        .root
        .get_mut("paths")
        .and_then(Value::as_object_mut);
    for item in paths.into_iter().flatten().map(|(_, item)| item) {
        for method in METHODS {
            if let Some(operation) = item.get_mut(method) {
                hoist.operation(operation);
            }
        }
    }
    *components(&mut lowering.root) = hoist.found;
}

struct Hoist {
    names: Names,
    found: Object,
}

impl Hoist {
    fn operation(&mut self, operation: &mut Value) {
        let id = pascal(
            operation
                .get("operationId")
                .and_then(Value::as_str)
                .unwrap_or_default(),
        );
        for parameter in operation
            .get_mut("parameters")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            let name = format!(
                "{id}{}",
                pascal(
                    parameter
                        .get("name")
                        .and_then(Value::as_str)
                        .unwrap_or_default()
                )
            );
            if let Some(schema) = parameter.get_mut("schema") {
                self.outside(&name, schema);
            }
        }
        if let Some(body) = operation.get_mut("requestBody") {
            self.content(&format!("{id}Body"), body);
        }
        for (status, response) in operation
            .get_mut("responses")
            .and_then(Value::as_object_mut)
            .into_iter()
            .flatten()
        {
            let suffix = if status.starts_with('2') {
                String::new()
            } else {
                pascal(status)
            };
            self.content(
                &format!("{id}Response{}", suffix.trim_start_matches('_')),
                response,
            );
        }
    }

    fn content(&mut self, name: &str, holder: &mut Value) {
        for (_, media_type) in holder
            .get_mut("content")
            .and_then(Value::as_object_mut)
            .into_iter()
            .flatten()
        {
            if let Some(schema) = media_type.get_mut("schema") {
                self.outside(name, schema);
            }
        }
    }

    /// Hoists what is in a schema, then the schema itself if it is a type.
    fn outside(&mut self, name: &str, schema: &mut Value) {
        if !is_type(schema) {
            self.inside(name, schema);
            return;
        }
        let same = self
            .found
            .iter()
            .find(|(found, other)| other == &schema && found.starts_with(name));
        if let Some((found, _)) = same {
            *schema = reference(found);
            return;
        }
        let given = self.names.give(&pascal(name));
        let nullable = schema
            .as_object_mut()
            .and_then(|object| object.remove("nullable"))
            == Some(Value::Bool(true));
        self.inside(&given, schema);
        let hoisted = std::mem::replace(schema, reference(&given));
        self.found.insert(given, hoisted);
        if nullable {
            *schema = super::nullable::or_null(schema.take());
        }
    }

    fn inside(&mut self, name: &str, schema: &mut Value) {
        let Some(object) = schema.as_object_mut() else {
            return;
        };
        for (property, schema) in object
            .get_mut("properties")
            .and_then(Value::as_object_mut)
            .into_iter()
            .flatten()
        {
            self.outside(&format!("{name}{}", pascal(property)), schema);
        }
        for (keyword, suffix) in [("items", "Item"), ("additionalProperties", "Value")] {
            if let Some(schema) = object.get_mut(keyword) {
                self.outside(&format!("{name}{suffix}"), schema);
            }
        }
        for (index, member) in object
            .get_mut("oneOf")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
            .enumerate()
        {
            self.outside(&format!("{name}Variant{index}"), member);
        }
        // What is merged has no name of its own, but what is in it has.
        for member in object
            .get_mut("allOf")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            self.inside(name, member);
        }
    }
}

/// Whether typify makes a type of its own of a schema.
fn is_type(schema: &Value) -> bool {
    let has = |keyword: &str| schema.get(keyword).is_some();
    // A reference with null beside it is no type.
    let merged = schema
        .get("allOf")
        .and_then(Value::as_array)
        .is_some_and(|members| {
            members.len() > 1
                || has("properties")
                || members.iter().any(|member| member.get("$ref").is_none())
        });
    has("properties") || has("oneOf") || merged || has("enum") || enums::values(schema).is_some()
}
