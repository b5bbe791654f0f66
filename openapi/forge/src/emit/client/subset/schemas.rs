//! Writes the schemas of the IR as schemas of the subset.
//!
//! Only the shape is written: types, properties, items, unions. Servers check constraints. typify would enforce some of
//! them in responses as well, and the client would reject newer servers. Receivers apply defaults.

use super::{
    combinations::MAX_COMBINATIONS,
    naming::{pascal, snake},
    unions::MEMBERS,
    walk::{Object, components, reference},
    writer::{SECRET, Writer},
};
use crate::{
    document::pointer::{join, segments},
    emit::{client::report::LossKind, comment},
    ir::{Additional, Schema, SchemaId, Types},
    lower::names::Scope,
};
use serde_json::{Value, json};

/// Formats of no standard for which typify has types: `u32` for `uint`, although servers in Rust write it for `usize`. A
/// client would reject a whole response for a larger number.
const UNCHECKED: [&str; 3] = ["int", "ip", "uint"];

/// Names every component, and every schema within another one that more than one schema refers to.
pub fn name_all(writer: &mut Writer<'_>) {
    let api = writer.api;
    let mut parents = vec![0_usize; api.schemas.len()];
    for schema in &api.schemas {
        for child in children(schema) {
            parents[child.0] += 1;
        }
    }
    for (index, schema) in api.schemas.iter().enumerate() {
        if let Some(name) = &schema.component {
            writer.name_schema(SchemaId(index), name);
        }
    }
    for (index, schema) in api.schemas.iter().enumerate() {
        if schema.component.is_none() && parents[index] > 1 {
            writer.name_schema(SchemaId(index), &name_by_place(schema));
        }
    }
}

/// The name of a schema within a component, as [`super::hoist`] gives it: a second use does not rename it.
fn name_by_place(schema: &Schema) -> String {
    let all: Vec<String> = segments(&schema.pointer).collect();
    let mut name = String::new();
    let mut rest = all.iter().skip(2);
    name.extend(rest.next().map(|component| pascal(component)));
    while let Some(key) = rest.next() {
        match key.as_str() {
            "properties" => name.extend(rest.next().map(|property| pascal(property))),
            "items" => name.push_str("Item"),
            "additionalProperties" => name.push_str("Value"),
            _ => return all.last().cloned().unwrap_or_default(),
        }
    }
    match all.first().map(String::as_str) {
        Some("components") => name,
        _ => all.last().cloned().unwrap_or_default(),
    }
}

/// The direct parts of a schema.
pub fn children(schema: &Schema) -> impl Iterator<Item = SchemaId> + '_ {
    let properties = schema.object.properties.iter();
    let properties = properties.map(|property| property.schema);
    let composed = [&schema.all_of, &schema.any_of, &schema.one_of];
    properties
        .chain(schema.array.items)
        .chain(schema.object.additional.schema())
        .chain(composed.into_iter().flatten().copied())
}

/// Writes every schema that has a name, as a component.
pub fn write_components(writer: &mut Writer<'_>) {
    let mut named: Vec<SchemaId> = writer.schema_names.keys().copied().collect();
    named.sort();
    for id in named {
        let value = writer.schema_body(id);
        let name = writer.schema_names[&id].clone();
        components(&mut writer.root).insert(name, value);
    }
}

