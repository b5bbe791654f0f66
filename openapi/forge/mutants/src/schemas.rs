//! Edits of schemas.

use dropforge::check::document_index::{DocumentIndex, LocatedNode, properties};
use dropforge::document::EXTENSIBLE;
use serde_json::{Value, json};

use crate::edit::Edit;
use crate::mutant::Mutants;
use crate::operator::Operator;

pub(crate) fn add(index: &DocumentIndex<'_>, found: &mut Mutants) {
    for schema in &index.schemas {
        let json = schema.node.to_json();
        required(schema, &json, found);
        types(schema, &json, found);
        bounds(schema, &json, found);
        words(schema, &json, found);
        names(schema, found);
    }
    swapped(index, found);
}

fn required(schema: &LocatedNode<'_>, json: &Value, found: &mut Mutants) {
    let at = format!("{}/required", schema.pointer);
    let required: Vec<&str> = json["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    for (index, name) in required.iter().enumerate() {
        let place = format!("{at}/{index}");
        // OpenAPI 3.0 does not allow an empty list.
        let edit = match required.len() {
            1 => Edit::Remove(at.clone()),
            _ => Edit::Remove(place.clone()),
        };
        let what = format!("`{name}` is no longer required");
        found.add(Operator::RequiredDropped, &place, what, edit);
    }
    for (name, property) in properties(schema) {
        if required.contains(&name) {
            continue;
        }
        let edit = match required.is_empty() {
            true => Edit::Insert(schema.pointer.clone(), "required".into(), json!([name])),
            false => Edit::Push(at.clone(), json!(name)),
        };
        let what = format!("`{name}` is required");
        found.add(Operator::RequiredAdded, &property.pointer, what, edit);
    }
}

fn types(schema: &LocatedNode<'_>, json: &Value, found: &mut Mutants) {
    let at = |key: &str| format!("{}/{key}", schema.pointer);
    if let Some(name) = json["type"].as_str() {
        let other = match name {
            "string" => "integer",
            "integer" => "number",
            "object" => "array",
            _ => "string",
        };
        let what = format!("`{name}` becomes `{other}`");
        found.set(Operator::TypeChanged, &at("type"), what, json!(other));
        let (what, edit) = match json["nullable"] == true {
            true => ("null is not allowed", Edit::Remove(at("nullable"))),
            false => {
                let edit = Edit::Insert(schema.pointer.clone(), "nullable".into(), json!(true));
                ("null is allowed", edit)
            }
        };
        found.add(Operator::NullableFlipped, &schema.pointer, what, edit);
    }
    if let Some(format) = json["format"].as_str() {
        let other = match format {
            "int32" => "int64",
            "int64" => "int32",
            "date-time" => "date",
            "uuid" => "uri",
            "uri" => "email",
            _ => "uuid",
        };
        let what = format!("`{format}` becomes `{other}`");
        found.set(Operator::FormatChanged, &at("format"), what, json!(other));
        let what = format!("`{format}` is removed");
        found.remove(Operator::FormatChanged, &at("format"), what);
    }
}

fn bounds(schema: &LocatedNode<'_>, json: &Value, found: &mut Mutants) {
    const BOUNDS: [&str; 9] = [
        "minimum",
        "maximum",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "minProperties",
        "maxProperties",
        "multipleOf",
    ];
    let operator = Operator::BoundChanged;
    for key in BOUNDS {
        let at = format!("{}/{key}", schema.pointer);
        let Some(bound) = json.get(key) else { continue };
        found.remove(operator, &at, format!("{key} {bound} is removed"));
        let Some(number) = bound.as_i64() else {
            continue;
        };
        let moved = [number.checked_sub(1), number.checked_add(1)];
        for moved in moved.into_iter().flatten() {
            if moved >= 0 || matches!(key, "minimum" | "maximum") {
                let what = format!("{key} {number} becomes {moved}");
                found.set(operator, &at, what, json!(moved));
            }
        }
    }
    for key in [
        "uniqueItems",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "additionalProperties",
    ] {
        if json.get(key).is_some_and(Value::is_boolean) {
            let at = format!("{}/{key}", schema.pointer);
            found.remove(operator, &at, format!("{key} is removed"));
        }
    }
}

fn words(schema: &LocatedNode<'_>, json: &Value, found: &mut Mutants) {
    let at = |key: &str| format!("{}/{key}", schema.pointer);
    if let Some(pattern) = json["pattern"].as_str() {
        let (operator, at) = (Operator::PatternChanged, at("pattern"));
        found.remove(operator, &at, "the pattern is removed");
        let other = format!("{pattern}x");
        let what = format!("the pattern becomes `{other}`");
        found.set(operator, &at, what, json!(other));
    }
    let values = json["enum"].as_array().map_or(&[][..], Vec::as_slice);
    for (index, value) in values.iter().enumerate() {
        let place = format!("{}/{index}", at("enum"));
        found.remove(Operator::EnumChanged, &place, format!("{value} is removed"));
        if let Some(text) = value.as_str() {
            let other = json!(format!("{text}x"));
            let what = format!("{value} becomes {other}");
            found.set(Operator::EnumChanged, &place, what, other);
        }
    }
    // An extensible enum may grow, so no check should notice a new value.
    let may_grow = json[EXTENSIBLE] == true;
    if values.first().is_some_and(Value::is_string) && !may_grow {
        let edit = Edit::Push(at("enum"), json!("another"));
        found.add(Operator::EnumChanged, &at("enum"), "a value is added", edit);
    }
    if let Some(default) = json.get("default") {
        let (operator, at) = (Operator::DefaultChanged, at("default"));
        found.remove(operator, &at, "the default is removed");
        let other = match default {
            Value::Number(number) => {
                let next = number.as_i64().and_then(|number| number.checked_add(1));
                next.map(Value::from)
            }
            Value::Bool(value) => Some(json!(!value)),
            Value::String(_) => values.iter().find(|value| *value != default).cloned(),
            _ => None,
        };
        if let Some(other) = other {
            let what = format!("the default becomes {other}");
            found.set(operator, &at, what, other);
        }
    }
}

fn names(schema: &LocatedNode<'_>, found: &mut Mutants) {
    for (name, property) in properties(schema) {
        let other = format!("{name}x");
        let what = format!("`{name}` becomes `{other}`");
        let mut edits = vec![Edit::Rename(
            format!("{}/properties", schema.pointer),
            name.to_owned(),
            other.clone(),
        )];
        // A rename that forgets `required` would also require a property that does not exist.
        let required = schema.node.get("required").and_then(|node| node.as_array());
        let index = required.and_then(|all| all.iter().position(|one| one.as_str() == Some(name)));
        if let Some(index) = index {
            let at = format!("{}/required/{index}", schema.pointer);
            edits.push(Edit::Set(at, json!(other)));
        }
        let edit = Edit::Several(edits);
        found.add(Operator::PropertyRenamed, &property.pointer, what, edit);
    }
}

/// Neighbors among the named schemas, each pair once.
fn swapped(index: &DocumentIndex<'_>, found: &mut Mutants) {
    let named = index.components_of("schemas");
    for pair in named.windows(2) {
        if let [(one, first), (other, second)] = pair {
            let what = format!("`{one}` and `{other}` change places");
            let edit = Edit::Swap(first.pointer.clone(), second.pointer.clone());
            found.add(Operator::SchemasSwapped, &first.pointer, what, edit);
        }
    }
}
