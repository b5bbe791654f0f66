use serde_json::{Value, json};

use crate::document::{Document, Severity};

/// A document of OpenAPI 3.1 with the component `S` beside another one.
fn document(schema: &str) -> Document {
    let text = format!(
        "openapi: 3.1.0\ninfo: {{title: T, version: '1'}}\ncomponents:\n  schemas:\n    Other: {{type: string}}\n    S: {schema}\n"
    );
    Document::load("t.yaml", &text).expect("YAML")
}

fn rewritten(schema: &str) -> Value {
    let document = document(schema);
    document.at("/components/schemas/S").expect("S").to_json()
}

/// Schemas of 3.1, each with its form of 3.0 in JSON.
const FORMS: &str = r##"
{type: [string, 'null'], maxLength: 3}
  {"type": "string", "maxLength": 3, "nullable": true}
{type: 'null'}
  {"enum": [null], "nullable": true}
{type: [string]}
  {"type": "string"}
{type: [integer, number]}
  {"type": "number"}
{type: [string, integer], maxLength: 3, minimum: 1, description: d}
  {"description": "d", "anyOf": [{"type": "string", "maxLength": 3}, {"type": "integer", "minimum": 1}]}
{type: [string, integer, 'null'], enum: [a, 1, null]}
  {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "integer", "enum": [1]}], "nullable": true}
{type: [string, integer, 'null'], enum: [a, 1]}
  {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "integer", "enum": [1]}]}
{type: [string, integer], enum: [a, 1, null]}
  {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "integer", "enum": [1]}]}
{type: [string, integer, 'null'], enum: [a, null]}
  {"type": "string", "enum": ["a", null], "nullable": true}
{type: [string, integer, 'null'], enum: [null]}
  {"enum": [null], "nullable": true}
{type: [array, boolean, number, object, string, 'null']}
  {"nullable": true}
{type: [string, 'null'], enum: [a, null]}
  {"type": "string", "enum": ["a", null], "nullable": true}
{type: [string, 'null'], enum: [a]}
  {"type": "string", "enum": ["a"]}
{anyOf: [{$ref: '#/components/schemas/Other'}, {type: 'null'}]}
  {"allOf": [{"$ref": "#/components/schemas/Other"}], "nullable": true}
{oneOf: [{type: integer, minimum: 1}, {type: 'null'}], description: d}
  {"description": "d", "type": "integer", "minimum": 1, "nullable": true}
{anyOf: [{type: string, enum: [a]}, {type: 'null'}]}
  {"type": "string", "enum": ["a", null], "nullable": true}
{oneOf: [{type: integer}, {$ref: '#/components/schemas/Other'}, {const: null}]}
  {"oneOf": [{"type": "integer"}, {"$ref": "#/components/schemas/Other"}], "nullable": true}
{type: string, anyOf: [{minLength: 1}, {type: 'null'}]}
  {"type": "string", "allOf": [{"minLength": 1}]}
{const: a}
  {"enum": ["a"]}
{const: a, enum: [a, b]}
  {"enum": ["a"]}
{const: 1, enum: [1.0, 2.0]}
  {"enum": [1]}
{type: string, enum: []}
  {"type": "string", "not": {}}
{type: [string, 'null'], enum: []}
  {"type": "string", "not": {}}
{type: 'null', enum: [], nullable: true}
  {"not": {}}
{type: [string, integer], enum: [true]}
  {"not": {}}
{const: a, x-extensible-enum: [a, b]}
  {"enum": ["a"]}
{exclusiveMinimum: 1, maximum: 9, exclusiveMaximum: 9}
  {"minimum": 1, "exclusiveMinimum": true, "maximum": 9, "exclusiveMaximum": true}
{minimum: 5, exclusiveMinimum: 1}
  {"minimum": 5}
{$ref: '#/components/schemas/Other', description: d}
  {"description": "d", "allOf": [{"$ref": "#/components/schemas/Other"}]}
{$ref: '#/components/schemas/Other', $comment: c}
  {"$ref": "#/components/schemas/Other"}
{type: string, examples: [a, b]}
  {"type": "string", "examples": ["a", "b"]}
{anyOf: [{type: integer}, {type: 'null'}], examples: [1]}
  {"examples": [1], "type": "integer", "nullable": true}
{type: string, contentEncoding: base64, contentMediaType: image/png}
  {"type": "string", "format": "byte"}
{type: string, contentMediaType: image/png}
  {"type": "string", "format": "binary"}
{type: string, contentMediaType: application/json}
  {"type": "string"}
{type: string, contentMediaType: application/jwt}
  {"type": "string"}
{properties: {a: true, b: false}}
  {"properties": {"a": {}, "b": {"not": {}}}}
{type: object, propertyNames: {type: string}}
  {"type": "object"}
{type: object, unevaluatedProperties: false}
  {"type": "object", "additionalProperties": false}
{$schema: s, $id: i, $anchor: a, $comment: c, type: string}
  {"type": "string"}
{prefixItems: [{type: string}, {type: integer}], items: false}
  {"items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}, "maxItems": 2}
{prefixItems: [{type: string}]}
  {"items": {}}
{items: false}
  {"items": {}, "maxItems": 0}
{patternProperties: {'^x': {type: string}}, additionalProperties: false}
  {"additionalProperties": {"type": "string"}}
# The properties of the patterns are evaluated.
{patternProperties: {'^x': {type: string}}, unevaluatedProperties: false}
  {"additionalProperties": {"type": "string"}}
{patternProperties: {'^x': {type: string}}, unevaluatedProperties: {type: integer}}
  {"additionalProperties": {"anyOf": [{"type": "string"}, {"type": "integer"}]}}
{prefixItems: [{type: string}], unevaluatedItems: false}
  {"items": {"type": "string"}, "maxItems": 1}
# The third item may be valid for the other schema.
{prefixItems: [{type: string}], unevaluatedItems: false, allOf: [{maxItems: 3}]}
  {"items": {}, "allOf": [{"maxItems": 3}]}
"##;

#[test]
fn each_form_of_3_1_has_its_form_of_3_0() {
    let lines: Vec<&str> = FORMS
        .lines()
        .skip(1)
        .filter(|line| !line.starts_with('#'))
        .collect();
    for case in lines.chunks(2) {
        let [written, expected] = case else {
            panic!("{case:?}")
        };
        let expected: Value = serde_json::from_str(expected).expect("JSON");
        assert_eq!(rewritten(written), expected, "{written}");
    }
}

#[test]
fn the_root_is_rewritten_and_its_own_text_is_kept() {
    let document = Document::load(
        "t.yaml",
        "openapi: 3.1.0\n\
         info: {title: T, version: '1', summary: s, license: {name: n, identifier: MIT}}\n\
         jsonSchemaDialect: https://spec.openapis.org/oas/3.1/dialect/base\n\
         webhooks: {a: {post: {}}}\n\
         paths:\n  /a:\n    get: {operationId: a}\n",
    )
    .expect("YAML");
    let root = document.to_json();
    assert_eq!(root["openapi"], "3.0.3");
    assert_eq!(root["info"]["license"], json!({"name": "n"}));
    assert_eq!(
        root["paths"]["/a"]["get"]["responses"]["default"]["description"],
        "Any response."
    );
    assert!(root.get("webhooks").is_none() && root.get("jsonSchemaDialect").is_none());
    let findings = crate::structure::check(&document);
    let codes: Vec<_> = findings.iter().map(|one| one.code).collect();
    assert_eq!(codes, ["ignored-key"]);
    let published = crate::publish::json(&document);
    assert_eq!(published["openapi"], "3.1.0");
    assert!(published.get("webhooks").is_some());
}

#[test]
fn a_document_of_webhooks_alone_generates() {
    let document = Document::load(
        "t.yaml",
        "openapi: 3.1.0\ninfo: {title: T, version: '1'}\nwebhooks: {a: {post: {}}}\n",
    )
    .expect("YAML");
    assert!(crate::generate_server(&document, "t").is_ok());
}

#[test]
fn keywords_that_are_not_checked_have_a_warning_at_their_place() {
    for keyword in [
        "if: {required: [a]}",
        "then: {required: [a]}",
        "else: {required: [a]}",
        "contains: {type: string}",
        "dependentRequired: {a: [b]}",
        "dependentSchemas: {a: {required: [b]}}",
        "patternProperties: {'^x': {type: string}}",
        "prefixItems: [{type: string}]",
        "propertyNames: {pattern: '^a'}",
        "unevaluatedItems: false",
    ] {
        let document = document(&format!("{{{keyword}}}"));
        let findings = &document.findings;
        assert_eq!(findings.len(), 1, "{keyword}");
        assert_eq!(findings.0[0].code, "keyword-not-checked", "{keyword}");
        assert_eq!(
            document.source.line_column(findings.0[0].span.start),
            (6, 9),
            "{keyword}"
        );
    }
}

#[test]
fn keywords_that_cannot_be_left_out_are_refused() {
    let document = self::document("{not: {if: {required: [a]}}}");
    let finding = &document.findings.0[0];
    assert_eq!(finding.code, "unsupported-keyword");
    assert_eq!(finding.severity, Severity::Error);
    let refused = crate::generate_server(&document, "t").expect_err("`if` inside `not`");
    assert!(refused.iter().any(|one| one == finding));
    // With a double negation, the server only accepts more.
    assert!(
        !self::document("{not: {not: {if: {required: [a]}}}}")
            .findings
            .has_errors()
    );
}

#[test]
fn the_expressions_for_names_of_properties_are_checked() {
    for (schema, wrong) in [
        ("{patternProperties: {'^(a': {type: string}}}", "'^(a'"),
        ("{propertyNames: {pattern: '[b'}}", "'[b'"),
        ("{items: {propertyNames: {pattern: 'a{2,1}'}}}", "'a{2,1}'"),
    ] {
        let document = document(schema);
        let mut findings = document.findings.iter();
        let finding = findings.find(|one| one.code == "pattern");
        let finding = finding.expect(schema);
        assert_eq!(finding.severity, Severity::Error, "{schema}");
        let written = document.source.text_of(finding.span);
        assert_eq!(written, Some(wrong), "{schema}");
    }
    for schema in [
        r"{patternProperties: {'^\d+$': {type: string}, '(?<a>b)': {}}}",
        "{propertyNames: {pattern: '^[a-z]+$'}}",
        "{properties: {propertyNames: {type: string}, patternProperties: {pattern: '(a)'}}}",
        "{example: {propertyNames: {pattern: '('}}}",
    ] {
        let findings = document(schema).findings;
        assert!(findings.iter().all(|one| one.code != "pattern"), "{schema}");
    }
}

#[test]
fn nullable_is_honored_and_warned_of_once() {
    let document =
        document("{properties: {a: {type: string, nullable: true}, b: {nullable: true}}}");
    let findings: Vec<_> = document
        .findings
        .iter()
        .map(|one| one.message.as_str())
        .collect();
    assert_eq!(
        findings,
        ["`nullable` is a keyword of OpenAPI 3.0, here and in one more place: it is honored"]
    );
    let a = document
        .at("/components/schemas/S/properties/a")
        .expect("a");
    assert_eq!(a.to_json()["nullable"], true);
}

#[test]
fn a_flag_of_an_exclusive_bound_is_honored_and_warned_of_once() {
    let schema =
        "{type: number, minimum: 3, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: true}";
    let document = document(schema);
    let findings = document.findings.iter();
    let messages: Vec<_> = findings.map(|one| one.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "an exclusive bound of true or false is of OpenAPI 3.0, here and in one more place: it is honored"
        ]
    );
    let schema = document.at("/components/schemas/S").expect("S").to_json();
    assert_eq!(schema["exclusiveMinimum"], true);
    assert_eq!(schema["minimum"], 3);
}

