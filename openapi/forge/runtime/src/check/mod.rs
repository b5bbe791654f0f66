//! The interpreter of schema tables: finds the violations of a schema in a value.
//!
//! One walk serves two questions. *Is it valid?* stops at the first violation and builds no text;
//! it comes first, and almost every request needs nothing else. *What is wrong?* collects every violation
//! with its place. Both use the same code: a rule calls [`Checker::fail`], which notes or collects.
//!
//! A document may be recursive and a value comes from a stranger, so the walk is bounded. Below a
//! composition (`allOf`, `anyOf`, `oneOf`, `not`) the walk visits each pair of schema and value
//! once. It does not enter a pair that it is already within. The number of violations has a cap.

mod alternative;
mod array;
mod compose;
mod enumeration;
mod equal;
mod format;
mod number;
mod object;
mod string;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

pub use alternative::{alternative, choose};

use serde_json::Value;

use crate::table::{ObjectRules, Schema, Types};
use crate::violation::{Keyword, Location, Violation, push_token};

/// The direction of a value: `readOnly` properties are not required in a request, and `writeOnly`
/// ones are not allowed in a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From the caller.
    Request,
    /// To the caller.
    Response,
}

/// The maximum of violations that the check reports of one value.
pub(crate) const MAX_VIOLATIONS: usize = 100;

/// How deep schemas may be nested within each other.
const MAX_DEPTH: usize = 512;

/// All violations of a schema, in the order of the value.
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

/// Rewrites integers with a fraction of zero: JSON Schema accepts `1.0` as an integer, the integer
/// types of most languages do not.
pub(crate) fn normalized(mut value: Value) -> Value {
    number::normalize(&mut value);
    value
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Whether any rule fails. Ends at the first failure.
    Probing,
    /// Every failure.
    Collecting,
}

/// A schema and a value by their addresses in memory: neither moves during a check.
type Pair = (*const Schema, *const Value);

enum Token<'v> {
    Key(&'v str),
    Index(usize),
}

/// The rules of a schema for an object, with those of its `allOf`.
struct Level {
    object: Option<&'static ObjectRules>,
    all_of: &'static [&'static Schema],
}

struct Checker<'v> {
    direction: Direction,
    location: Location,
    mode: Mode,
    failed: bool,
    violations: Vec<Violation>,
    place: Vec<Token<'v>>,
    depth: usize,
    /// The schemas that the walk is within, each with its parts.
    levels: Vec<Level>,
    /// Those that the present value is checked against.
    first_level: usize,
    /// How many compositions the walk is within.
    composed: usize,
    /// The results of probing below compositions. `true` while the probe is running.
    probed: BTreeMap<Pair, bool>,
    /// The violations collected below compositions.
    collected: BTreeSet<Pair>,
}

impl<'v> Checker<'v> {
    fn new(direction: Direction, location: Location, mode: Mode) -> Self {
        Checker {
            direction,
            location,
            mode,
            failed: false,
            violations: Vec::new(),
            place: Vec::new(),
            depth: 0,
            levels: Vec::new(),
            first_level: 0,
            composed: 0,
            probed: BTreeMap::new(),
            collected: BTreeSet::new(),
        }
    }

    /// Reports a violation at the present place.
    fn fail(&mut self, keyword: Keyword, message: impl FnOnce() -> String) {
        self.failed = true;
        if self.mode == Mode::Collecting && self.violations.len() < MAX_VIOLATIONS {
            let violation = Violation::new(self.location, self.pointer(None), keyword, message());
            self.violations.push(violation);
        }
    }

    /// Reports a violation at a property that may be absent.
    fn fail_at(&mut self, name: &str, keyword: Keyword, message: impl FnOnce() -> String) {
        self.failed = true;
        if self.mode == Mode::Collecting && self.violations.len() < MAX_VIOLATIONS {
            let pointer = self.pointer(Some(name));
            let violation = Violation::new(self.location, pointer, keyword, message());
            self.violations.push(violation);
        }
    }

    fn pointer(&self, last: Option<&str>) -> String {
        let mut pointer = String::new();
        for token in &self.place {
            match token {
                Token::Key(key) => push_token(&mut pointer, key),
                Token::Index(index) => push_token(&mut pointer, &index.to_string()),
            }
        }
        if let Some(name) = last {
            push_token(&mut pointer, name);
        }
        pointer
    }

    /// Whether the walk can stop.
    fn is_done(&self) -> bool {
        match self.mode {
            Mode::Probing => self.failed,
            Mode::Collecting => self.violations.len() >= MAX_VIOLATIONS,
        }
    }

    /// A value within the present one.
    fn descend(&mut self, token: Token<'v>, schema: &Schema, value: &'v Value) {
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

    /// Whether a value is valid against a schema, as a question within the walk.
    fn probe(&mut self, schema: &Schema, value: &'v Value) -> bool {
        let mode = std::mem::replace(&mut self.mode, Mode::Probing);
        let failed = std::mem::take(&mut self.failed);
        self.visit(schema, value);
        self.mode = mode;
        !std::mem::replace(&mut self.failed, failed)
    }

    /// Checks a value against a schema.
    fn visit(&mut self, schema: &Schema, value: &'v Value) {
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
                    // Its violations have been collected.
                    self.failed |= self.probed.get(&pair).is_some_and(|valid| !valid);
                }
            }
        }
    }

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

/// Whether a value is of one of the types. An integer is any number without a
/// fraction, however it is written.
fn admits(types: Types, value: &Value) -> bool {
    if types == Types::ANY {
        return true;
    }
    let has = |kind: Types| types.0 & kind.0 != 0;
    match value {
        Value::Null => false,
        Value::Bool(_) => has(Types::BOOLEAN),
        Value::Number(number) => {
            has(Types::NUMBER) || (has(Types::INTEGER) && number::is_integer(number))
        }
        Value::String(_) => has(Types::STRING),
        Value::Array(_) => has(Types::ARRAY),
        Value::Object(_) => has(Types::OBJECT),
    }
}

fn names(types: Types, nullable: bool) -> String {
    const NAMES: [(Types, &str); 6] = [
        (Types::BOOLEAN, "a boolean"),
        (Types::INTEGER, "an integer"),
        (Types::NUMBER, "a number"),
        (Types::STRING, "a string"),
        (Types::ARRAY, "an array"),
        (Types::OBJECT, "an object"),
    ];
    let mut names: Vec<&str> = NAMES
        .iter()
        .filter(|(kind, _)| types.0 & kind.0 != 0)
        .map(|(_, name)| *name)
        .collect();
    if nullable {
        names.push("null");
    }
    names.join(" or ")
}

fn name_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// A count with its noun: `1 character`, `3 characters`.
fn count(number: u64, noun: &str) -> String {
    let plural = match noun {
        "property" => "properties",
        "character" => "characters",
        other => other,
    };
    if number == 1 {
        format!("1 {noun}")
    } else {
        format!("{number} {plural}")
    }
}
