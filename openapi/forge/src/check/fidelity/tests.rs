use serde_json::json;

use super::*;

fn document() -> Value {
    json!({
        "servers": [{"url": "{base}/api"}],
        "paths": {
            "/things/{id}": {
                "parameters": [{"$ref": "#/components/parameters/Id"}],
                "put": {
                    "operationId": "putThing",
                    "parameters": [
                        {"name": "X-Trace", "in": "header", "schema": {"type": "string"}},
                        {"name": "all", "in": "query", "schema": {"type": "array", "items": {}}},
                        {"name": "crumb", "in": "cookie", "schema": {"type": "string"}},
                    ],
                    "requestBody": {"content": {
                        "text/plain": {},
                        "application/merge-patch+json": {"schema": {"$ref": "#/components/schemas/Thing"}},
                    }},
                    "responses": {
                        "201": {"content": {"application/json;charset=utf-8": {"schema": {"$ref": "#/components/schemas/Thing"}}}},
                        "202": {},
                        "400": {},
                    },
                },
            },
            "/a%7Cb": {"get": {"operationId": "getPair", "responses": {"302": {}}}},
            "/fold/{x}": {"get": {"operationId": "foldX"}},
            "/fold/y": {"get": {"operationId": "foldY"}},
            "/fold/y/z": {"get": {"operationId": "foldZ"}},
            "/act/{x}:do": {"get": {"operationId": "act"}},
        },
        "components": {
            "parameters": {"Id": {"name": "id", "in": "path", "required": true, "schema": {"type": "integer", "minimum": 1}}},
            "schemas": {
                "Thing": {
                    "type": "object",
                    "description": "words",
                    "required": ["name"],
                    "properties": {
                        "name": {"type": "string", "maxLength": 9, "minimum": 3},
                        "next": {"$ref": "#/components/schemas/Thing"},
                        "tags": {"type": "array", "items": {"type": "string", "enum": ["b", "a", null], "nullable": true}},
                        "either": {"oneOf": [{"type": "string"}, {"type": "integer"}], "anyOf": [{}]},
                    },
                    "additionalProperties": true,
                },
            },
        },
    })
}

/// Dropshot's description of this document.
fn served() -> Value {
    let thing = |reference: &str| json!({"schema": {"$ref": reference}});
    let renamed = "#/components/schemas/area_Thing";
    json!({
        "paths": {
            "/api/things/{id}": {"put": {
                "operationId": "putThing",
                "parameters": [
                    {"name": "x-trace", "in": "header", "schema": {"type": "string"}},
                    {"name": "all", "in": "query", "schema": {"type": "string"}},
                    {"name": "id", "in": "path", "required": true, "schema": {"type": "integer", "minimum": 1.0}},
                ],
                "requestBody": {"content": {"application/json": thing(renamed)}, "required": true},
                "responses": {"201": {"content": {"application/json": thing(renamed)}}, "4XX": {}},
            }},
            "/api/a|b": {"get": {"operationId": "getPair", "responses": {"302": {}}}},
        },
        "components": {"schemas": {"area_Thing": {
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": {"type": "string", "maxLength": 9},
                "next": {"$ref": renamed},
                "tags": {"type": "array", "items": {"type": "string", "enum": ["a", "b"], "nullable": true}},
                "either": {"allOf": [{"anyOf": [{}]}, {"oneOf": [{"type": "string"}, {"type": "integer"}]}]},
            },
        }}},
    })
}

#[test]
fn what_dropshot_can_say_is_compared_and_what_it_cannot_is_listed() {
    let comparison = compare(&served(), &document());
    assert_eq!(comparison.infidelities, []);
    assert_eq!(comparison.compared, 2);
    let folded = ["/act/{x}:do", "/fold/y", "/fold/y/z", "/fold/{x}"];
    assert_eq!(
        comparison.folded,
        folded.map(|path| format!("GET /api{path}"))
    );
}

