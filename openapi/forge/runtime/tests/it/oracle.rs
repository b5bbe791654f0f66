//! Checks against the `jsonschema` crate: random schemas and values, where both
//! must agree on what is valid, and on every place that is not.
//!
//! A schema of OpenAPI 3.0 becomes one of JSON Schema: `nullable` an
//! alternative, exclusive bounds numbers, `int32` and `int64` bounds.

use std::collections::BTreeSet;

use dropforge_runtime::check::{Direction, check, is_valid};
use dropforge_runtime::{Keyword, Location};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

use crate::lower::lower;

/// The schema in JSON Schema's words.
fn translate(schema: &Value) -> Value {
    let Value::Object(members) = schema else {
        return schema.clone();
    };
    let mut translated = Map::new();
    for (name, value) in members {
        let value = match name.as_str() {
            "nullable" | "exclusiveMinimum" | "exclusiveMaximum" => continue,
            "minimum" if members.contains_key("exclusiveMinimum") => {
                translated.insert("exclusiveMinimum".into(), value.clone());
                continue;
            }
            "maximum" if members.contains_key("exclusiveMaximum") => {
                translated.insert("exclusiveMaximum".into(), value.clone());
                continue;
            }
            "properties" => {
                let properties = value.as_object().unwrap().iter();
                properties
                    .map(|(name, schema)| (name.clone(), translate(schema)))
                    .collect()
            }
            "items" | "additionalProperties" | "not" => translate(value),
            "allOf" | "anyOf" | "oneOf" => {
                value.as_array().unwrap().iter().map(translate).collect()
            }
            _ => value.clone(),
        };
        translated.insert(name.clone(), value);
    }
    let range = match members.get("format").and_then(Value::as_str) {
        Some("int32") => Some(json!({"minimum": i32::MIN, "maximum": i32::MAX})),
        Some("int64") => Some(json!({"minimum": i64::MIN, "maximum": i64::MAX})),
        Some("uint32") => Some(json!({"minimum": 0, "maximum": u32::MAX})),
        Some("uint64") => Some(json!({"minimum": 0, "maximum": u64::MAX})),
        _ => None,
    };
    let mut translated = Value::Object(translated);
    if let Some(range) = range {
        translated = json!({"allOf": [translated, range]});
    }
    // An enumeration has to list `null`.
    let listed = members.get("enum").and_then(Value::as_array);
    let lists_null = listed.is_none_or(|values| values.contains(&Value::Null));
    match members.get("nullable") {
        Some(Value::Bool(true)) if lists_null => json!({"anyOf": [{"type": "null"}, translated]}),
        _ => translated,
    }
}

fn oracle(schema: &Value) -> jsonschema::Validator {
    jsonschema::options()
        .with_draft(jsonschema::Draft::Draft202012)
        .should_validate_formats(true)
        .build(&translate(schema))
        .unwrap()
}

const NAMES: [&str; 4] = ["a", "b", "c", "a/b~"];

const TEXTS: [&str; 24] = [
    "",
    "a",
    "ab",
    "abc",
    "é",
    "🦀🦀",
    "1",
    "true",
    "2026-11-21",
    "2026-02-30",
    "2026-11-21T10:00:00Z",
    "2026-11-21T10:00:00.5+02:00",
    "2026-11-21T10:00:61Z",
    "10:00:00Z",
    "10:00:60Z",
    "P1DT12H",
    "PT1D",
    "ana@example.com",
    "ana@@example.com",
    "https://example.com/a?b#c",
    "http://[::1/",
    "123e4567-e89b-12d3-a456-426614174000",
    "192.0.2.1",
    "2001:db8::1",
];

fn numbers() -> impl Strategy<Value = Value> {
    select(vec![
        json!(0),
        json!(1),
        json!(1.0),
        json!(-1),
        json!(2),
        json!(0.5),
        json!(0.3),
        json!(2.5),
        json!(-3.75),
        json!(7),
        json!(1e3),
        json!(i32::MAX),
        json!(i64::from(i32::MAX) + 1),
        json!(i64::MAX),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(1e15),
        json!(9_007_199_254_740_993_i64),
    ])
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        numbers(),
        select(TEXTS.to_vec()).prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((select(NAMES.to_vec()), inner), 0..4).prop_map(|members| {
                let members = members
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), value));
                Value::Object(members.collect())
            }),
        ]
    })
}

