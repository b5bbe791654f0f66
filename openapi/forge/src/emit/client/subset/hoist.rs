//! Makes components of inline schemas that become types.
//!
//! typify would name them as well, but its names can clash with each other and with components.

use super::{
    naming::pascal,
    nullable::or_null,
    unions::MEMBERS,
    walk::{Object, components, elements, members, reference},
    writer::Writer,
};
use crate::document::pointer::join;
use crate::lower::names::Scope;
use serde_json::Value;
use std::collections::HashMap;

/// Makes every struct, union and enumeration inside another schema a component.
pub fn hoist(writer: &mut Writer<'_>) {
    let old = std::mem::take(components(&mut writer.root));
    let mut hoist = Hoist {
        names: Scope::default(),
        found: Object::new(),
        places: HashMap::new(),
    };
    for name in old.keys() {
        hoist.names.take(name.clone());
    }
    for parts in &writer.multipart {
        hoist.names.take(parts.name.clone());
    }
    for (name, mut schema) in old {
        hoist.inside(&name, &mut schema);
        hoist.found.insert(name, schema);
    }
    for operation in &writer.operations {
        let path = join("/paths", &operation.written_path);
        let pointer = join(&path, operation.written_method);
        // The variants of an operation have its name, because they share its types.
        if let Some(value) = writer.root.pointer_mut(&pointer) {
            hoist.operation(&pascal(&operation.base), value);
        }
    }
    *components(&mut writer.root) = hoist.found;
}

struct Hoist {
    names: Scope,
    found: Object,
    /// The new components by preferred name and schema: variants of an operation, and responses of one type, share a
    /// component.
    places: HashMap<(String, String), String>,
}

impl Hoist {
    fn operation(&mut self, name: &str, operation: &mut Value) {
        for parameter in elements(operation.get_mut("parameters")) {
            let own = parameter.get("name").and_then(Value::as_str);
            let own = pascal(own.unwrap_or_default());
            if let Some(schema) = parameter.get_mut("schema") {
                self.outside(&format!("{name}{own}"), schema);
            }
        }
        if let Some(body) = operation.get_mut("requestBody") {
            self.content(&format!("{name}Body"), body);
        }
        for (status, response) in members(operation.get_mut("responses")) {
            // All successes have one type here, and so have all errors.
            let what = if status.starts_with('2') {
                "Response"
            } else {
                "ErrorBody"
            };
            self.content(&format!("{name}{what}"), response);
        }
    }

    fn content(&mut self, name: &str, holder: &mut Value) {
        for (_, media_type) in members(holder.get_mut("content")) {
            if let Some(schema) = media_type.get_mut("schema") {
                self.outside(name, schema);
            }
        }
    }

    /// Hoists the schemas in a schema, then the schema itself if it is a type.
    fn outside(&mut self, name: &str, schema: &mut Value) {
        if !is_type(schema) {
            self.inside(name, schema);
            return;
        }
        let place = (name.to_owned(), schema.to_string());
        let nullable = schema
            .as_object_mut()
            .and_then(|object| object.remove("nullable"))
            == Some(Value::Bool(true));
        let given = match self.places.get(&place) {
            Some(known) => known.clone(),
            None => {
                let given = self.names.take(pascal(name));
                self.inside(&given, schema);
                self.found.insert(given.clone(), schema.take());
                self.places.insert(place, given.clone());
                given
            }
        };
        *schema = reference(&given);
        if nullable {
            *schema = or_null(schema.take());
        }
    }

    fn inside(&mut self, name: &str, schema: &mut Value) {
        let Some(object) = schema.as_object_mut() else {
            return;
        };
        for (property, schema) in members(object.get_mut("properties")) {
            self.outside(&format!("{name}{}", pascal(property)), schema);
        }
        for (keyword, suffix) in [("items", "Item"), ("additionalProperties", "Value")] {
            if let Some(schema) = object.get_mut(keyword) {
                self.outside(&format!("{name}{suffix}"), schema);
            }
        }
        let names = object.get(MEMBERS).cloned().unwrap_or_default();
        for (index, member) in elements(object.get_mut("oneOf")).enumerate() {
            let own = names[index].as_str().unwrap_or("Value");
            self.outside(&format!("{name}{own}"), member);
        }
        // A merged schema has no name of its own, but the schemas in it have.
        for member in elements(object.get_mut("allOf")) {
            self.inside(name, member);
        }
    }
}

/// Whether typify generates a separate type for a schema.
pub fn is_type(schema: &Value) -> bool {
    let has = |keyword: &str| schema.get(keyword).is_some();
    // A reference with null beside it is not a type.
    let merged = schema
        .get("allOf")
        .and_then(Value::as_array)
        .is_some_and(|members| {
            members.len() > 1
                || has("properties")
                || members.iter().any(|member| member.get("$ref").is_none())
        });
    has("properties") || has("oneOf") || merged || has("enum")
}
