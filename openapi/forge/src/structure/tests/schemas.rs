//! Tests findings in schemas, and in examples and names.

use super::{after, document};
use crate::document::Severity;
use crate::structure::check;

/// The findings in a document: each code with the text that it points at.
fn findings(text: &str) -> Vec<(&'static str, String)> {
    let found = after(text);
    let found = found.iter();
    found
        .map(|one| (one.code, text[one.span.start..one.span.end].to_owned()))
        .collect()
}

/// The findings in the schema of a document: each code with the text that it points at.
fn in_schema(version: &str, schema: &str) -> Vec<(&'static str, String)> {
    let text = format!(
        "openapi: {version}\ninfo: {{title: T, version: '1'}}\npaths: {{}}\ncomponents:\n  \
         schemas: {{S: {schema}}}\n"
    );
    findings(&text)
}

#[test]
fn equal_numbers_are_one_value() {
    let twice = |values: &str| in_schema("3.0.3", &format!("{{enum: [{values}]}}"));
    assert_eq!(twice("1, 1.0"), [("repeated-value", "1.0".to_owned())]);
    assert_eq!(twice("0, -0.0"), [("repeated-value", "-0.0".to_owned())]);
    // Floats would not distinguish these.
    assert_eq!(twice("9007199254740992, 9007199254740993"), []);
    assert_eq!(twice("1, '1', true, [1]"), []);
    let listed = "{type: number, enum: [1, 2], default: 1.0}";
    assert_eq!(in_schema("3.0.3", listed), []);
}

#[test]
fn a_keyword_among_the_properties_is_noticed() {
    let among = |version, map: &str, name: &str, value: &str| {
        let found = in_schema(version, &format!("{{{map}: {{a: {{}}, {name}: {value}}}}}"));
        found.into_iter().map(|(code, _)| code).collect::<Vec<_>>()
    };
    for name in [
        "additionalProperties",
        "deprecated",
        "nullable",
        "readOnly",
        "required",
        "unevaluatedProperties",
        "writeOnly",
        "x-dropforge-secret",
    ] {
        for value in ["true", "false"] {
            assert_eq!(
                among("3.1.0", "properties", name, value),
                ["keyword-as-name"]
            );
            assert_eq!(among("3.0.3", "properties", name, value), ["wrong-type"]);
        }
        for version in ["3.0.3", "3.1.0"] {
            assert_eq!(among(version, "properties", name, "[a]"), ["wrong-type"]);
            assert_eq!(among(version, "properties", name, "{}"), [""; 0]);
        }
        assert_eq!(among("3.1.0", "$defs", name, "true"), ["keyword-as-name"]);
    }
    for name in ["const", "default", "items", "name", "not", "title", "type"] {
        assert_eq!(
            among("3.1.0", "properties", name, "true"),
            [""; 0],
            "{name}"
        );
    }
}

#[test]
fn a_misspelled_encoding_of_a_string_is_noticed() {
    let found = |keywords: &str| in_schema("3.1.0", &format!("{{type: string, {keywords}}}"));
    for (keywords, code, at) in [
        ("contentEncoding: bsae64", "unknown-encoding", "bsae64"),
        ("contentEncoding: gzip", "unknown-encoding", "gzip"),
        ("contentEncoding: Base32", "encoding-not-checked", "Base32"),
        ("contentEncoding: x-yenc", "encoding-not-checked", "x-yenc"),
        ("contentMediaType: json", "media-type", "json"),
        ("contentMediaType: image /png", "media-type", "image /png"),
        (
            "contentMediaType: application/josn",
            "media-type",
            "application/josn",
        ),
    ] {
        assert_eq!(found(keywords), [(code, at.to_owned())], "{keywords}");
    }
    for keywords in [
        "contentEncoding: base64",
        "contentEncoding: BASE64, contentMediaType: image/png",
        "contentEncoding: binary",
        "contentEncoding: base64url, pattern: '^[A-Za-z0-9_-]*$'",
        "contentMediaType: text/plain; charset=utf-8",
        "contentMediaType: application/vnd.a+cbor",
    ] {
        assert_eq!(found(keywords), [], "{keywords}");
    }
}

