//! A schema that becomes one of several alternatives, or the only one of them.

use super::*;

/// The classes of the changes between two schemas of requests, and of responses.
fn classes_of(old: &str, new: &str) -> [Vec<Class>; 2] {
    let request = |schema: &str| {
        let name = "{name: dry, in: query, schema: {type: boolean, default: false}}";
        changed(name, &format!("{{name: dry, in: query, schema: {schema}}}"))
    };
    let response = |schema: &str| with_kinds(schema, "{$ref: '#/components/schemas/Kind'}", "{}");
    let on_the_wire = |old: String, new: String| {
        let mut found = classes(&old, &new).0;
        found.retain(|class| *class != Documentation);
        found
    };
    [
        on_the_wire(request(old), request(new)),
        on_the_wire(response(old), response(new)),
    ]
}

#[test]
fn a_schema_that_becomes_one_of_several_allows_more() {
    let more = [vec![Additive], vec![BreaksClients]];
    let fewer = [vec![BreaksClients], vec![BreaksServers]];
    let none: [Vec<Class>; 2] = [vec![], vec![]];
    for keyword in ["oneOf", "anyOf"] {
        let one = "{type: string, description: One.}";
        let several = format!("{{{keyword}: [{{type: string}}, {{type: integer}}]}}");
        assert_eq!(classes_of(one, &several), more, "{keyword}");
        assert_eq!(classes_of(&several, one), fewer, "{keyword}");
        let single = format!("{{{keyword}: [{{type: string}}]}}");
        assert_eq!(classes_of("{type: string}", &single), none, "{keyword}");
        assert_eq!(classes_of(&single, &several), more, "{keyword}");
    }
    let one = "{oneOf: [{type: string}, {type: integer}]}";
    let any = "{anyOf: [{type: string}, {type: integer}]}";
    assert_eq!(classes_of(one, any), more);
    assert_eq!(classes_of(any, one), fewer);
}

#[test]
fn types_of_openapi_3_1_are_alternatives() {
    let with = |types: &str| {
        let text = with_kinds(
            &format!("{{type: {types}}}"),
            "{$ref: '#/components/schemas/Kind'}",
            "{}",
        );
        text.replace("3.0.3", "3.1.0")
    };
    let (one, both) = (with("string"), with("[string, integer]"));
    assert_eq!(
        breaking(&one, &both),
        ["in responses, the alternative {\"type\":\"integer\"} is new"]
    );
    assert_eq!(
        breaking(&both, &one),
        ["in responses, the alternative {\"type\":\"integer\"} was removed"]
    );
}

#[test]
fn a_component_may_become_one_of_several() {
    let kind = "{type: object, properties: {a: {type: string}}}";
    let plain = "{$ref: '#/components/schemas/Kind'}";
    let several = "{oneOf: [{$ref: '#/components/schemas/Kind'}, {type: string}]}";
    let (one, other) = (
        with_kinds(kind, plain, "{}"),
        with_kinds(&kind.replace("string", "integer"), several, "{}"),
    );
    let found = [
        "in responses, the alternative {\"type\":\"string\"} is new",
        "in responses, the type is integer, not string",
    ];
    assert_eq!(breaking(&one, &other), found);
}

#[test]
fn other_alternatives_are_another_schema() {
    let found = classes_of(
        "{type: string}",
        "{oneOf: [{type: boolean}, {type: integer}]}",
    );
    assert!(found[0].contains(&BreaksClients), "{found:?}");
    assert!(found[1].contains(&BreaksClients), "{found:?}");
}
