//! Schemas side by side.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde_json::{Value, json};

/// What a value is, if it is a reference; null where it leads nowhere.
pub(super) fn resolve<'v>(root: &'v Value, value: &'v Value) -> &'v Value {
    let mut value = value;
    // No document has such a chain; one that has is going round.
    for _ in 0..32 {
        let Some(reference) = value.get("$ref").and_then(Value::as_str) else {
            return value;
        };
        let pointer = reference.strip_prefix('#').unwrap_or_default();
        let pointer = percent_encoding::percent_decode_str(pointer).decode_utf8_lossy();
        value = root.pointer(&pointer).unwrap_or(&Value::Null);
    }
    &Value::Null
}

/// Two documents whose schemas are compared.
pub(super) struct Schemas<'v> {
    served: &'v Value,
    document: &'v Value,
    /// Pairs that have been met, so that circles end.
    seen: HashSet<(*const Value, *const Value)>,
    /// Where, as a path into a value, and what.
    pub(super) differences: Vec<(String, String)>,
}

impl<'v> Schemas<'v> {
    pub(super) fn new(served: &'v Value, document: &'v Value) -> Schemas<'v> {
        Schemas {
            served,
            document,
            seen: HashSet::new(),
            differences: Vec::new(),
        }
    }

    pub(super) fn compare(&mut self, served: &'v Value, document: &'v Value, at: &str) {
        let served = resolve(self.served, served);
        let document = resolve(self.document, document);
        if !self.seen.insert((served, document)) {
            return;
        }
        let (present, wanted) = (facts(served), facts(document));
        for key in present.keys().chain(wanted.keys()).collect::<BTreeSet<_>>() {
            let (present, wanted) = (present.get(key), wanted.get(key));
            if present != wanted {
                let say = |value: Option<&Value>| match value {
                    Some(value) => value.to_string(),
                    None => "nothing".to_owned(),
                };
                let message = format!("`{key}` is {}, not {}", say(present), say(wanted));
                self.differences.push((at.to_owned(), message));
            }
        }
        self.children(served, document, at);
    }

    fn children(&mut self, served: &'v Value, document: &'v Value, at: &str) {
        let everything = &Value::Null;
        if kind(document) == Some("object") {
            let properties = |schema: &'v Value| {
                let properties = schema.get("properties").and_then(Value::as_object);
                properties.into_iter().flatten()
            };
            let present: BTreeMap<_, _> = properties(served).collect();
            for (name, wanted) in properties(document) {
                if let Some(present) = present.get(name) {
                    self.compare(present, wanted, &format!("{at}/{name}"));
                }
            }
        }
        for key in ["items", "not", "additionalProperties"] {
            let (present, wanted) = (served.get(key), document.get(key));
            let object = |value: &Option<&Value>| value.is_some_and(Value::is_object);
            if object(&present) && object(&wanted) {
                let (present, wanted) = (present, wanted);
                self.compare(
                    present.unwrap_or(everything),
                    wanted.unwrap_or(everything),
                    &format!("{at}/*"),
                );
            }
        }
        let (present, wanted) = (parts(served), parts(document));
        for (index, ((_, present), (_, wanted))) in present.iter().zip(&wanted).enumerate() {
            self.compare(present, wanted, &format!("{at}({index})"));
        }
    }
}

fn kind(schema: &Value) -> Option<&str> {
    schema.get("type").and_then(Value::as_str)
}

/// The parts of all compositions, each with its keyword. Dropshot writes one
/// composition to a schema, and puts several into one `allOf`; a part of such
/// an `allOf` that is nothing but another composition is taken for that one.
fn parts(schema: &Value) -> Vec<(&'static str, &Value)> {
    let mut parts = Vec::new();
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let listed = schema.get(keyword).and_then(Value::as_array);
        for part in listed.into_iter().flatten() {
            let single = part.as_object().filter(|object| object.len() == 1);
            let composed = single.is_some_and(|object| {
                ["anyOf", "oneOf", "not"]
                    .iter()
                    .any(|k| object.contains_key(*k))
            });
            if keyword == "allOf" && composed {
                parts.extend(self::parts(part));
            } else {
                parts.push((keyword, part));
            }
        }
    }
    parts
}

/// What a schema says itself, apart from the schemas in it. Keywords that say
/// nothing about values of its type are left out, as dropshot does.
fn facts(schema: &Value) -> BTreeMap<&'static str, Value> {
    let mut facts = BTreeMap::new();
    let mut tell = |key: &'static str, value: Option<Value>| {
        facts.extend(value.map(|value| (key, value)));
    };
    let kind = kind(schema);
    tell("type", schema.get("type").cloned());
    tell("nullable", flag(schema, "nullable"));
    tell("format", schema.get("format").cloned());
    tell("enum", enumeration(schema, kind));
    match kind {
        Some("number" | "integer") => {
            for key in ["minimum", "maximum", "multipleOf"] {
                // `1` and `1.0` are the same bound.
                let value = schema.get(key).and_then(Value::as_f64);
                tell(key, value.map(Value::from));
            }
            for key in ["exclusiveMinimum", "exclusiveMaximum"] {
                tell(key, flag(schema, key));
            }
        }
        Some("string") => {
            for key in ["minLength", "maxLength", "pattern"] {
                tell(key, schema.get(key).cloned());
            }
        }
        Some("array") => {
            tell("minItems", schema.get("minItems").cloned());
            tell("maxItems", schema.get("maxItems").cloned());
            tell("uniqueItems", flag(schema, "uniqueItems"));
        }
        Some("object") => {
            tell("minProperties", schema.get("minProperties").cloned());
            tell("maxProperties", schema.get("maxProperties").cloned());
            tell("required", names(schema.get("required")));
            tell("properties", keys(schema.get("properties")));
            // A schema is compared as such; `true` is what is so without it.
            let additional = schema.get("additionalProperties");
            tell(
                "additionalProperties",
                additional.filter(|value| **value == json!(false)).cloned(),
            );
        }
        _ => {}
    }
    let parts: Vec<_> = parts(schema)
        .into_iter()
        .map(|(keyword, _)| keyword)
        .collect();
    tell("parts", (!parts.is_empty()).then(|| json!(parts)));
    facts
}

fn flag(schema: &Value, key: &str) -> Option<Value> {
    schema
        .get(key)
        .filter(|value| **value == json!(true))
        .cloned()
}

/// The values of a type; others could never be met.
fn enumeration(schema: &Value, kind: Option<&str>) -> Option<Value> {
    let values = schema.get("enum")?.as_array()?;
    let fits = |value: &&Value| match kind {
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        _ => true,
    };
    let mut values: Vec<String> = values.iter().filter(fits).map(Value::to_string).collect();
    values.sort();
    Some(json!(values))
}

fn names(list: Option<&Value>) -> Option<Value> {
    let names = list?.as_array()?.iter().filter_map(Value::as_str);
    let names: BTreeSet<&str> = names.collect();
    (!names.is_empty()).then(|| json!(names))
}

fn keys(object: Option<&Value>) -> Option<Value> {
    let names: BTreeSet<&String> = object?.as_object()?.keys().collect();
    (!names.is_empty()).then(|| json!(names))
}