#[test]
fn the_name_of_an_event_is_a_property_of_the_events() {
    let codes = |event: &str, schema: &str| {
        let text = format!(
            "openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths:\n  /a:\n    get:\n      responses:\n        \
             '200':\n          description: d\n          content:\n            text/event-stream:\n              \
             x-dropforge-stream: {{event: {event}}}\n              schema: {schema}\ncomponents:\n  schemas:\n    \
             E: {{type: object, properties: {{type: {{type: string}}}}}}\n    F: {{type: object}}\n"
        );
        let found = after(&text);
        found.iter().map(|one| one.code).collect::<Vec<_>>()
    };
    const E: &str = "{$ref: '#/components/schemas/E'}";
    const F: &str = "{$ref: '#/components/schemas/F'}";
    let union = format!("{{oneOf: [{F}, {{allOf: [{E}]}}]}}");
    for schema in [E, &union] {
        assert_eq!(codes("type", schema), [""; 0], "{schema}");
        assert_eq!(codes("typ", schema), ["stream-event"], "{schema}");
    }
    assert_eq!(codes("typ", F), ["stream-event"]);
    assert_eq!(codes("typ", "{type: string}"), ["stream-event"]);
    let open = "{type: object, additionalProperties: {type: string}}";
    for schema in ["{}", "{description: Any event.}", open] {
        assert_eq!(codes("typ", schema), [""; 0], "{schema}");
    }
}

#[test]
fn a_misspelled_name_that_an_open_schema_requires_is_noticed() {
    let found = |required: &str, keywords: &str| {
        let found = in_schema(
            "3.1.0",
            &format!("{{type: object, required: [{required}], {keywords}}}"),
        );
        let found = found.into_iter();
        let of_required = found.filter(|(code, _)| *code == "required-without-property");
        of_required.map(|(_, text)| text).collect::<Vec<_>>()
    };
    const OPEN: &str = "additionalProperties: true, properties: {name: {}, id: {}}";
    assert_eq!(found("naem", OPEN), ["naem"]);
    assert_eq!(found("naem, ID", OPEN), ["naem", "ID"]);
    for required in ["any", "ip", "name, naem", "member"] {
        assert_eq!(found(required, OPEN), [""; 0], "{required}");
    }
    let in_part = format!("{OPEN}, allOf: [{{properties: {{naem: {{}}}}}}]");
    assert_eq!(found("naem", &in_part), [""; 0]);
    let by_pattern = format!("{OPEN}, patternProperties: {{'^n': {{}}}}");
    assert_eq!(found("naem", &by_pattern), [""; 0]);
}

#[test]
fn a_closed_schema_excludes_the_properties_of_its_parts() {
    let found = |additional: &str, own: &str, part: &str| {
        in_schema(
            "3.0.3",
            &format!(
                "{{type: object, additionalProperties: {additional}, properties: {{{own}}}, \
                 allOf: [{{oneOf: [{{type: object, {part}}}]}}]}}"
            ),
        )
    };
    let part = "required: [b], properties: {a: {}, b: {}}";
    for own in ["", "a: {}", "c: {}"] {
        let excluded = [("excluded-property", "additionalProperties".to_owned())];
        assert_eq!(found("false", own, part), excluded, "{own}");
    }
    assert_eq!(found("true", "", part), []);
    assert_eq!(found("{}", "", part), []);
    assert_eq!(found("false", "a: {}, b: {}", part), []);
    assert_eq!(found("false", "", "minProperties: 1"), []);
}

#[test]
fn types_that_exclude_each_other_are_noticed() {
    let found = |version: &str, schema: &str| {
        let found = in_schema(version, schema).into_iter();
        let of_types = found.filter(|(code, _)| *code == "contradicting-types");
        of_types.map(|(_, text)| text).collect::<Vec<_>>()
    };
    let string = ["{type: string}"];
    assert_eq!(
        found("3.0.3", "{type: object, allOf: [{type: string}]}"),
        string
    );
    assert_eq!(
        found("3.0.3", "{allOf: [{type: integer}, {}, {type: string}]}"),
        string
    );
    assert_eq!(
        found(
            "3.1.0",
            "{type: ['null', object], allOf: [{type: string}, {type: object}]}"
        ),
        string
    );
    for schema in [
        "{type: number, allOf: [{type: integer}]}",
        "{type: object, allOf: [{description: Any.}]}",
        "{type: object, nullable: true, allOf: [{type: string, nullable: true}]}",
        "{type: object, oneOf: [{type: string}]}",
    ] {
        assert_eq!(found("3.0.3", schema), [""; 0], "{schema}");
    }
    let several = "{type: [string, integer], allOf: [{type: [integer, boolean]}]}";
    assert_eq!(found("3.1.0", several), [""; 0]);
}