#[test]
fn a_constant_in_3_0_is_an_enum_with_a_warning() {
    let document = Document::load(
        "t.yaml",
        "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {}\ncomponents: {schemas: {S: {const: a}}}\n",
    )
    .expect("YAML");
    assert_eq!(
        document.at("/components/schemas/S").expect("S").to_json(),
        json!({"enum": ["a"]})
    );
    assert_eq!(document.findings.0[0].code, "newer-keyword");
    assert!(document.written.is_none());
}

#[test]
fn a_constant_that_the_values_beside_it_lack_is_an_error() {
    for version in ["3.0.3", "3.1.0"] {
        for key in ["enum", "x-extensible-enum"] {
            let text = format!(
                "openapi: {version}\ninfo: {{title: T, version: '1'}}\npaths: {{}}\ncomponents: {{schemas: {{S: {{const: c, {key}: [a, b]}}}}}}\n"
            );
            let document = Document::load("t.yaml", &text).expect("YAML");
            let mut findings = document.findings.iter();
            let finding = findings
                .find(|one| one.code == "const-not-in-enum")
                .expect("an error");
            assert_eq!(finding.severity, Severity::Error);
            assert_eq!(&text[finding.span.start..finding.span.end], "c");
            let related = finding.related[0].0;
            assert_eq!(&text[related.start..related.end], key);
            assert!(crate::generate_server(&document, "t").is_err());
        }
    }
}

