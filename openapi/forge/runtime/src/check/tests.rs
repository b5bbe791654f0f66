//! The walk as a whole: recursion, alternatives, directions and bounds.

use serde_json::json;

use super::checker::{Checker, Mode};
use super::*;
use crate::table::{Additional, ArrayRules, ObjectRules, Property, Schema, Types};
use crate::violation::Location;

fn broken_rules(schema: &Schema, value: &Value) -> Vec<(String, &'static str)> {
    check(schema, value, Direction::Request, Location::Body)
        .into_iter()
        .map(|violation| (violation.pointer, violation.keyword.as_str()))
        .collect()
}

const fn object(properties: &'static [Property], required: &'static [&'static str]) -> ObjectRules {
    ObjectRules {
        properties,
        required,
        ..ObjectRules::ANY
    }
}

const TEXT: Schema = Schema::of(Types::STRING, "");

static NODE: Schema =
    Schema::of(Types::OBJECT, "/components/schemas/Node").one_of(&[&BRANCH, &LEAF]);
static BRANCH: Schema = Schema::of(Types::OBJECT, "/components/schemas/Branch").object(&object(
    &[Property::of("left", &NODE), Property::of("right", &NODE)],
    &["left"],
));
static LEAF: Schema = Schema::of(Types::OBJECT, "/components/schemas/Leaf").object(&object(
    &[Property::of("left", &NODE), Property::of("text", &TEXT)],
    &["text"],
));

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

#[test]
fn the_elements_of_a_list_of_unions_leave_nothing_in_memory() {
    static NODES: Schema = Schema::of(Types::ARRAY, "").array(&ArrayRules {
        items: Some(&NODE),
        ..ArrayRules::ANY
    });
    let value = json!([{"text": "a"}, {"left": {"text": "b"}}, {"text": 1}]);
    for mode in [Mode::Probing, Mode::Collecting] {
        let mut checker = Checker::new(Direction::Request, Location::Body, mode);
        checker.visit(&NODES, &value);
        assert!(checker.failed);
        assert!(checker.probed.is_empty() && checker.collected.is_empty());
    }
}

static CIRCLE: Schema = Schema::ANY.all_of(&[&CIRCLE]);

#[test]
fn a_schema_that_is_itself_allows_everything() {
    assert_eq!(broken_rules(&CIRCLE, &json!({"a": 1})), []);
}

#[test]
fn deep_nesting_fits_the_stack_of_a_worker_thread() {
    static LIST: Schema = Schema::ANY.all_of(&[&LIST_ITSELF]);
    static LIST_ITSELF: Schema = Schema::of(Types::ARRAY, "").array(&ArrayRules {
        items: Some(&LIST),
        ..ArrayRules::ANY
    });
    let check_nested = |depth| {
        let mut value = json!([]);
        for _ in 0..depth {
            value = json!([value]);
        }
        broken_rules(&LIST, &value)
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20);
    let broken_rules = thread
        .spawn(move || (check_nested(126), check_nested(1000)))
        .unwrap()
        .join()
        .unwrap();
    assert_eq!(broken_rules.0, []);
    assert_eq!(broken_rules.1.len(), 1);
    assert_eq!(broken_rules.1[0].1, "depth");
}

static CAT: Schema = Schema::of(Types::OBJECT, "/components/schemas/Cat").object(&object(
    &[
        Property::of("kind", &TEXT.enumeration(&["\"cat\""])),
        Property::of("name", &TEXT),
    ],
    &["kind", "name"],
));
static DOG: Schema = Schema::of(Types::OBJECT, "/components/schemas/Dog").object(&object(
    &[Property::of("kind", &TEXT.enumeration(&["\"dog\""]))],
    &["kind"],
));
static PET: Schema = Schema::ANY.one_of(&[&CAT, &DOG]);
static TAGGED: Schema =
    Schema::ANY
        .one_of(&[&CAT, &DOG])
        .discriminator(&crate::table::Discriminator {
            property: "kind",
            mapping: &[("cat", &CAT), ("dog", &DOG)],
        });

#[test]
fn the_alternative_that_is_meant_tells_its_own_violations() {
    for schema in [&PET, &TAGGED] {
        let missing = json!({"kind": "cat"});
        assert_eq!(
            broken_rules(schema, &missing),
            [("/name".into(), "required")]
        );
        assert_eq!(broken_rules(schema, &json!({"kind": "dog", "name": 1})), []);
    }
    assert_eq!(
        broken_rules(&PET, &json!({"kind": "cow"})),
        [(String::new(), "oneOf")]
    );
    assert_eq!(
        broken_rules(&TAGGED, &json!({"kind": "cow"})),
        [("/kind".into(), "discriminator")]
    );
    assert_eq!(
        broken_rules(&TAGGED, &json!({})),
        [("/kind".into(), "required")]
    );
    let violations = check(&PET, &json!({}), Direction::Request, Location::Body);
    assert_eq!(
        violations[0].to_string(),
        "The body must be one of Cat, Dog"
    );
}

static ACCOUNT: Schema = Schema::of(Types::OBJECT, "").object(&ObjectRules {
    properties: &[
        Property::of("id", &TEXT).read_only(),
        Property::of("password", &TEXT).write_only(),
    ],
    required: &["id", "password"],
    additional: Additional::Denied,
    ..ObjectRules::ANY
});

#[test]
fn a_part_of_all_of_says_for_the_others_which_way_a_property_goes() {
    static NAMED: Schema = Schema::ANY.all_of(&[&PROPERTIES, &REQUIRED]);
    static PROPERTIES: Schema = Schema::ANY.object(&ObjectRules {
        properties: &[Property::of("id", &NESTED).read_only()],
        ..ObjectRules::ANY
    });
    static REQUIRED: Schema = Schema::ANY.object(&ObjectRules {
        required: &["id"],
        ..ObjectRules::ANY
    });
    static NESTED: Schema = Schema::ANY.all_of(&[&REQUIRED]);
    let broken_rules =
        |value: &Value, direction| check(&NAMED, value, direction, Location::Body).len();
    assert_eq!(broken_rules(&json!({}), Direction::Request), 0);
    assert_eq!(broken_rules(&json!({}), Direction::Response), 1);
    // What holds for an object does not hold for the objects in it.
    assert_eq!(broken_rules(&json!({"id": {}}), Direction::Request), 1);
}

#[test]
fn null_is_valid_only_where_the_enumeration_lists_it() {
    const RED: Schema = Schema::of(Types::STRING, "")
        .nullable()
        .enumeration(&["\"red\""]);
    static RED_OR_NULL: Schema = RED.enumeration(&["\"red\"", "null"]);
    for (schema, valid) in [(&RED, false), (&RED_OR_NULL, true)] {
        assert_eq!(is_valid(schema, &Value::Null, Direction::Request), valid);
        let violations = check(schema, &Value::Null, Direction::Request, Location::Body);
        assert_eq!(violations.is_empty(), valid);
    }
}

#[test]
fn properties_of_one_direction_are_required_in_it_and_secret_in_the_other() {
    let broken_rules = |value: &Value, direction| -> Vec<String> {
        check(&ACCOUNT, value, direction, Location::Body)
            .iter()
            .map(ToString::to_string)
            .collect()
    };
    assert_eq!(
        broken_rules(&json!({"password": "x"}), Direction::Request),
        [""; 0]
    );
    assert_eq!(
        broken_rules(&json!({"id": "x"}), Direction::Response),
        [""; 0]
    );
    assert_eq!(
        broken_rules(&json!({}), Direction::Request),
        ["password is required"]
    );
    assert_eq!(
        broken_rules(&json!({}), Direction::Response),
        ["id is required"]
    );
    assert_eq!(
        broken_rules(&json!({"id": "x", "password": "x"}), Direction::Response),
        ["password must not be in a response"]
    );
    assert_eq!(
        broken_rules(&json!({"password": 5, "more": 1}), Direction::Request),
        [
            "password must be a string, and is a number",
            "more is not a known property"
        ]
    );
}

#[test]
fn the_number_of_violations_told_has_a_cap() {
    static TEXTS: Schema = Schema::of(Types::ARRAY, "").array(&ArrayRules {
        items: Some(&TEXT),
        ..ArrayRules::ANY
    });
    assert_eq!(
        broken_rules(&TEXTS, &json!(vec![1; 100_000])).len(),
        MAX_VIOLATIONS
    );
}
