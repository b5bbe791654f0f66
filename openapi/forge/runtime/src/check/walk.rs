//! The walk along a value and its schema, which calls the rules for each type.

use serde_json::Value;

use super::checker::{Checker, Direction, Level, Mode, Pair, Token};
use super::types::{admits, name_of, names};
use crate::table::Schema;
use crate::violation::{Keyword, Location, Violation};

/// The maximum depth of schemas within each other.
const MAX_DEPTH: usize = 512;

/// The violations of a schema by a value, in the order of the value: at most `MAX_VIOLATIONS`.
pub fn check(
    schema: &Schema,
    value: &Value,
    direction: Direction,
    location: Location,
) -> Vec<Violation> {
    if is_valid(schema, value, direction) {
        return Vec::new();
    }
    let mut checker = Checker::new(direction, location, Mode::Collecting);
    checker.visit(schema, value);
    if checker.violations.is_empty() {
        // Only a schema that refers to itself in circles reaches this depth.
        checker.fail(Keyword::Not, || {
            "is not valid against the schema under `not`".to_owned()
        });
    }
    checker.violations
}

/// Whether a value is valid against a schema.
pub fn is_valid(schema: &Schema, value: &Value, direction: Direction) -> bool {
    let mut checker = Checker::new(direction, Location::Body, Mode::Probing);
    checker.visit(schema, value);
    !checker.failed
}

impl<'v> Checker<'v> {
    /// Checks a value within the present one, at `token`.
    pub(super) fn descend(&mut self, token: Token<'v>, schema: &Schema, value: &'v Value) {
        let outer = std::mem::replace(&mut self.first_level, self.levels.len());
        // Only violations need the place.
        if self.mode == Mode::Probing {
            self.visit(schema, value);
        } else {
            self.place.push(token);
            self.visit(schema, value);
            self.place.pop();
        }
        self.first_level = outer;
    }

    /// Whether a value is valid against a schema. Records no violations.
    pub(super) fn probe(&mut self, schema: &Schema, value: &'v Value) -> bool {
        let mode = std::mem::replace(&mut self.mode, Mode::Probing);
        let failed = std::mem::take(&mut self.failed);
        self.visit(schema, value);
        self.mode = mode;
        !std::mem::replace(&mut self.failed, failed)
    }

    /// Checks a value against a schema.
    pub(super) fn visit(&mut self, schema: &Schema, value: &'v Value) {
        if self.is_done() {
            return;
        }
        if self.composed == 0 {
            self.enter(schema, value);
            return;
        }
        let pair: Pair = (schema, value);
        match self.mode {
            Mode::Probing => match self.probed.get(&pair) {
                Some(valid) => self.failed |= !valid,
                None => {
                    self.probed.insert(pair, true);
                    self.enter(schema, value);
                    // A probe ends at the first failure, which is then that of this pair.
                    self.probed.insert(pair, !self.failed);
                }
            },
            Mode::Collecting => {
                if self.collected.insert(pair) {
                    self.enter(schema, value);
                } else {
                    // The violations of this pair have been collected.
                    self.failed |= self.probed.get(&pair).is_some_and(|valid| !valid);
                }
            }
        }
    }

    /// Checks a value against a schema that is one level deeper.
    fn enter(&mut self, schema: &Schema, value: &'v Value) {
        if self.depth == MAX_DEPTH {
            self.fail(Keyword::Depth, || "is nested too deeply".to_owned());
            return;
        }
        self.depth += 1;
        self.levels.push(Level {
            object: schema.object,
            all_of: schema.all_of,
        });
        self.rules(schema, value);
        self.levels.pop();
        self.depth -= 1;
    }

    /// Checks the rules of a schema for a value: type, enumeration, rules of its type, compositions.
    fn rules(&mut self, schema: &Schema, value: &'v Value) {
        if schema.nullable && value.is_null() {
            // An enumeration must list `null` (OpenAPI 3.0.3, `nullable`).
            if let Some(values) = schema.enumeration {
                self.enumeration(values, value);
            }
            return;
        }
        if !admits(schema.types, value) {
            self.fail(Keyword::Type, || {
                let expected = names(schema.types, schema.nullable);
                format!("must be {expected}, and is {}", name_of(value))
            });
            // The rules of the type do not apply to a value of another type.
            return;
        }
        if let Some(values) = schema.enumeration {
            self.enumeration(values, value);
        }
        match value {
            Value::Number(number) => {
                if let Some(rules) = schema.number {
                    self.number(rules, number);
                }
            }
            Value::String(text) => {
                if let Some(rules) = schema.string {
                    self.string(rules, text);
                }
            }
            Value::Array(items) => {
                if let Some(rules) = schema.array {
                    self.array(rules, items);
                }
            }
            Value::Object(members) => {
                if let Some(rules) = schema.object {
                    self.object(rules, members);
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
        if !self.is_done() {
            self.compositions(schema, value);
        }
    }
}
