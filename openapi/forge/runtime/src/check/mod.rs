//! The interpreter of schema tables: what a value breaks of a schema.
//!
//! One walk serves two questions. *Is it valid?* stops at the first violation
//! and builds no text; it is asked first, and the answer to almost every
//! request. *What is wrong?* collects every violation with its place. Both are
//! the same code: a rule calls [`Checker::fail`], which notes or collects.
//!
//! A document may be recursive and a value is somebody else's, so the walk is
//! bounded: below a composition (`allOf`, `anyOf`, `oneOf`, `not`) each pair of
//! schema and value is looked at once, a pair that is already being looked at
//! is not entered again, and the number of violations has a cap.

mod array;
mod compose;
mod enumeration;
mod equal;
mod format;
mod number;
mod object;
mod string;

use std::collections::{HashMap, HashSet};

mod alternative;

pub use alternative::alternative;

use serde_json::Value;

use crate::table::{Schema, Types};
use crate::violation::{Keyword, Location, Violation, push_token};

/// Which way a value goes: `readOnly` properties are not required of a
/// request, `writeOnly` ones have no place in a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From the caller.
    Request,
    /// To the caller.
    Response,
}

/// The most violations that one value is told.
const MOST_VIOLATIONS: usize = 100;

/// How deep schemas may be nested within each other.
const DEEPEST: usize = 512;

/// Everything that a value breaks of a schema, in the order of the value.
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
        // Only a schema that refers to itself in circles gets here.
        checker.fail(Keyword::Not, || "is not what is expected".to_owned());
    }
    checker.violations
}

/// Whether a value keeps a schema.
pub fn is_valid(schema: &Schema, value: &Value, direction: Direction) -> bool {
    let mut checker = Checker::new(direction, Location::Body, Mode::Probing);
    checker.visit(schema, value);
    !checker.failed
}

/// The value with its integers written as such: JSON Schema takes `1.0` for an
/// integer, the integers of most languages do not.
pub(crate) fn normalized(mut value: Value) -> Value {
    number::normalize(&mut value);
    value
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Only whether something fails; ends at the first failure.
    Probing,
    /// Every failure.
    Collecting,
}

/// A schema and a value, by where they are in memory: for as long as a check
/// lasts, neither moves.
type Pair = (*const Schema, *const Value);

enum Token<'v> {
    Key(&'v str),
    Index(usize),
}