/// Some of the keywords, each with probability one half.
fn some(keywords: Vec<(&'static str, BoxedStrategy<Value>)>) -> BoxedStrategy<Value> {
    keywords
        .into_iter()
        .fold(Just(json!({})).boxed(), |schema, (name, value)| {
            (schema, proptest::option::of(value))
                .prop_map(move |(mut schema, value)| {
                    if let Some(value) = value {
                        schema[name] = value;
                    }
                    schema
                })
                .boxed()
        })
}

fn sizes() -> BoxedStrategy<Value> {
    (0_u64..4).prop_map(Value::from).boxed()
}

fn flag() -> BoxedStrategy<Value> {
    any::<bool>().prop_map(Value::from).boxed()
}

fn enums() -> BoxedStrategy<Value> {
    vec(values(), 1..4)
        .prop_map(|mut values| {
            let mut seen = BTreeSet::new();
            values.retain(|value| seen.insert(value.to_string()));
            Value::from(values)
        })
        .boxed()
}

fn merge(parts: &[&Value]) -> Value {
    let members = parts.iter().filter_map(|part| part.as_object());
    Value::Object(
        members
            .flatten()
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect(),
    )
}

fn bounds() -> BoxedStrategy<Value> {
    some(vec![
        ("minimum", numbers().boxed()),
        ("exclusiveMinimum", Just(json!(true)).boxed()),
        ("maximum", numbers().boxed()),
        ("exclusiveMaximum", Just(json!(true)).boxed()),
        (
            "multipleOf",
            select(vec![
                json!(1),
                json!(2),
                json!(3),
                json!(0.5),
                json!(0.1),
                json!(0.25),
            ])
            .boxed(),
        ),
    ])
    .prop_map(|mut bounds| {
        // An exclusive bound without the bound means nothing.
        for (bound, exclusive) in [
            ("minimum", "exclusiveMinimum"),
            ("maximum", "exclusiveMaximum"),
        ] {
            if bounds.get(bound).is_none() {
                bounds.as_object_mut().unwrap().remove(exclusive);
            }
        }
        bounds
    })
    .boxed()
}

fn scalars() -> BoxedStrategy<Value> {
    let nullable = || some(vec![("nullable", flag())]);
    let formats = select(vec![
        "date-time",
        "date",
        "time",
        "duration",
        "email",
        "uri",
        "uuid",
        "ipv4",
        "ipv6",
    ]);
    let string = some(vec![
        ("minLength", sizes()),
        ("maxLength", sizes()),
        (
            "pattern",
            select(vec!["^a", "b$", "^[a-z]*$", "\\d", "^.{2}$"])
                .prop_map(Value::from)
                .boxed(),
        ),
    ]);
    prop_oneof![
        Just(json!({})),
        (Just(json!({"type": "boolean"})), nullable()).prop_map(|(a, b)| merge(&[&a, &b])),
        (select(vec!["integer", "number"]), bounds(), nullable()).prop_map(
            |(kind, bounds, nullable)| { merge(&[&json!({"type": kind}), &bounds, &nullable]) }
        ),
        (
            select(vec!["int32", "int64", "uint32", "uint64"]),
            nullable()
        )
            .prop_map(|(format, nullable)| {
                merge(&[&json!({"type": "integer", "format": format}), &nullable])
            }),
        (string, nullable()).prop_map(|(rules, nullable)| {
            merge(&[&json!({"type": "string"}), &rules, &nullable])
        }),
        formats.prop_map(|format| json!({"type": "string", "format": format})),
        (enums(), nullable())
            .prop_map(|(values, nullable)| { merge(&[&json!({"enum": values}), &nullable]) }),
    ]
    .boxed()
}

fn structures(inner: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    let array = some(vec![
        ("items", inner.clone()),
        ("minItems", sizes()),
        ("maxItems", sizes()),
        ("uniqueItems", flag()),
        ("nullable", flag()),
    ]);
    let properties = vec((select(NAMES.to_vec()), inner.clone()), 0..4).prop_map(|members| {
        let members = members
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value));
        Value::Object(members.collect())
    });
    let required = proptest::sample::subsequence(NAMES.to_vec(), 0..3);
    let object = some(vec![
        ("properties", properties.boxed()),
        ("required", required.prop_map(Value::from).boxed()),
        ("additionalProperties", prop_oneof![flag(), inner].boxed()),
        ("minProperties", sizes()),
        ("maxProperties", sizes()),
        ("nullable", flag()),
    ]);
    prop_oneof![
        array.prop_map(|rules| merge(&[&json!({"type": "array"}), &rules])),
        object.prop_map(|rules| merge(&[&json!({"type": "object"}), &rules])),
    ]
    .boxed()
}

