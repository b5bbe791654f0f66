//! Edits of schemas.

use serde_json::{Value, json};

use super::edit::Edit;
use super::{Mutant, Operator};
use crate::check::document_index::{DocumentIndex, LocatedNode, properties};
use crate::document::EXTENSIBLE;

pub(super) fn mutants(index: &DocumentIndex<'_>, found: &mut Vec<Mutant>) {
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

fn mutant(
    found: &mut Vec<Mutant>,
    operator: Operator,
    pointer: &str,
    what: impl Into<String>,
    edit: Edit,
) {
    found.push(Mutant {
        operator,
        pointer: pointer.to_owned(),
        what: what.into(),
        edit,
    });
}

fn required(schema: &LocatedNode<'_>, json: &Value, found: &mut Vec<Mutant>) {
    let at = format!("{}/required", schema.pointer);
    let required: Vec<&str> = json["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    for (index, name) in required.iter().enumerate() {
        let place = format!("{at}/{index}");
        // An empty list is none.
        let edit = match required.len() {
            1 => Edit::Remove(at.clone()),
            _ => Edit::Remove(place.clone()),
        };
        mutant(
            found,
            Operator::RequiredDropped,
            &place,
            format!("`{name}` is required no more"),
            edit,
        );
    }
    for (name, property) in properties(schema) {
        if required.contains(&name) {
            continue;
        }
        let edit = match required.is_empty() {
            true => Edit::Insert(schema.pointer.clone(), "required".into(), json!([name])),
            false => Edit::Push(at.clone(), json!(name)),
        };
        mutant(
            found,
            Operator::RequiredAdded,
            &property.pointer,
            format!("`{name}` is required"),
            edit,
        );
    }
}

fn types(schema: &LocatedNode<'_>, json: &Value, found: &mut Vec<Mutant>) {
    let at = |key: &str| format!("{}/{key}", schema.pointer);
    if let Some(name) = json["type"].as_str() {
        let other = match name {
            "string" => "integer",
            "integer" => "number",
            "object" => "array",
            _ => "string",
        };
        mutant(
            found,
            Operator::TypeChanged,
            &at("type"),
            format!("`{name}` becomes `{other}`"),
            Edit::Set(at("type"), json!(other)),
        );
        let nullable = json["nullable"] == true;
        let edit = match nullable {
            true => Edit::Remove(at("nullable")),
            false => Edit::Insert(schema.pointer.clone(), "nullable".into(), json!(true)),
        };
        let what = if nullable {
            "null is refused"
        } else {
            "null is allowed"
        };
        mutant(
            found,
            Operator::NullableFlipped,
            &schema.pointer,
            what,
            edit,
        );
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
        mutant(
            found,
            Operator::FormatChanged,
            &at("format"),
            format!("`{format}` becomes `{other}`"),
            Edit::Set(at("format"), json!(other)),
        );
        mutant(
            found,
            Operator::FormatChanged,
            &at("format"),
            format!("`{format}` is removed"),
            Edit::Remove(at("format")),
        );
    }
}

fn bounds(schema: &LocatedNode<'_>, json: &Value, found: &mut Vec<Mutant>) {
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
    for key in BOUNDS {
        let at = format!("{}/{key}", schema.pointer);
        let Some(bound) = json.get(key) else { continue };
        mutant(
            found,
            Operator::BoundChanged,
            &at,
            format!("{key} {bound} is removed"),
            Edit::Remove(at.clone()),
        );
        let Some(number) = bound.as_i64() else {
            continue;
        };
        for moved in [number - 1, number + 1] {
            if moved >= 0 || matches!(key, "minimum" | "maximum") {
                mutant(
                    found,
                    Operator::BoundChanged,
                    &at,
                    format!("{key} {number} becomes {moved}"),
                    Edit::Set(at.clone(), json!(moved)),
                );
            }
        }
    }
    for key in [
        "uniqueItems",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "additionalProperties",
    ] {
        let at = format!("{}/{key}", schema.pointer);
        if json.get(key).is_some_and(Value::is_boolean) {
            mutant(
                found,
                Operator::BoundChanged,
                &at,
                format!("{key} is removed"),
                Edit::Remove(at.clone()),
            );
        }
    }
}

fn words(schema: &LocatedNode<'_>, json: &Value, found: &mut Vec<Mutant>) {
    let at = |key: &str| format!("{}/{key}", schema.pointer);
    if let Some(pattern) = json["pattern"].as_str() {
        mutant(
            found,
            Operator::PatternChanged,
            &at("pattern"),
            "the pattern is removed",
            Edit::Remove(at("pattern")),
        );
        let other = format!("{pattern}x");
        mutant(
            found,
            Operator::PatternChanged,
            &at("pattern"),
            format!("the pattern becomes `{other}`"),
            Edit::Set(at("pattern"), json!(other)),
        );
    }
    let values = json["enum"].as_array().map_or(&[][..], Vec::as_slice);
    for (index, value) in values.iter().enumerate() {
        let place = format!("{}/{index}", at("enum"));
        mutant(
            found,
            Operator::EnumChanged,
            &place,
            format!("{value} is removed"),
            Edit::Remove(place.clone()),
        );
        if let Some(text) = value.as_str() {
            mutant(
                found,
                Operator::EnumChanged,
                &place,
                format!("{value} becomes \"{text}x\""),
                Edit::Set(place.clone(), json!(format!("{text}x"))),
            );
        }
    }
    // An extensible enum may grow: that is not a mistake that a check should notice.
    let may_grow = json[EXTENSIBLE] == true;
    if values.first().is_some_and(Value::is_string) && !may_grow {
        mutant(
            found,
            Operator::EnumChanged,
            &at("enum"),
            "a value more",
            Edit::Push(at("enum"), json!("another")),
        );
    }
    if let Some(default) = json.get("default") {
        mutant(
            found,
            Operator::DefaultChanged,
            &at("default"),
            "the default is removed",
            Edit::Remove(at("default")),
        );
        let other = match default {
            Value::Number(number) => number.as_i64().map(|number| json!(number + 1)),
            Value::Bool(value) => Some(json!(!value)),
            Value::String(_) => values.iter().find(|value| *value != default).cloned(),
            _ => None,
        };
        if let Some(other) = other {
            mutant(
                found,
                Operator::DefaultChanged,
                &at("default"),
                format!("the default becomes {other}"),
                Edit::Set(at("default"), other),
            );
        }
    }
}

fn names(schema: &LocatedNode<'_>, found: &mut Vec<Mutant>) {
    for (name, property) in properties(schema) {
        let other = format!("{name}x");
        let mut edits = vec![Edit::Rename(
            format!("{}/properties", schema.pointer),
            name.to_owned(),
            other.clone(),
        )];
        // A slip that forgets `required` is another: the name stays required.
        let required = schema.node.get("required").and_then(|node| node.as_array());
        let index = required.and_then(|all| all.iter().position(|one| one.as_str() == Some(name)));
        if let Some(index) = index {
            edits.push(Edit::Set(
                format!("{}/required/{index}", schema.pointer),
                json!(other),
            ));
        }
        mutant(
            found,
            Operator::PropertyRenamed,
            &property.pointer,
            format!("`{name}` becomes `{other}`"),
            Edit::Several(edits),
        );
    }
}

/// Neighbors among the named schemas, each pair once.
fn swapped(index: &DocumentIndex<'_>, found: &mut Vec<Mutant>) {
    let named = index.components_of("schemas");
    for pair in named.windows(2) {
        if let [(one, first), (other, second)] = pair {
            let edit = Edit::Swap(first.pointer.clone(), second.pointer.clone());
            mutant(
                found,
                Operator::SchemasSwapped,
                &first.pointer,
                format!("`{one}` and `{other}` change places"),
                edit,
            );
        }
    }
}
