//! Schemas of OpenAPI 3.0 into tables, for tests that make schemas up. The
//! generator writes tables as statics; these are leaked.

use dropforge_runtime::table::{
    Additional, ArrayRules, Discriminator, Number, NumberFormat, NumberRules, ObjectRules, Pattern,
    Property, Schema, StringFormat, StringRules, Types,
};
use serde_json::Value;

/// The table of a schema without references.
pub fn lower(schema: &Value) -> &'static Schema {
    let table = Schema {
        pointer: text(&schema["x-pointer"]).unwrap_or(""),
        types: types(&schema["type"]),
        nullable: is_true(&schema["nullable"]),
        number: Some(leak(NumberRules {
            minimum: bound(&schema["minimum"], &schema["exclusiveMinimum"]),
            maximum: bound(&schema["maximum"], &schema["exclusiveMaximum"]),
            multiple_of: number(&schema["multipleOf"]),
            format: match schema["format"].as_str() {
                Some("int32") => Some(NumberFormat::Int32),
                Some("int64") => Some(NumberFormat::Int64),
                Some("uint32") => Some(NumberFormat::Uint32),
                Some("uint64") => Some(NumberFormat::Uint64),
                Some("float") => Some(NumberFormat::Float),
                _ => None,
            },
        })),
        string: Some(leak(StringRules {
            min_length: schema["minLength"].as_u64(),
            max_length: schema["maxLength"].as_u64(),
            pattern: text(&schema["pattern"]).map(|source| leak(Pattern::new(source))),
            format: format(&schema["format"]),
        })),
        array: Some(leak(ArrayRules {
            items: schema.get("items").map(lower),
            min_items: schema["minItems"].as_u64(),
            max_items: schema["maxItems"].as_u64(),
            unique: is_true(&schema["uniqueItems"]),
        })),
        object: Some(leak(ObjectRules {
            properties: properties(&schema["properties"]),
            required: slice(strings(&schema["required"])),
            additional: match &schema["additionalProperties"] {
                Value::Null | Value::Bool(true) => Additional::Allowed,
                Value::Bool(false) => Additional::Denied,
                schema => Additional::Schema(lower(schema)),
            },
            min_properties: schema["minProperties"].as_u64(),
            max_properties: schema["maxProperties"].as_u64(),
        })),
        enumeration: schema["enum"].as_array().map(|values| {
            slice(
                values
                    .iter()
                    .map(|value| leaked(&value.to_string()))
                    .collect(),
            )
        }),
        all_of: schemas(&schema["allOf"]),
        any_of: schemas(&schema["anyOf"]),
        one_of: schemas(&schema["oneOf"]),
        not: schema.get("not").map(lower),
        discriminator: schema.get("discriminator").map(discriminator),
    };
    leak(table)
}

fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

fn slice<T>(items: Vec<T>) -> &'static [T] {
    Vec::leak(items)
}

fn leaked(text: &str) -> &'static str {
    String::leak(text.to_owned())
}

fn text(value: &Value) -> Option<&'static str> {
    value.as_str().map(leaked)
}

fn is_true(value: &Value) -> bool {
    value.as_bool().unwrap_or(false)
}

fn strings(value: &Value) -> Vec<&'static str> {
    let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
    items.iter().filter_map(text).collect()
}

fn schemas(value: &Value) -> &'static [&'static Schema] {
    let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
    slice(items.iter().map(lower).collect())
}

fn properties(value: &Value) -> &'static [Property] {
    let Some(members) = value.as_object() else {
        return &[];
    };
    let properties = members.iter().map(|(name, schema)| Property {
        name: leaked(name),
        schema: lower(schema),
        read_only: is_true(&schema["readOnly"]),
        write_only: is_true(&schema["writeOnly"]),
    });
    slice(properties.collect())
}

/// Here the mapping holds the schemas themselves.
fn discriminator(value: &Value) -> &'static Discriminator {
    let mapping = value["mapping"].as_object().into_iter().flatten();
    leak(Discriminator {
        property: text(&value["propertyName"]).unwrap_or_default(),
        mapping: slice(
            mapping
                .map(|(name, schema)| (leaked(name), lower(schema)))
                .collect(),
        ),
    })
}

fn types(value: &Value) -> Types {
    match value.as_str() {
        Some("boolean") => Types::BOOLEAN,
        Some("integer") => Types::INTEGER,
        Some("number") => Types::NUMBER,
        Some("string") => Types::STRING,
        Some("array") => Types::ARRAY,
        Some("object") => Types::OBJECT,
        _ => Types::ANY,
    }
}

fn number(value: &Value) -> Option<Number> {
    match value {
        Value::Number(number) => Some(match number.as_i64() {
            Some(integer) => Number::Integer(integer.into()),
            None => Number::Float(number.as_f64().unwrap()),
        }),
        _ => None,
    }
}

fn bound(value: &Value, exclusive: &Value) -> Option<(Number, bool)> {
    Some((number(value)?, is_true(exclusive)))
}

fn format(value: &Value) -> Option<StringFormat> {
    Some(match value.as_str()? {
        "date-time" => StringFormat::DateTime,
        "date" => StringFormat::Date,
        "time" => StringFormat::Time,
        "duration" => StringFormat::Duration,
        "email" => StringFormat::Email,
        "uri" => StringFormat::Uri,
        "uuid" => StringFormat::Uuid,
        "byte" => StringFormat::Byte,
        "binary" => StringFormat::Binary,
        "ipv4" => StringFormat::Ipv4,
        "ipv6" => StringFormat::Ipv6,
        "hostname" => StringFormat::Hostname,
        _ => return None,
    })
}
