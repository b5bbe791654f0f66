//! The changes that `drift` finds.
//!
//! The crate `drift` compares documents independently of this walk, and knows the meaning of each
//! direction. But it omits some things, panics on others, and reports most changes to schemas
//! without their content. So `drift` decides only whether there is a change that the walk missed. A
//! person must judge the meaning of such a change.

use std::panic::{AssertUnwindSafe, catch_unwind};

use drift::ChangeClass;
use serde_json::{Map, Value};

use super::comparison::{Class, Comparison, Side};

impl Comparison<'_> {
    pub(super) fn add_drift_findings(&mut self) {
        let (old, new) = (self.old.document.to_json(), self.new.document.to_json());
        let (old, new) = (plain(old), plain(new));
        let Some(seen) = drift_changes(comparable(&old, &new), comparable(&new, &old)) else {
            return;
        };
        for change in seen {
            let (old, new) = (place(&old, &change.old), place(&new, &change.new));
            let known = self.changes.iter().any(|change| {
                let pointer = match change.side {
                    Side::Old => &old,
                    Side::New => &new,
                };
                let nested =
                    is_within(&change.pointer, pointer) || is_within(pointer, &change.pointer);
                nested && change.class != Class::Documentation
            });
            // A renamed parameter is one change for the walk, and two for drift.
            let known = known || self.renamed.contains(&old);
            // The walk has compared the members. Other parts with the same members are not a
            // change.
            if !known && !self.composed.contains(&new) {
                let message = change.message;
                let message = format!("drift finds a change that is not classified: {message}");
                let reason = "a person has to decide";
                self.report(Class::BreaksClients, Side::New, &new, message, reason);
            }
        }
    }
}

/// Whether a pointer leads to a place, or into it.
fn is_within(pointer: &str, place: &str) -> bool {
    let inner = pointer.strip_prefix(place);
    inner.is_some_and(|inner| inner.is_empty() || inner.starts_with('/'))
}

/// The place that a pointer of drift means. drift writes `request_body`, and omits the keyword of a
/// composition of one part.
fn place(document: &Value, pointer: &str) -> String {
    let mut place = String::new();
    for segment in pointer.split('/').skip(1) {
        let exists = |segment: &str| document.pointer(&format!("{place}/{segment}")).is_some();
        let omitted = || {
            let mut keywords = ["allOf", "anyOf", "oneOf"].into_iter();
            keywords.find(|&keyword| exists(keyword))
        };
        let meant = match segment {
            present if exists(present) => present.to_owned(),
            "request_body" => "requestBody".to_owned(),
            part => match omitted() {
                Some(keyword) => format!("{keyword}/{part}"),
                None => part.to_owned(),
            },
        };
        place.push('/');
        place.push_str(&meant);
    }
    place
}

/// A change beyond words: its pointers into both documents.
struct DriftChange {
    old: String,
    new: String,
    message: String,
}

/// The changes that drift finds. Empty if it fails.
fn drift_changes(old: Value, new: Value) -> Option<Vec<DriftChange>> {
    // It asserts conditions that documents sometimes violate. The caller decides whether such a
    // panic is printed.
    let outcome = catch_unwind(AssertUnwindSafe(|| drift::compare(&old, &new)));
    let mut seen = Vec::new();
    for change in outcome.ok()?.ok()? {
        let Some(path) = change.paths.first() else {
            continue;
        };
        let place = |base: &drift::JsonPathStack, subpath: &str| {
            let base = base.current_pointer().trim_start_matches('#');
            match subpath {
                "" => base.to_owned(),
                subpath => format!("{base}/{subpath}"),
            }
        };
        for info in change.changes {
            if info.class != ChangeClass::Trivial {
                seen.push(DriftChange {
                    old: place(&path.old, &info.old_subpath),
                    new: place(&path.new, &info.new_subpath),
                    message: info.message,
                });
            }
        }
    }
    Some(seen)
}

/// A document with one notation of equal values, since drift compares notations. Whole numbers are
/// integers, limits of integers are allowed themselves, and lists without an order are sorted.
fn plain(value: Value) -> Value {
    match value {
        Value::Array(elements) => elements.into_iter().map(plain).collect(),
        Value::Object(object) => {
            let members = object.into_iter().map(|(key, value)| (key, plain(value)));
            let mut object: Map<String, Value> = members.collect();
            if object.get("type").and_then(Value::as_str) == Some("integer") {
                include_limit(&mut object, "minimum", "exclusiveMinimum", 1);
                include_limit(&mut object, "maximum", "exclusiveMaximum", -1);
            }
            for key in ["enum", "required"] {
                if let Some(Value::Array(values)) = object.get_mut(key) {
                    values.sort_by_cached_key(Value::to_string);
                }
            }
            Value::Object(object)
        }
        Value::Number(number) => match number.as_f64() {
            // Above 2^53, a float may have lost digits.
            Some(float) if float.fract() == 0.0 && float.abs() < 9_007_199_254_740_992.0 => {
                Value::from(float as i64)
            }
            _ => Value::Number(number),
        },
        other => other,
    }
}

/// Replaces a limit that is not allowed itself with the next integer.
fn include_limit(schema: &mut Map<String, Value>, key: &str, exclusive: &str, step: i64) {
    let limit = schema.get(key).and_then(Value::as_i64);
    let next = limit.and_then(|limit| limit.checked_add(step));
    if let Some(next) = next
        && schema.get(exclusive) == Some(&Value::Bool(true))
    {
        schema.insert(key.to_owned(), next.into());
        schema.remove(exclusive);
    }
}

/// `document` without the parts that drift misreads. It panics on media types that the other
/// document does not have in the same place, or that have a schema in one document only. The walk
/// compares these. Names of headers are case-insensitive.
fn comparable(document: &Value, other: &Value) -> Value {
    match (document, other) {
        (Value::Object(document), Value::Object(other)) => {
            let header = document.get("in").and_then(Value::as_str) == Some("header");
            let entries = document.iter().filter_map(|(key, value)| {
                let value = match (key.as_str(), value, other.get(key)) {
                    ("content", Value::Object(ours), theirs) if is_content(ours) => {
                        let Some(Value::Object(theirs)) = theirs else {
                            return None;
                        };
                        Value::Object(common(ours, theirs))
                    }
                    ("name", Value::String(name), _) if header => name.to_lowercase().into(),
                    (_, value, Some(theirs)) => comparable(value, theirs),
                    (_, value, None) => value.clone(),
                };
                Some((key.clone(), value))
            });
            Value::Object(entries.collect())
        }
        (Value::Array(document), Value::Array(other)) => document
            .iter()
            .enumerate()
            .map(|(index, value)| match other.get(index) {
                Some(theirs) => comparable(value, theirs),
                None => value.clone(),
            })
            .collect(),
        (document, _) => document.clone(),
    }
}

/// A property may also be called `content`; media types have a slash.
fn is_content(map: &Map<String, Value>) -> bool {
    map.keys().all(|key| key.contains('/'))
}

fn common(ours: &Map<String, Value>, theirs: &Map<String, Value>) -> Map<String, Value> {
    ours.iter()
        .filter_map(|(media_type, ours)| {
            let theirs = theirs.get(media_type)?;
            let both = ours.get("schema").is_some() == theirs.get("schema").is_some();
            both.then(|| (media_type.clone(), comparable(ours, theirs)))
        })
        .collect()
}