struct Checker<'v> {
    direction: Direction,
    location: Location,
    mode: Mode,
    failed: bool,
    violations: Vec<Violation>,
    place: Vec<Token<'v>>,
    depth: usize,
    /// How many compositions the walk is within.
    composed: usize,
    /// What probing has found out below compositions; `true` while it is being
    /// found out.
    probed: HashMap<Pair, bool>,
    /// What has been collected below compositions.
    collected: HashSet<Pair>,
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
            composed: 0,
            probed: HashMap::new(),
            collected: HashSet::new(),
        }
    }

    /// A rule is broken at the present place.
    fn fail(&mut self, keyword: Keyword, message: impl FnOnce() -> String) {
        self.failed = true;
        if self.mode == Mode::Collecting && self.violations.len() < MOST_VIOLATIONS {
            let violation = Violation::new(self.location, self.pointer(None), keyword, message());
            self.violations.push(violation);
        }
    }

    /// A rule is broken at a property that need not be there.
    fn fail_at(&mut self, name: &str, keyword: Keyword, message: impl FnOnce() -> String) {
        self.failed = true;
        if self.mode == Mode::Collecting && self.violations.len() < MOST_VIOLATIONS {
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

    /// Whether nothing more is to be found out.
    fn is_done(&self) -> bool {
        match self.mode {
            Mode::Probing => self.failed,
            Mode::Collecting => self.violations.len() >= MOST_VIOLATIONS,
        }
    }

    /// A value within the present one.
    fn descend(&mut self, token: Token<'v>, schema: &Schema, value: &'v Value) {
        self.place.push(token);
        self.visit(schema, value);
        self.place.pop();
    }

    /// Whether a value keeps a schema, asked on the way.
    fn probe(&mut self, schema: &Schema, value: &'v Value) -> bool {
        let mode = std::mem::replace(&mut self.mode, Mode::Probing);
        let failed = std::mem::take(&mut self.failed);
        self.visit(schema, value);
        self.mode = mode;
        !std::mem::replace(&mut self.failed, failed)
    }

    /// Looks at a value under a schema.
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
                    // Probing ends at a failure: it was this pair's.
                    self.probed.insert(pair, !self.failed);
                }
            },
            Mode::Collecting => {
                if self.collected.insert(pair) {
                    self.enter(schema, value);
                } else {
                    // Its violations are there already.
                    self.failed |= self.probed.get(&pair).is_some_and(|valid| !valid);
                }
            }
        }
    }

    fn enter(&mut self, schema: &Schema, value: &'v Value) {
        if self.depth == DEEPEST {
            self.fail(Keyword::Depth, || "is nested too deeply".to_owned());
            return;
        }
        self.depth += 1;
        self.rules(schema, value);
        self.depth -= 1;
    }

    fn rules(&mut self, schema: &Schema, value: &'v Value) {
        if value.is_null() && schema.nullable {
            return;
        }
        if !admits(schema.types, value) {
            self.fail(Keyword::Type, || {
                let expected = names(schema.types, schema.nullable);
                format!("must be {expected}, and is {}", name_of(value))
            });
            // Nothing that holds for the type holds for another one.
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::table::{Additional, ArrayRules, ObjectRules, Property};

    fn told(schema: &Schema, value: &Value) -> Vec<(String, &'static str)> {
        check(schema, value, Direction::Request, Location::Body)
            .into_iter()
            .map(|violation| (violation.pointer, violation.keyword.as_str()))
            .collect()
    }

    const fn object(
        properties: &'static [Property],
        required: &'static [&'static str],
    ) -> ObjectRules {
        ObjectRules {
            properties,
            required,
            additional: Additional::Allowed,
            min_properties: None,
            max_properties: None,
        }
    }

    const fn property(name: &'static str, schema: &'static Schema) -> Property {
        Property {
            name,
            schema,
            read_only: false,
            write_only: false,
        }
    }

    static TEXT: Schema = Schema {
        types: Types::STRING,
        ..Schema::ANY
    };

    static NODE: Schema = Schema {
        pointer: "/components/schemas/Node",
        types: Types::OBJECT,
        one_of: &[&BRANCH, &LEAF],
        ..Schema::ANY
    };
    static BRANCH: Schema = Schema {
        pointer: "/components/schemas/Branch",
        types: Types::OBJECT,
        object: Some(&object(
            &[property("left", &NODE), property("right", &NODE)],
            &["left"],
        )),
        ..Schema::ANY
    };
    static LEAF: Schema = Schema {
        pointer: "/components/schemas/Leaf",
        types: Types::OBJECT,
        object: Some(&object(
            &[property("left", &NODE), property("text", &TEXT)],
            &["text"],
        )),
        ..Schema::ANY
    };

    #[test]
    fn a_recursive_alternative_costs_no_more_than_the_value() {
        // Both alternatives look into `left`: without a memory, 2 to the 100th.
        let mut value = json!({"text": 1});
        for _ in 0..100 {
            value = json!({"left": value});
        }
        let violations = check(&NODE, &value, Direction::Request, Location::Body);
        assert_eq!(violations.len(), 1);
        assert!(is_valid(
            &NODE,
            &json!({"left": {"text": "a"}}),
            Direction::Request
        ));
    }

    static CIRCLE: Schema = Schema {
        all_of: &[&CIRCLE],
        ..Schema::ANY
    };

    #[test]
    fn a_schema_that_is_itself_allows_everything() {
        assert_eq!(told(&CIRCLE, &json!({"a": 1})), []);
    }

    #[test]
    fn deep_nesting_fits_the_stack_of_a_worker_thread() {
        static LIST: Schema = Schema {
            all_of: &[&LIST_ITSELF],
            ..Schema::ANY
        };
        static LIST_ITSELF: Schema = Schema {
            types: Types::ARRAY,
            array: Some(&ArrayRules {
                items: Some(&LIST),
                min_items: None,
                max_items: None,
                unique: false,
            }),
            ..Schema::ANY
        };
        let check_nested = |depth| {
            let mut value = json!([]);
            for _ in 0..depth {
                value = json!([value]);
            }
            told(&LIST, &value)
        };
        let thread = std::thread::Builder::new().stack_size(2 << 20);
        let told = thread
            .spawn(move || (check_nested(126), check_nested(1000)))
            .unwrap()
            .join()
            .unwrap();
        assert_eq!(told.0, []);
        assert_eq!(told.1.len(), 1);
        assert_eq!(told.1[0].1, "depth");
    }

    static CAT: Schema = Schema {
        pointer: "/components/schemas/Cat",
        types: Types::OBJECT,
        object: Some(&object(
            &[
                property(
                    "kind",
                    &Schema {
                        enumeration: Some(&["\"cat\""]),
                        ..TEXT_ONLY
                    },
                ),
                property("name", &TEXT),
            ],
            &["kind", "name"],
        )),
        ..Schema::ANY
    };
    static DOG: Schema = Schema {
        pointer: "/components/schemas/Dog",
        types: Types::OBJECT,
        object: Some(&object(
            &[property(
                "kind",
                &Schema {
                    enumeration: Some(&["\"dog\""]),
                    ..TEXT_ONLY
                },
            )],
            &["kind"],
        )),
        ..Schema::ANY
    };
    const TEXT_ONLY: Schema = Schema {
        types: Types::STRING,
        ..Schema::ANY
    };
    static PET: Schema = Schema {
        one_of: &[&CAT, &DOG],
        ..Schema::ANY
    };
    static TAGGED: Schema = Schema {
        one_of: &[&CAT, &DOG],
        discriminator: Some(&crate::table::Discriminator {
            property: "kind",
            mapping: &[("cat", &CAT), ("dog", &DOG)],
        }),
        ..Schema::ANY
    };

    #[test]
    fn the_alternative_that_is_meant_tells_its_own_violations() {
        for schema in [&PET, &TAGGED] {
            let missing = json!({"kind": "cat"});
            assert_eq!(told(schema, &missing), [("/name".into(), "required")]);
            assert_eq!(told(schema, &json!({"kind": "dog", "name": 1})), []);
        }
        assert_eq!(
            told(&PET, &json!({"kind": "cow"})),
            [(String::new(), "oneOf")]
        );
        assert_eq!(
            told(&TAGGED, &json!({"kind": "cow"})),
            [("/kind".into(), "discriminator")]
        );
        assert_eq!(told(&TAGGED, &json!({})), [("/kind".into(), "required")]);
        let violations = check(&PET, &json!({}), Direction::Request, Location::Body);
        assert_eq!(
            violations[0].to_string(),
            "The body must be one of Cat, Dog"
        );
    }

    static ACCOUNT: Schema = Schema {
        types: Types::OBJECT,
        object: Some(&ObjectRules {
            properties: &[
                Property {
                    name: "id",
                    schema: &TEXT,
                    read_only: true,
                    write_only: false,
                },
                Property {
                    name: "password",
                    schema: &TEXT,
                    read_only: false,
                    write_only: true,
                },
            ],
            required: &["id", "password"],
            additional: Additional::Denied,
            min_properties: None,
            max_properties: None,
        }),
        ..Schema::ANY
    };

    #[test]
    fn properties_of_one_direction_are_required_in_it_and_secret_in_the_other() {
        let told = |value: &Value, direction| -> Vec<String> {
            check(&ACCOUNT, value, direction, Location::Body)
                .iter()
                .map(ToString::to_string)
                .collect()
        };
        assert_eq!(told(&json!({"password": "x"}), Direction::Request), [""; 0]);
        assert_eq!(told(&json!({"id": "x"}), Direction::Response), [""; 0]);
        assert_eq!(
            told(&json!({}), Direction::Request),
            ["password is required"]
        );
        assert_eq!(told(&json!({}), Direction::Response), ["id is required"]);
        assert_eq!(
            told(&json!({"id": "x", "password": "x"}), Direction::Response),
            ["password must not be in a response"]
        );
        assert_eq!(
            told(&json!({"password": 5, "more": 1}), Direction::Request),
            [
                "password must be a string, and is a number",
                "more is not a known property"
            ]
        );
    }

    #[test]
    fn the_number_of_violations_told_has_a_cap() {
        static TEXTS: Schema = Schema {
            types: Types::ARRAY,
            array: Some(&ArrayRules {
                items: Some(&TEXT),
                min_items: None,
                max_items: None,
                unique: false,
            }),
            ..Schema::ANY
        };
        assert_eq!(
            told(&TEXTS, &json!(vec![1; 100_000])).len(),
            MOST_VIOLATIONS
        );
    }
}
