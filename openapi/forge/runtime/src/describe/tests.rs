//! Schemas that dropshot would stumble over, written by dropshot.

use std::cell::RefCell;

use dropshot::{
    ApiDescription, ApiEndpoint, ApiEndpointVersions, HttpError, HttpResponseOk, StubContext,
    TypedBody,
};
use http::Method;
use schemars::JsonSchema;
use schemars::r#gen::SchemaGenerator;
use schemars::schema::Schema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::document::Document;
use super::schema::Projection;

thread_local! {
    static SCHEMA: RefCell<Schema> = const { RefCell::new(Schema::Bool(true)) };
}

/// Looks like whatever the thread says.
#[derive(Serialize, Deserialize)]
struct Chameleon;

impl JsonSchema for Chameleon {
    fn is_referenceable() -> bool {
        false
    }

    fn schema_name() -> String {
        "Chameleon".to_owned()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        SCHEMA.with_borrow(Schema::clone)
    }
}

/// A schema as dropshot writes it.
fn written(document: &Value, schema: &Value) -> Value {
    let document = Document::from_tree(document.clone());
    SCHEMA.set(Projection::new(&document).schema(schema));
    let mut description: ApiDescription<StubContext> = ApiDescription::new();
    type Body = (TypedBody<Chameleon>,);
    type Outcome = Result<HttpResponseOk<Chameleon>, HttpError>;
    let endpoint = ApiEndpoint::new_for_types::<Body, Outcome>(
        "x".to_owned(),
        Method::PUT,
        "application/json",
        "/x",
        ApiEndpointVersions::All,
    );
    description.register(endpoint).unwrap();
    let version = dropshot::semver::Version::new(1, 0, 0);
    let mut written = description.openapi("x", version).json().unwrap();
    let body = &mut written["paths"]["/x"]["put"]["requestBody"]["content"];
    let mut schema = body["application/json"]["schema"].take();
    if let Some(members) = schema.as_object_mut() {
        members.remove("title");
    }
    schema
}

#[test]
fn schemas_that_dropshot_has_words_for_are_written_as_they_are() {
    for schema in [
        json!({"type": "object", "description": "d", "required": ["a"], "properties": {
            "a": {"type": "string", "format": "date-time", "nullable": true, "readOnly": true},
            "b": {"type": "array", "items": {"$ref": "#/components/schemas/B"}, "uniqueItems": true, "minItems": 1},
            "c": {"type": "integer", "format": "int64", "minimum": 1, "maximum": 9, "exclusiveMaximum": true, "multipleOf": 2},
            "d": {"type": "string", "enum": ["x", "y"], "default": "x"},
        }, "additionalProperties": false, "maxProperties": 7}),
        json!({"oneOf": [{"type": "boolean"}, {"type": "number", "format": "double"}]}),
        json!({"not": {"type": "string", "pattern": "^a", "maxLength": 3}}),
        json!({"type": "object", "additionalProperties": {"type": "string"}, "x-note": {"a": 1}}),
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "allOf": [{"$ref": "#/components/schemas/B"}]}),
    ] {
        let document = json!({"components": {"schemas": {"B": {"type": "object"}}}});
        assert_eq!(written(&document, &schema), schema);
    }
}

#[test]
fn schemas_that_dropshot_stumbles_over_lose_a_word_and_no_more() {
    for (schema, expected) in [
        (json!({"type": "array"}), json!({"type": "array"})),
        (
            json!({"type": "string", "enum": ["a", 1]}),
            json!({"type": "string", "enum": ["a"]}),
        ),
        (
            json!({"type": "integer", "enum": [1.5, 2]}),
            json!({"type": "integer", "enum": [2]}),
        ),
        (
            json!({"type": "string", "enum": []}),
            json!({"type": "string"}),
        ),
        (
            json!({"anyOf": [{"type": "string"}], "oneOf": [{"type": "string"}]}),
            json!({"allOf": [{"anyOf": [{"type": "string"}]}, {"oneOf": [{"type": "string"}]}]}),
        ),
        (json!({"type": ["string", "null"]}), json!({})),
        (json!({"type": "file"}), json!({})),
        (json!({"$ref": "#/nowhere"}), json!({})),
        (json!({"$ref": "other.yaml"}), json!({})),
        (
            json!({"$ref": "#/components/schemas/A/properties/a"}),
            json!({"type": "boolean"}),
        ),
        (json!({"oneOf": []}), json!({})),
        (json!(null), json!({})),
    ] {
        let document = json!({"components": {"schemas": {
            "A": {"properties": {"a": {"type": "boolean"}}},
        }}});
        assert_eq!(written(&document, &schema), expected, "{schema}");
    }
}

#[test]
fn a_reference_to_itself_ends() {
    let document = json!({"a": {"$ref": "#/a"}, "b": {"type": "array", "items": {"$ref": "#/b"}}});
    assert_eq!(written(&document, &json!({"$ref": "#/a"})), json!({}));
    assert_eq!(written(&document, &json!({"$ref": "#/b"}))["type"], "array");
}