#[test]
fn an_example_that_is_a_reference_is_noticed() {
    let codes = |example: &str| {
        let parameter = format!("{{name: a, in: query, schema: {{}}, example: {example}}}");
        let keys = format!("parameters: [{parameter}],");
        let found = check(&document(&keys, "token: {type: http, scheme: bearer}"));
        found.iter().map(|one| one.code).collect::<Vec<_>>()
    };
    for reference in [
        "#/components/examples/A",
        "common.yaml#/components/examples/A",
        "a.json",
    ] {
        let example = format!("{{$ref: '{reference}'}}");
        assert_eq!(codes(&example), ["example-reference"], "{reference}");
    }
    for example in [
        "{$ref: a}",
        "{$ref: 5}",
        "{$ref: '#/components/schemas/A', title: A}",
        "'#/components/examples/A'",
    ] {
        assert_eq!(codes(example), [""; 0], "{example}");
    }
    let schema = "{type: object, example: {$ref: '#/components/schemas/A'}}";
    assert_eq!(in_schema("3.1.0", schema), []);
}

#[test]
fn stray_characters_of_a_value_are_noticed() {
    let codes = |value: &str| {
        let found = in_schema("3.0.3", &format!("{{type: string, enum: [{value}]}}"));
        found.into_iter().map(|(code, _)| code).collect::<Vec<_>>()
    };
    for value in [
        "'open,'",
        "'open;'",
        "'open\"'",
        "\"'open\"",
        "“open”",
        "‘open’",
        "open’",
        r#""open\u00a0""#,
        r#""\ufeffopen""#,
        r#""New\u00a0York""#,
        r#""a\u200b""#,
        "“users’",
        "user'",
        "«open",
        "' open'",
        r#""st\u043ere""#,
        "'open '",
        r#""«\u00a0a\u00a0b\u00a0»""#,
    ] {
        assert_eq!(codes(value), ["stray-character"], "{value}");
    }
    for value in [
        "','",
        "';'",
        "'a,b'",
        "'one, two,'",
        "'\"'",
        "'\"open\"'",
        r#""\u043e API""#,
        r#""\u03bcs""#,
        "\"5'\"",
        "\"x'\"",
        "‘Adan",
        "O’Neill",
        "users'",
        "users’",
        "the users’ list of ‘names’",
        "say “yes” or “no”",
        "“yes” and “no”",
        "«open»",
        "« open »",
        r#""«\u00a0open\u00a0»""#,
        r#""Quoi\u00a0?""#,
        "' '",
        r#""\u00a0""#,
        r#""\u2764\u200d""#,
    ] {
        assert_eq!(codes(value), [""; 0], "{value}");
    }
}

#[test]
fn stray_characters_of_names_are_noticed() {
    let codes = |keys: &str| {
        let found = check(&document(keys, "token: {type: http, scheme: bearer}"));
        found.iter().map(|one| one.code).collect::<Vec<_>>()
    };
    let parameter = |name: &str, place: &str| {
        let schema = "schema: {type: string}";
        codes(&format!(
            "parameters: [{{name: {name}, in: {place}, {schema}}}],"
        ))
    };
    assert_eq!(codes("tags: ['Things,'],"), ["stray-character"]);
    assert_eq!(parameter("'page,'", "query"), ["stray-character"]);
    for name in ["'page '", "'page?'", "page=", "<page>", "'{page}'"] {
        assert_eq!(parameter(name, "query"), ["stray-character"], "{name}");
    }
    for name in ["'page[]'", "'filter[a]'", "$filter", "'a:b'", "'<'"] {
        assert_eq!(parameter(name, "query"), [""; 0], "{name}");
    }
    assert_eq!(parameter("\"X-Page'\"", "header"), ["stray-character"]);
    assert_eq!(parameter("'filter[name]'", "query"), [""; 0]);
    // The lowering rejects this name.
    assert_eq!(parameter("'X-Page,'", "header"), [""; 0]);
    let required = "{type: object, required: ['name,'], additionalProperties: {}}";
    let found = in_schema("3.0.3", required);
    assert_eq!(found, [("stray-character", "'name,'".to_owned())]);
}

