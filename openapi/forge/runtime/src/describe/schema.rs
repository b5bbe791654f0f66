//! Schemas of a document in the form that dropshot can write.
//!
//! Dropshot takes schemas of `schemars` and writes OpenAPI from them, and it
//! panics on what it does not expect: an array without `items`, an enumeration
//! of another type than its schema, two compositions beside each other. So a
//! schema is taken apart and put together again, and what cannot be written is
//! left out; dropshot's document describes, it does not decide.

use schemars::Map;
use schemars::schema::{
    ArrayValidation, InstanceType, Metadata, NumberValidation, ObjectValidation, Schema,
    SchemaObject, SingleOrVec, StringValidation, SubschemaValidation,
};
use serde_json::Value;

use super::document::{Document, component};

/// How deep a schema may be nested in itself.
const MAX_DEPTH: usize = 64;

/// Puts schemas together, and remembers the components that they refer to.
pub(super) struct Projection<'d> {
    document: &'d Document,
    /// In the order in which they were met.
    pub(super) components: Vec<String>,
}

impl<'d> Projection<'d> {
    pub(super) fn new(document: &'d Document) -> Self {
        Projection {
            document,
            components: Vec::new(),
        }
    }

    /// A schema; a reference to a component stays one.
    pub(super) fn schema(&mut self, schema: &Value) -> Schema {
        self.nested(schema, 0)
    }

    /// A schema that is not a reference.
    pub(super) fn inlined(&mut self, schema: &Value) -> Schema {
        let document = self.document;
        self.nested(document.resolve(schema), 0)
    }

    fn nested(&mut self, schema: &Value, depth: usize) -> Schema {
        if let Some(name) = component(schema) {
            let reference = reference(&name);
            if !self.components.contains(&name) {
                self.components.push(name);
            }
            return reference;
        }
        let schema = self.document.resolve(schema);
        match schema {
            Value::Bool(value) => Schema::Bool(*value),
            Value::Object(_) if depth < MAX_DEPTH => Schema::Object(self.object(schema, depth + 1)),
            _ => Schema::Bool(true),
        }
    }

    fn object(&mut self, schema: &Value, depth: usize) -> SchemaObject {
        let kind = instance_type(schema);
        let mut written = SchemaObject {
            metadata: Some(Box::new(metadata(schema))),
            instance_type: kind.map(SingleOrVec::from),
            format: text(schema, "format"),
            enum_values: enumeration(schema, kind),
            subschemas: self.compositions(schema, depth),
            extensions: extensions(schema),
            ..SchemaObject::default()
        };
        match kind {
            Some(InstanceType::Number | InstanceType::Integer) => {
                written.number = Some(Box::new(number(schema)));
            }
            Some(InstanceType::String) => written.string = Some(Box::new(string(schema))),
            Some(InstanceType::Array) => {
                written.array = Some(Box::new(self.array(schema, depth)));
            }
            Some(InstanceType::Object) => {
                written.object = Some(Box::new(self.members(schema, depth)));
            }
            Some(InstanceType::Boolean | InstanceType::Null) | None => {}
        }
        written
    }

    fn array(&mut self, schema: &Value, depth: usize) -> ArrayValidation {
        ArrayValidation {
            items: schema
                .get("items")
                .map(|items| SingleOrVec::Single(Box::new(self.nested(items, depth)))),
            min_items: count(schema, "minItems"),
            max_items: count(schema, "maxItems"),
            unique_items: schema.get("uniqueItems").and_then(Value::as_bool),
            ..ArrayValidation::default()
        }
    }

    fn members(&mut self, schema: &Value, depth: usize) -> ObjectValidation {
        let properties = schema.get("properties").and_then(Value::as_object);
        let required = schema.get("required").and_then(Value::as_array);
        ObjectValidation {
            properties: properties
                .into_iter()
                .flatten()
                .map(|(name, schema)| (name.clone(), self.nested(schema, depth)))
                .collect(),
            required: required
                .into_iter()
                .flatten()
                .filter_map(|name| name.as_str().map(str::to_owned))
                .collect(),
            additional_properties: schema
                .get("additionalProperties")
                .map(|schema| Box::new(self.nested(schema, depth))),
            min_properties: count(schema, "minProperties"),
            max_properties: count(schema, "maxProperties"),
            ..ObjectValidation::default()
        }
    }