impl Writer<'_> {
    fn name_schema(&mut self, id: SchemaId, wanted: &str) -> String {
        let name = self.component_names.take(pascal(wanted));
        let origin = self.api.schemas[id.0].pointer.clone();
        self.origins.insert(name.clone(), origin);
        self.schema_names.insert(id, name.clone());
        name
    }

    /// The use of a schema: a reference to its component, or the schema itself.
    pub fn schema(&mut self, id: SchemaId) -> Value {
        if let Some(name) = self.schema_names.get(&id) {
            return reference(name);
        }
        if self.unfinished.contains(&id) {
            // A schema without a name contains itself, and needs one.
            let name = self.name_schema(id, &name_by_place(&self.api.schemas[id.0]));
            return reference(&name);
        }
        self.unfinished.push(id);
        let value = self.schema_body(id);
        self.unfinished.pop();
        match self.schema_names.get(&id).cloned() {
            Some(name) => {
                components(&mut self.root).insert(name.clone(), value);
                reference(&name)
            }
            None => value,
        }
    }

    fn schema_body(&mut self, id: SchemaId) -> Value {
        let api = self.api;
        let schema = &api.schemas[id.0];
        let mut object = Object::new();
        if let Some(description) = &schema.description {
            object.insert(
                "description".to_owned(),
                comment::description(description).into(),
            );
        }
        if let Some(what) = self.why_any(id) {
            self.lose_at(LossKind::Schema, &schema.pointer, what);
            return Value::Object(object);
        }
        if schema.nullable {
            object.insert("nullable".to_owned(), true.into());
        }
        // Servers also read an integer there; clients send the string.
        let schema = match (schema.or_integer, schema.one_of.first()) {
            (true, Some(text)) => &api.schemas[text.0],
            _ => schema,
        };
        let plain = schema.without_rules(&api.schemas);
        let schema = if plain.is_composed() { schema } else { &plain };
        for (keyword, members) in [
            ("allOf", &schema.all_of),
            ("anyOf", &schema.any_of),
            ("oneOf", &schema.one_of),
        ] {
            if !members.is_empty() {
                let written = members.iter().map(|member| self.schema(*member)).collect();
                object.insert(keyword.to_owned(), Value::Array(written));
                if keyword != "allOf" {
                    let names = members.iter().map(|member| self.member_name(*member));
                    object.insert(MEMBERS.to_owned(), names.collect());
                }
            }
        }
        match kind(schema) {
            Types::Object => self.object(id, schema, &mut object),
            Types::Array => {
                object.insert("type".to_owned(), "array".into());
                let items = schema.array.items.map(|items| self.schema(items));
                object.insert("items".to_owned(), items.unwrap_or_else(|| json!({})));
            }
            kind => scalar(schema, kind, &mut object),
        }
        if let Some(discriminator) = &schema.discriminator {
            let mapping = discriminator.mapping.iter().filter_map(|(value, id)| {
                let name = self.schema_names.get(id)?;
                Some((value.clone(), Value::String(name.clone())))
            });
            let mapping: Object = mapping.collect();
            let property = &discriminator.property;
            object.insert(
                "discriminator".to_owned(),
                json!({ "propertyName": property, "mapping": mapping }),
            );
        }
        Value::Object(object)
    }

    /// Why a schema allows any value in the subset, if it does.
    fn why_any(&self, id: SchemaId) -> Option<String> {
        if self.excessive.contains(&id) {
            let what = format!("more than {MAX_COMBINATIONS} combinations of alternatives");
            return Some(what);
        }
        let is_endless = self.endless.contains(&id);
        is_endless.then(|| "typify would merge its parts without end".to_owned())
    }

    /// The name of a schema as a member of a union: that of its type, or what the document says about it.
    fn member_name(&self, id: SchemaId) -> String {
        let schema = &self.api.schemas[id.0];
        let component = schema.component.as_ref().and(self.schema_names.get(&id));
        component.map_or_else(|| pascal(schema.name_as_member()), |name| pascal(name))
    }

    fn object(&mut self, id: SchemaId, schema: &Schema, object: &mut Object) {
        if !schema.is_composed() || schema.types == Types::Object {
            object.insert("type".to_owned(), "object".into());
        }
        let rules = &schema.object;
        let additional = match rules.additional {
            // typify reads `true` beside properties as a map of texts.
            Additional::Allowed if !rules.properties.is_empty() => Some(json!({})),
            Additional::Allowed => Some(json!(true)),
            Additional::Schema(id) => Some(self.schema(id)),
            Additional::Unspecified | Additional::Denied => None,
        };
        // Members that the document does not list are flattened into a field of this name.
        let flattened = additional.as_ref().is_some_and(Value::is_object);
        let mut fields = Scope::reserved(if flattened { &["extra"] } else { &[] });
        if let Some(additional) = additional {
            object.insert("additionalProperties".to_owned(), additional);
        }
        if rules.properties.is_empty() {
            if schema.is_composed() && !rules.required.is_empty() {
                object.insert("required".to_owned(), json!(rules.required));
            }
            return;
        }
        let mut properties = Object::new();
        let mut required = rules.required.clone();
        for property in &rules.properties {
            let field = snake(&property.name);
            if fields.take(field.clone()) != field {
                let what = format!(
                    "property {:?} has the field name of another and is left out",
                    property.name
                );
                self.lose_at(LossKind::Name, &schema.pointer, what);
                continue;
            }
            let target = &self.api.schemas[property.schema.0];
            let why = if target.read_only && self.sent.contains(&id) {
                Some("readOnly")
            } else if target.write_only && self.received.contains(&id) {
                Some("writeOnly")
            } else {
                None
            };
            if let Some(why) = why
                && let Some(at) = required.iter().position(|name| *name == property.name)
            {
                required.remove(at);
                let pointer = join(&join(&schema.pointer, "properties"), &property.name);
                self.lose_at(LossKind::Direction, &pointer, why);
            }
            let value = self.schema(property.schema);
            properties.insert(property.name.clone(), value);
        }
        // typify generates a field for a required name that is not a property. It could duplicate another field.
        required.retain(|name| properties.contains_key(name) || !fields.contains(&snake(name)));
        object.insert("properties".to_owned(), Value::Object(properties));
        if !required.is_empty() {
            object.insert("required".to_owned(), json!(required));
        }
    }
}

/// The type of a schema, inferred if the document does not name one. `Any` if nothing suggests one.
fn kind(schema: &Schema) -> Types {
    let rules = &schema.object;
    let has_additional = matches!(
        rules.additional,
        Additional::Allowed | Additional::Schema(_)
    );
    let is_object = !rules.properties.is_empty()
        || has_additional
        || !rules.required.is_empty() && !schema.is_composed();
    match schema.types {
        Types::Any if is_object => Types::Object,
        Types::Any if schema.array.items.is_some() => Types::Array,
        Types::Any if schema.texts().is_some() => Types::String,
        named => named,
    }
}

/// Writes a string, a number, a boolean or any value. The members of a union have the type themselves.
fn scalar(schema: &Schema, kind: Types, object: &mut Object) {
    let name = match kind {
        Types::String => "string",
        Types::Integer => "integer",
        Types::Number => "number",
        Types::Boolean => "boolean",
        _ => "",
    };
    let values = schema.enumeration.as_deref().unwrap_or_default();
    if values.iter().any(Value::is_null) {
        object.insert("nullable".to_owned(), true.into());
    }
    if name.is_empty() || schema.is_composed() {
        return;
    }
    object.insert("type".to_owned(), name.into());
    let texts = schema.texts().filter(|_| name == "string");
    let format = match &schema.format {
        _ if texts.is_some() || name == "boolean" => None,
        _ if schema.secret => Some(SECRET.to_owned()),
        format => format
            .clone()
            .filter(|format| !UNCHECKED.contains(&format.as_str())),
    };
    if let Some(format) = format {
        object.insert("format".to_owned(), format.into());
    }
    if let Some(texts) = texts {
        object.insert("enum".to_owned(), json!(texts));
    }
}
