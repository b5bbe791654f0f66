//! `allOf`, `anyOf`, `oneOf`, `not` and discriminators.
//!
//! If a value is valid against no alternative, the violations of all alternatives help nobody.
//! Sometimes one alternative is clearly meant: by the discriminator, by the JSON type, or by
//! properties that allow only one value. The check then reports its violations; otherwise it
//! reports the names of the alternatives.

use serde_json::{Map, Value};

use super::checker::Checker;
use super::enumeration::represents;
use super::types::{admits, names};
use crate::table::{Discriminator, Schema};
use crate::violation::{Keyword, unescaped};

impl<'v> Checker<'v> {
    pub(super) fn compositions(&mut self, schema: &Schema, value: &'v Value) {
        self.composed += 1;
        for part in schema.all_of {
            self.visit(part, value);
        }
        if !self.is_done() {
            self.alternatives(schema, value);
        }
        if let Some(excluded) = schema.not
            && !self.is_done()
            && self.probe(excluded, value)
        {
            self.fail(Keyword::Not, || format!("must not be {}", label(excluded)));
        }
        self.composed -= 1;
        if self.composed == 0 {
            self.forget();
        }
    }

    fn alternatives(&mut self, schema: &Schema, value: &'v Value) {
        let Schema { any_of, one_of, .. } = schema;
        if any_of.is_empty() && one_of.is_empty() {
            return;
        }
        if let (Some(discriminator), Value::Object(members)) = (schema.discriminator, value)
            && !discriminator.mapping.is_empty()
        {
            self.discriminated(discriminator, members, value);
            return;
        }
        if !any_of.is_empty() && !any_of.iter().any(|part| self.probe(part, value)) {
            self.none_fits(Keyword::AnyOf, any_of, value);
        }
        if one_of.is_empty() || self.is_done() {
            return;
        }
        let mut fitting = one_of.iter().filter(|part| self.probe(part, value));
        let (first, second) = (fitting.next(), fitting.next());
        match (first, second) {
            (None, _) => self.none_fits(Keyword::OneOf, one_of, value),
            (Some(_), None) => {}
            (Some(first), Some(second)) => self.fail(Keyword::OneOf, || {
                format!(
                    "must be exactly one of {}, and is both {} and {}",
                    labels(one_of),
                    label(first),
                    label(second)
                )
            }),
        }
    }

    fn discriminated(
        &mut self,
        discriminator: &Discriminator,
        members: &'v Map<String, Value>,
        value: &'v Value,
    ) {
        let name = discriminator.property;
        let Some(kind) = members.get(name) else {
            self.fail_at(name, Keyword::Required, || "is required".to_owned());
            return;
        };
        match kind.as_str().and_then(|kind| discriminator.target(kind)) {
            Some(schema) => self.visit(schema, value),
            None => self.fail_at(name, Keyword::Discriminator, || {
                let known: Vec<&str> = discriminator
                    .mapping
                    .iter()
                    .map(|(kind, _)| *kind)
                    .collect();
                format!("must be one of {}", known.join(", "))
            }),
        }
    }

    /// Reports why no alternative is valid.
    fn none_fits(&mut self, keyword: Keyword, alternatives: &[&Schema], value: &'v Value) {
        let mut meant = alternatives
            .iter()
            .filter(|alternative| is_meant(alternative, value, 0));
        match (meant.next(), meant.next()) {
            (Some(only), None) => self.visit(only, value),
            _ => self.fail(keyword, || {
                format!("must be one of {}", labels(alternatives))
            }),
        }
    }
}

/// Whether a value looks as if it were meant for a schema: it has the type, and the value of each
/// property that allows only one.
fn is_meant(schema: &Schema, value: &Value, depth: usize) -> bool {
    if depth > 8 {
        return true;
    }
    if !admits(schema.types, value) {
        return false;
    }
    if !schema
        .all_of
        .iter()
        .all(|part| is_meant(part, value, depth + 1))
    {
        return false;
    }
    let (Some(rules), Value::Object(members)) = (schema.object, value) else {
        return true;
    };
    rules.properties.iter().all(|property| {
        let Some([only]) = property.schema.enumeration else {
            return true;
        };
        match members.get(property.name) {
            Some(value) => represents(only, value),
            None => !rules.required.contains(&property.name),
        }
    })
}

fn labels(alternatives: &[&Schema]) -> String {
    let labels: Vec<String> = alternatives.iter().map(|schema| label(schema)).collect();
    labels.join(", ")
}

/// The name of a schema for people: the name of its component, else its type.
fn label(schema: &Schema) -> String {
    let component = schema
        .pointer
        .strip_prefix("/components/schemas/")
        .filter(|name| !name.contains('/'));
    match component {
        Some(name) => unescaped(name),
        None if schema.types.0 != 0 => names(schema.types, schema.nullable),
        None => "another form".to_owned(),
    }
}