    /// Dropshot writes one composition per schema; several become parts of an
    /// `allOf`.
    fn compositions(&mut self, schema: &Value, depth: usize) -> Option<Box<SubschemaValidation>> {
        let mut list = |keyword: &str| -> Option<Vec<Schema>> {
            let parts = schema.get(keyword)?.as_array()?;
            let parts: Vec<Schema> = parts.iter().map(|part| self.nested(part, depth)).collect();
            (!parts.is_empty()).then_some(parts)
        };
        let all_of = list("allOf");
        let mut others: Vec<SubschemaValidation> = Vec::new();
        others.extend(list("anyOf").map(|any_of| SubschemaValidation {
            any_of: Some(any_of),
            ..SubschemaValidation::default()
        }));
        others.extend(list("oneOf").map(|one_of| SubschemaValidation {
            one_of: Some(one_of),
            ..SubschemaValidation::default()
        }));
        others.extend(schema.get("not").map(|not| SubschemaValidation {
            not: Some(Box::new(self.nested(not, depth))),
            ..SubschemaValidation::default()
        }));
        if all_of.is_none() && others.len() <= 1 {
            return others.pop().map(Box::new);
        }
        let wrapped = others.into_iter().map(|composition| {
            Schema::Object(SchemaObject {
                subschemas: Some(Box::new(composition)),
                ..SchemaObject::default()
            })
        });
        Some(Box::new(SubschemaValidation {
            all_of: Some(all_of.into_iter().flatten().chain(wrapped).collect()),
            ..SubschemaValidation::default()
        }))
    }
}

/// A reference to a component of the document that dropshot writes.
pub(super) fn reference(name: &str) -> Schema {
    Schema::new_ref(format!("#/components/schemas/{name}"))
}

/// Text of any kind: what dropshot takes for a parameter that it has no words
/// for.
pub(super) fn plain_text() -> SchemaObject {
    SchemaObject {
        instance_type: Some(InstanceType::String.into()),
        ..SchemaObject::default()
    }
}

/// Whether dropshot takes a schema for a parameter of path or query.
pub(super) fn is_scalar(schema: &Schema) -> bool {
    let Schema::Object(schema) = schema else {
        return false;
    };
    let scalar = match &schema.instance_type {
        Some(SingleOrVec::Single(kind)) => matches!(
            **kind,
            InstanceType::Boolean
                | InstanceType::Number
                | InstanceType::Integer
                | InstanceType::String
        ),
        _ => false,
    };
    scalar
        && schema.subschemas.is_none()
        && schema.array.is_none()
        && schema.object.is_none()
        && schema.reference.is_none()
}

fn instance_type(schema: &Value) -> Option<InstanceType> {
    match schema.get("type")?.as_str()? {
        "boolean" => Some(InstanceType::Boolean),
        "integer" => Some(InstanceType::Integer),
        "number" => Some(InstanceType::Number),
        "string" => Some(InstanceType::String),
        "array" => Some(InstanceType::Array),
        "object" => Some(InstanceType::Object),
        _ => None,
    }
}

/// The values that dropshot can write under the type.
fn enumeration(schema: &Value, kind: Option<InstanceType>) -> Option<Vec<Value>> {
    let values = schema.get("enum")?.as_array()?.iter();
    let fits = |value: &Value| match kind {
        Some(InstanceType::Boolean) => value.is_boolean(),
        Some(InstanceType::Integer) => value.is_i64(),
        Some(InstanceType::Number) => value.is_number(),
        Some(InstanceType::String) => value.is_string(),
        _ => true,
    };
    let values: Vec<Value> = values
        .filter(|value| value.is_null() || fits(value))
        .cloned()
        .collect();
    (!values.is_empty()).then_some(values)
}

fn metadata(schema: &Value) -> Metadata {
    let flag = |name: &str| schema.get(name).and_then(Value::as_bool).unwrap_or(false);
    Metadata {
        title: text(schema, "title"),
        description: text(schema, "description"),
        default: schema.get("default").cloned(),
        deprecated: flag("deprecated"),
        read_only: flag("readOnly"),
        write_only: flag("writeOnly"),
        ..Metadata::default()
    }
}

fn extensions(schema: &Value) -> Map<String, Value> {
    let members = schema.as_object().into_iter().flatten();
    members
        .filter(|(name, _)| name.starts_with("x-") || *name == "nullable" || *name == "example")
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

fn number(schema: &Value) -> NumberValidation {
    let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
    let exclusive = |name: &str| schema.get(name).and_then(Value::as_bool).unwrap_or(false);
    let pair = |bound: Option<f64>, exclusive| match exclusive {
        true => (None, bound),
        false => (bound, None),
    };
    let (minimum, exclusive_minimum) = pair(bound("minimum"), exclusive("exclusiveMinimum"));
    let (maximum, exclusive_maximum) = pair(bound("maximum"), exclusive("exclusiveMaximum"));
    NumberValidation {
        multiple_of: bound("multipleOf"),
        maximum,
        exclusive_maximum,
        minimum,
        exclusive_minimum,
    }
}

fn string(schema: &Value) -> StringValidation {
    StringValidation {
        max_length: count(schema, "maxLength"),
        min_length: count(schema, "minLength"),
        pattern: text(schema, "pattern"),
    }
}

fn text(schema: &Value, name: &str) -> Option<String> {
    schema.get(name)?.as_str().map(str::to_owned)
}

fn count(schema: &Value, name: &str) -> Option<u32> {
    let count = schema.get(name)?.as_u64()?;
    Some(u32::try_from(count).unwrap_or(u32::MAX))
}