/// Defects of dropshot's description: a pointer, the new value there (null removes it), and a
/// part of the finding.
fn cases() -> Vec<(&'static str, Value, &'static str)> {
    let put = "/paths/~1api~1things~1{id}/put";
    let at = |rest: &str| -> &'static str { Box::leak(format!("{put}{rest}").into_boxed_str()) };
    let thing = "/components/schemas/area_Thing";
    let of_thing =
        |rest: &str| -> &'static str { Box::leak(format!("{thing}{rest}").into_boxed_str()) };
    vec![
        (
            "/paths/~1api~1a|b",
            Value::Null,
            "GET /api/a|b: is not served",
        ),
        (
            "/paths/~1api~1more",
            json!({"get": {}}),
            "GET /api/more: is served, and not in",
        ),
        (at("/operationId"), json!("other"), "is called"),
        (
            at("/parameters/0"),
            Value::Null,
            "header parameter `x-trace` is not taken",
        ),
        (
            at("/parameters/0/required"),
            json!(true),
            "`x-trace` is required on one side",
        ),
        (
            at("/parameters/3"),
            json!({"name": "b", "in": "query"}),
            "query parameter `b` is not in",
        ),
        (
            at("/parameters/2/schema/minimum"),
            json!(2),
            "path parameter `id`, at itself: `minimum` is 2.0, not 1.0",
        ),
        (at("/requestBody"), Value::Null, "does not take its body"),
        (
            at("/requestBody/content"),
            json!({"multipart/form-data": {}}),
            "as multipart/form-data, not as application/json",
        ),
        (at("/responses"), json!({"200": {}}), "answers 200, not 201"),
        (at("/responses"), json!({"default": {}}), "has no success"),
        (
            at("/responses/201/content/application~1json/schema"),
            json!({"type": "object"}),
            "the answer, at itself: `properties` is nothing",
        ),
        (
            of_thing("/properties/name/maxLength"),
            json!(8),
            "at /name: `maxLength` is 8, not 9",
        ),
        (
            of_thing("/properties/name/type"),
            json!("integer"),
            "at /name: `type`",
        ),
        (
            of_thing("/properties/name/format"),
            json!("uri"),
            "at /name: `format`",
        ),
        (
            of_thing("/required"),
            Value::Null,
            "`required` is nothing, not [\"name\"]",
        ),
        (
            of_thing("/properties/more"),
            json!({}),
            "`properties` is [\"either\",\"more\"",
        ),
        (
            of_thing("/additionalProperties"),
            json!(false),
            "`additionalProperties` is false",
        ),
        (
            of_thing("/properties/tags/items/enum"),
            json!(["a"]),
            "at /tags/*: `enum`",
        ),
        (
            of_thing("/properties/tags/items/nullable"),
            json!(false),
            "at /tags/*: `nullable`",
        ),
        (
            of_thing("/properties/either/allOf/1/oneOf/1/type"),
            json!("number"),
            "at /either(2): `type`",
        ),
        (
            of_thing("/properties/either/allOf/0"),
            json!({}),
            "at /either: `parts`",
        ),
    ]
}

/// Sets the value at a pointer, or removes it.
fn put(value: &mut Value, pointer: &str, new: Value) {
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
    let key = key.replace("~1", "/");
    match value.pointer_mut(parent).expect("a parent") {
        Value::Object(object) if new.is_null() => _ = object.remove(&key),
        Value::Object(object) => _ = object.insert(key, new),
        Value::Array(array) => {
            let index: usize = key.parse().expect("an index");
            if index < array.len() {
                array.remove(index);
            }
            if !new.is_null() {
                array.insert(index, new);
            }
        }
        other => panic!("{pointer} is in {other}"),
    }
}

#[test]
fn every_difference_is_reported() {
    for (pointer, new, expected) in cases() {
        let mut served = served();
        put(&mut served, pointer, new);
        let comparison = compare(&served, &document());
        let all: Vec<_> = comparison
            .infidelities
            .iter()
            .map(ToString::to_string)
            .collect();
        assert!(
            all.iter().any(|one| one.contains(expected)),
            "{pointer}: {expected:?} is not in {all:?}"
        );
    }
}