fn composed(inner: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    let several = || vec(inner.clone(), 1..4).prop_map(Value::from).boxed();
    prop_oneof![
        several().prop_map(|parts| json!({"allOf": parts})),
        several().prop_map(|parts| json!({"anyOf": parts})),
        several().prop_map(|parts| json!({"oneOf": parts})),
        inner.clone().prop_map(|part| json!({"not": part})),
        (
            structures(inner.clone()),
            several(),
            select(vec!["allOf", "anyOf", "oneOf"])
        )
            .prop_map(|(mut schema, parts, keyword)| {
                schema[keyword] = parts;
                schema
            }),
    ]
    .boxed()
}

fn plain_schemas() -> BoxedStrategy<Value> {
    scalars().prop_recursive(3, 12, 3, structures).boxed()
}

fn schemas() -> BoxedStrategy<Value> {
    scalars()
        .prop_recursive(4, 16, 3, |inner| {
            prop_oneof![structures(inner.clone()), composed(inner)].boxed()
        })
        .boxed()
}

proptest! {
    #![proptest_config(ProptestConfig {
        // More by PROPTEST_CASES.
        cases: ProptestConfig::default().cases.max(500),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn both_implementations_agree_on_what_is_valid(
        schema in schemas(),
        values in vec(values(), 1..8),
    ) {
        let oracle = oracle(&schema);
        let table = lower(&schema);
        for value in &values {
            let expected = oracle.is_valid(value);
            for direction in [Direction::Request, Direction::Response] {
                let valid = is_valid(table, value, direction);
                prop_assert_eq!(valid, expected, "{} under {}", value, schema);
                let violations = check(table, value, direction, Location::Body);
                prop_assert_eq!(violations.is_empty(), expected, "{:?}", violations);
            }
        }
    }

    #[test]
    fn every_violation_is_told_at_its_place(
        schema in plain_schemas(),
        values in vec(values(), 1..8),
    ) {
        let oracle = oracle(&schema);
        let table = lower(&schema);
        for value in &values {
            let ours: BTreeSet<String> = check(table, value, Direction::Request, Location::Body)
                .into_iter()
                .map(|violation| match violation.keyword {
                    // The other implementation tells these of the object.
                    Keyword::Required | Keyword::AdditionalProperties => {
                        violation.pointer.rsplit_once('/').unwrap().0.to_owned()
                    }
                    _ => violation.pointer,
                })
                .collect();
            let mut theirs = BTreeSet::new();
            for error in oracle.iter_errors(value) {
                places(&error, &mut theirs);
            }
            prop_assert_eq!(&ours, &theirs, "{} under {}", value, schema);
        }
    }
}

/// Where an error of the other implementation is: below the alternatives that
/// `nullable` was translated to, the place of what it wraps.
fn places(error: &jsonschema::ValidationError<'_>, places: &mut BTreeSet<String>) {
    if let jsonschema::error::ValidationErrorKind::AnyOf { context } = error.kind() {
        for error in context.get(1).into_iter().flatten() {
            self::places(error, places);
        }
    } else {
        places.insert(error.instance_path().to_string());
    }
}