/// The findings in a document with `Pet`, which is a `Cat` or a `Dog`.
fn in_union(mapping: &str, kind_of_cat: &str) -> Vec<(&'static str, String)> {
    let text = format!(
        "openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths: {{}}\ncomponents:\n  schemas:\n    Pet:\n      \
         oneOf: [{{$ref: '#/components/schemas/Cat'}}, {{$ref: '#/components/schemas/Dog'}}]\n      \
         discriminator: {{propertyName: kind, {mapping}}}\n    \
         Cat: {{type: object, required: [kind], properties: {{kind: {kind_of_cat}}}}}\n    \
         Dog: {{allOf: [{{$ref: '#/components/schemas/Barks'}}, {{type: object, required: [kind]}}]}}\n    \
         Barks: {{type: object, properties: {{kind: {{type: string, enum: [dog, Dog]}}}}}}\n    \
         Kind: {{type: string, enum: [cat, tiger]}}\n"
    );
    findings(&text)
}

#[test]
fn the_value_of_a_discriminator_is_one_of_its_property() {
    const CODE: &str = "discriminator-value";
    for kind in [
        "{type: string, enum: [cat]}",
        "{$ref: '#/components/schemas/Kind'}",
        "{allOf: [{$ref: '#/components/schemas/Kind'}]}",
    ] {
        let mapping = "mapping: {cta: '#/components/schemas/Cat', dog: Dog}";
        assert_eq!(
            in_union(mapping, kind),
            [(CODE, "cta".to_owned())],
            "{kind}"
        );
        let mapping = "mapping: {cat: Cat, doc: Dog}";
        assert_eq!(
            in_union(mapping, kind),
            [(CODE, "doc".to_owned())],
            "{kind}"
        );
        let of_name = "{$ref: '#/components/schemas/Cat'}".to_owned();
        assert_eq!(in_union("", kind), [(CODE, of_name)], "{kind}");
        assert_eq!(in_union("mapping: {cat: Cat}", kind), [], "{kind}");
    }
    for kind in [
        "{type: string}",
        "{type: string, enum: [cat, Cat]}",
        "{type: string, x-extensible-enum: [lion]}",
    ] {
        assert_eq!(in_union("", kind), [], "{kind}");
        assert_eq!(in_union("mapping: {cat: Cat}", kind), [], "{kind}");
    }
}

#[test]
fn the_value_of_a_discriminator_is_a_string() {
    let kind = || "kind".to_owned();
    for type_of_kind in ["integer", "boolean", "array, items: {}"] {
        let cat = format!("{{type: {type_of_kind}}}");
        assert_eq!(in_union("", &cat), [("discriminator-property", kind())]);
    }
    assert_eq!(in_union("", "{}"), []);
}

#[test]
fn a_property_with_the_name_of_a_keyword_has_the_properties_of_its_own_parts() {
    let part = "{type: object, properties: {a: {type: string}}}";
    let property = format!("{{type: object, allOf: [{part}], required: [a]}}");
    for name in ["not", "then", "a"] {
        let schema = format!("{{type: object, properties: {{{name}: {property}}}}}");
        assert_eq!(in_schema("3.0.3", &schema), [], "{name}");
    }
}

/// JSON Schema 2020-12 allows unknown keywords, also those that resemble others.
#[test]
fn a_schema_of_3_1_may_have_other_keywords() {
    for (version, key, severity) in [
        ("3.0.3", "min_items", Severity::Error),
        ("3.1.0", "min_items", Severity::Warning),
        ("3.1.0", "$reff", Severity::Error),
    ] {
        let text = format!(
            "openapi: {version}\ninfo: {{title: T, version: '1'}}\npaths: {{}}\ncomponents: {{schemas: {{S: {{{key}: 2}}}}}}\n"
        );
        let found = after(&text);
        let found: Vec<_> = found.iter().map(|one| (one.code, one.severity)).collect();
        assert_eq!(found, [("unknown-key", severity)], "{version} {key}");
    }
}
