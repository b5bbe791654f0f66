//! Variants of a value: each differs from it in one place, by one rule of its schema.

use serde_json::{Map, Value, json};

use crate::check;
use crate::table::{Additional, ArrayRules, Number, NumberRules, Schema, StringRules, Types};
use crate::violation::push_token;

/// One variant.
pub(super) struct Variant {
    /// The change and its place, for people.
    pub(super) what: String,
    pub(super) value: Value,
}

/// The walk along a value and its schema.
struct Walk<'v> {
    root: &'v Value,
    /// The depth of the present place. Deep places are omitted: examples may be large.
    depth: usize,
    found: Vec<Variant>,
}

/// The kind of change.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// Omit a required member.
    Remove,
    /// Move the value across its constraints, and to another type.
    Move,
    /// Add a member that the schema does not declare.
    Add,
}

/// All variants of a value by `change`.
pub(super) fn of(schema: &'static Schema, value: &Value, change: Change) -> Vec<Variant> {
    let mut walk = Walk {
        root: value,
        depth: 0,
        found: Vec::new(),
    };
    walk.visit(schema, value, "", change);
    walk.found
}

impl Walk<'_> {
    fn visit(&mut self, schema: &'static Schema, value: &Value, pointer: &str, change: Change) {
        if self.depth > 6 {
            return;
        }
        self.depth += 1;
        for part in schema.all_of {
            self.visit(part, value, pointer, change);
        }
        let alternative = check::alternative(schema, value);
        if let Some(alternative) = alternative.and_then(|index| schema.alternatives().get(index)) {
            self.visit(alternative, value, pointer, change);
        }
        if let Some(object) = value.as_object() {
            self.object(schema, object, pointer, change);
        }
        if let (Some([first, ..]), Some(rules)) =
            (value.as_array().map(Vec::as_slice), schema.array)
            && let Some(items) = rules.items
        {
            self.visit(items, first, &format!("{pointer}/0"), change);
        }
        if change == Change::Move {
            for (what, moved) in moved(schema, value) {
                self.replace(pointer, &what, moved);
            }
        }
        self.depth -= 1;
    }

    fn object(
        &mut self,
        schema: &'static Schema,
        object: &Map<String, Value>,
        pointer: &str,
        change: Change,
    ) {
        let Some(rules) = schema.object else { return };
        if change == Change::Remove {
            for name in rules
                .required
                .iter()
                .filter(|name| object.contains_key(**name))
            {
                let mut without = object.clone();
                without.remove(*name);
                self.replace(pointer, &format!("without {name}"), without.into());
            }
        }
        if change == Change::Add && !matches!(rules.additional, Additional::Schema(_)) {
            let mut more = object.clone();
            more.insert("xUnknownToTheDocument".to_owned(), json!("x"));
            self.replace(pointer, "with an unknown property", more.into());
        }
        for property in rules.properties {
            if let Some(value) = object.get(property.name) {
                let mut below = pointer.to_owned();
                push_token(&mut below, property.name);
                self.visit(property.schema, value, &below, change);
            }
        }
    }

    fn replace(&mut self, pointer: &str, what: &str, by: Value) {
        let mut value = self.root.clone();
        if let Some(place) = value.pointer_mut(pointer) {
            *place = by;
            let what = match pointer {
                "" => what.to_owned(),
                pointer => format!("{pointer} {what}"),
            };
            self.found.push(Variant { what, value });
        }
    }
}

/// Replacements of a value, with descriptions for people.
type Replacements = Vec<(String, Value)>;