#[test]
fn definitions_become_components_and_names_become_pointers() {
    let written = "{$id: 'https://example.com/s', $defs: {Other: {type: integer}, Named: {$anchor: n, type: boolean}}, \
         properties: {a: {$ref: '#/$defs/Other'}, b: {$ref: '#n'}, c: {$ref: 'https://example.com/s'}}}";
    let document = document(written);
    let root = document.to_json();
    let schemas = &root["components"]["schemas"];
    assert_eq!(schemas["S_Other"], json!({"type": "integer"}));
    assert_eq!(schemas["Named"], json!({"type": "boolean"}));
    assert_eq!(
        schemas["S"]["properties"],
        json!({
            "a": {"$ref": "#/components/schemas/S_Other"},
            "b": {"$ref": "#/components/schemas/Named"},
            "c": {"$ref": "#/components/schemas/S"},
        })
    );
}

#[test]
fn a_parameter_keeps_the_description_beside_its_reference() {
    let document = Document::load(
        "t.yaml",
        "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  /a:\n    get:\n      \
         parameters: [{$ref: '#/components/parameters/P', description: mine}]\n\
         components: {parameters: {P: {name: p, in: query, description: shared, schema: {type: string}}}}\n",
    )
    .expect("YAML");
    let parameter = document
        .at("/paths/~1a/get/parameters/0")
        .expect("a parameter");
    assert_eq!(parameter.to_json()["description"], "mine");
    assert_eq!(parameter.to_json()["name"], "p");
}

#[test]
fn an_unknown_dialect_of_json_schema_is_warned_of() {
    let document = Document::load(
        "t.yaml",
        "openapi: 3.1.0\ninfo: {title: T, version: '1'}\njsonSchemaDialect: https://json-schema.org/draft-07/schema\n",
    )
    .expect("YAML");
    let finding = &document.findings.0[0];
    assert_eq!(finding.code, "schema-dialect");
    assert_eq!(finding.severity, Severity::Warning);
}