/// Replacements on both sides of each rule of a schema.
fn moved(schema: &Schema, value: &Value) -> Replacements {
    let mut found = Replacements::new();
    if schema.types != Types::ANY {
        found.push(("null".to_owned(), Value::Null));
        let other = match schema.types {
            Types::OBJECT => json!([]),
            _ => json!({"x": 1}),
        };
        found.push(("of another type".to_owned(), other));
    }
    if schema.enumeration.is_some() {
        found.push((
            "none of the enumeration".to_owned(),
            json!("x-none-of-these"),
        ));
    }
    if let (Some(text), Some(rules)) = (value.as_str(), schema.string) {
        strings(rules, text, &mut found);
    }
    if let (true, Some(rules)) = (value.is_number(), schema.number) {
        numbers(rules, &mut found);
    }
    if let (Some(items), Some(rules)) = (value.as_array(), schema.array) {
        arrays(rules, items, &mut found);
    }
    found
}

/// Strings of the lengths at and beyond the bounds, made of `text`, and one of another form.
fn strings(rules: &StringRules, text: &str, found: &mut Replacements) {
    let filled = |length: u64| -> Value {
        let length = usize::try_from(length).unwrap_or(0);
        let mut filled: String = text.chars().take(length).collect();
        while filled.chars().count() < length {
            filled.push('a');
        }
        filled.into()
    };
    // A very long text is past other limits too.
    let is_short = |bound: &u64| *bound < 70_000;
    if let Some(bound) = rules.min_length.filter(is_short) {
        found.push((format!("at minLength {bound}"), filled(bound)));
        if bound > 0 {
            found.push(("below minLength".to_owned(), filled(bound - 1)));
        }
    }
    if let Some(bound) = rules.max_length.filter(is_short) {
        found.push((format!("at maxLength {bound}"), filled(bound)));
        found.push(("beyond maxLength".to_owned(), filled(bound + 1)));
    }
    if rules.pattern.is_some() || rules.format.is_some() {
        let other = json!("\u{1F980} none of it");
        found.push(("of another form".to_owned(), other));
    }
}

/// Numbers at and past the bounds, and one that is not a multiple.
fn numbers(rules: &NumberRules, found: &mut Replacements) {
    for (rule, bound, past) in [
        ("minimum", rules.minimum, -1),
        ("maximum", rules.maximum, 1),
    ] {
        if let Some((bound, _)) = bound {
            found.push((format!("at {rule}"), number(bound, 0)));
            found.push((format!("past {rule}"), number(bound, past)));
        }
    }
    if rules.multiple_of.is_some() {
        found.push(("no multiple".to_owned(), json!(0.123_456_7)));
    }
}

/// Arrays of the lengths at and beyond the bounds, made of `items`, and one with equal items.
fn arrays(rules: &ArrayRules, items: &[Value], found: &mut Replacements) {
    let of_length = |length: u64| -> Option<Value> {
        let length = usize::try_from(length)
            .ok()
            .filter(|length| *length <= 2000)?;
        let first = items.first()?;
        let item = |index: usize| items.get(index).unwrap_or(first).clone();
        Some((0..length).map(item).collect())
    };
    let lengths = [
        rules.min_items.and_then(|n| n.checked_sub(1)),
        rules.min_items,
        rules.max_items,
        rules.max_items.map(|n| n + 1),
    ];
    for length in lengths.into_iter().flatten() {
        if let Some(value) = of_length(length) {
            found.push((format!("of {length} items"), value));
        }
    }
    if let (true, Some(value)) = (rules.unique, of_length(2)) {
        found.push(("of two items".to_owned(), value));
    }
}

/// The number at this distance from a bound.
fn number(bound: Number, past: i64) -> Value {
    match bound {
        Number::Integer(bound) => match bound.checked_add(past.into()).map(i64::try_from) {
            Some(Ok(number)) => json!(number),
            _ => json!(bound as f64),
        },
        #[allow(clippy::cast_precision_loss)]
        Number::Float(bound) => json!(bound + past as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_past_a_bound_of_any_size_is_found() {
        assert_eq!(number(Number::Integer(9), 1), json!(10));
        for (bound, past) in [(i128::MAX, 1), (i128::MIN, -1)] {
            assert!(number(Number::Integer(bound), past).is_f64(), "{bound}");
        }
    }
}
