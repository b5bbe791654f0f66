//! Tests accepted documents, and the parsing of requirements. `tests/negative` has a
//! document for each rejection.

mod schemas;

use super::*;
use crate::document::{Document, Severity};

fn document(operation: &str, schemes: &str) -> Document {
    let text = format!(
        "openapi: 3.0.3\n\
         info: {{title: T, version: '1'}}\n\
         security: [{{token: []}}]\n\
         paths: {{/a: {{get: {{{operation} responses: {{'204': {{description: Done}}}}}}}}}}\n\
         components: {{securitySchemes: {{{schemes}}}}}\n"
    );
    match Document::load("test.yaml", &text) {
        Ok(document) => document,
        Err(diagnostics) => panic!("{diagnostics:?}"),
    }
}

/// The alternatives of the operation, in short: `token(a b)+key()`.
fn read(document: &Document) -> Vec<String> {
    let findings = check(document);
    assert!(
        !findings.has_errors(),
        "{}",
        findings.render(&document.source)
    );
    let operation = document.at("/paths/~1a/get").expect("an operation");
    let alternatives = alternatives(document, operation).into_iter();
    alternatives
        .map(|alternative| {
            let uses = alternative.uses.iter();
            let uses = uses.map(|used| format!("{}({})", used.scheme, used.scopes.join(" ")));
            uses.collect::<Vec<_>>().join("+")
        })
        .collect()
}

const SCOPED: &str = "token: {type: http, scheme: bearer, x-scopes: {a: A., b: B.}}, \
                      key: {type: apiKey, in: header, name: K}";

#[test]
fn required_scopes_go_to_each_scheme_that_declares_scopes() {
    let required =
        "security: [{token: []}, {token: [], key: []}, {key: []}], x-required-scopes: [b, a],";
    assert_eq!(
        read(&document(required, SCOPED)),
        ["token(b a)", "token(b a)+key()", "key()"]
    );
}

#[test]
fn an_operation_without_security_has_that_of_the_document() {
    assert_eq!(
        read(&document("x-required-scopes: [],", SCOPED)),
        ["token()"]
    );
    assert_eq!(read(&document("security: [],", SCOPED)), [""; 0]);
    assert_eq!(read(&document("security: [{}],", SCOPED)), [""]);
}

#[test]
fn a_scheme_with_flows_has_the_scopes_that_the_requirement_lists() {
    let schemes =
        "token: {type: oauth2, flows: {clientCredentials: {tokenUrl: /t, scopes: {a: A.}}}}";
    assert_eq!(
        read(&document("security: [{token: [a]}],", schemes)),
        ["token(a)"]
    );
}

#[test]
fn one_header_holds_one_credential() {
    const SCHEMES: &str = "token: {type: http, scheme: bearer}, basic: {type: http, scheme: Basic}, \
        oauth: {type: oauth2, flows: {clientCredentials: {tokenUrl: /t, scopes: {}}}}, \
        raw: {type: apiKey, in: header, name: authorization}, \
        other: {type: apiKey, in: header, name: authorization}, \
        query: {type: apiKey, in: query, name: authorization}, key: {type: apiKey, in: header, name: K}";
    let codes = |uses: &str| {
        let found = check(&document(&format!("security: [{uses}],"), SCHEMES));
        found.iter().map(|one| one.code).collect::<Vec<_>>()
    };
    for uses in [
        "{token: [], basic: []}",
        "{key: [], basic: [], oauth: []}",
        "{raw: [], token: []}",
        "{raw: [], other: []}",
    ] {
        assert_eq!(codes(uses), ["security-conflict"], "{uses}");
    }
    for uses in [
        "{token: []}, {basic: []}",
        "{token: [], oauth: []}",
        "{token: [], key: []}",
        "{token: [], query: []}",
    ] {
        assert_eq!(codes(uses), [""; 0], "{uses}");
    }
}

#[test]
fn foreign_extensions_are_allowed() {
    let keys = "x-anything: 1, x-tags: [a], summary: s, x-required-scopes: [],";
    assert_eq!(read(&document(keys, SCOPED)), ["token()"]);
}

#[test]
fn extensions_of_the_generator_are_refused_elsewhere_and_misspelled() {
    const SCHEMES: &str = "token: {type: http, scheme: bearer}";
    for (keys, code) in [
        ("x-scopes: [a],", "misplaced-key"),
        ("x-revision: a,", "misplaced-key"),
        ("x-scope: a,", "unknown-key"),
        ("x-require-scopes: [],", "unknown-key"),
        (
            "parameters: [{name: a, in: query, schema: {}, x-required-scopes: []}],",
            "misplaced-key",
        ),
    ] {
        let found = check(&document(keys, SCHEMES)).into_iter();
        let found: Vec<_> = found.map(|one| (one.code, one.severity)).collect();
        assert_eq!(found, [(code, Severity::Error)], "{keys}");
    }
}

#[test]
fn a_key_about_access_with_the_prefix_of_extensions_is_noticed() {
    let codes = |keys: &str, schemes: &str| {
        let found = check(&document(keys, schemes));
        found.iter().map(|one| one.code).collect::<Vec<_>>()
    };
    const SCHEMES: &str = "token: {type: http, scheme: bearer}";
    for key in ["x-security", "x-Security", "x-securty"] {
        let keys = format!("{key}: [{{token: []}}],");
        assert_eq!(codes(&keys, SCHEMES), ["unknown-key"], "{key}");
    }
    for keys in [
        "x-secured: true,",
        "x-security-level: 1,",
        "parameters: [{name: a, in: query, schema: {}, x-security: 1}],",
    ] {
        assert_eq!(codes(keys, SCHEMES), [""; 0], "{keys}");
    }
    let components = "token: {type: http, scheme: bearer}}, x-securitySchemes: {a: {}";
    assert_eq!(codes("", components), ["unknown-key"]);
}

/// A document with a construct of each kind.
const KITCHEN: &str = include_str!("../../tests/golden/kitchen.yaml");

/// The findings in the kitchen document after an edit.
fn after(text: &str) -> Diagnostics {
    match Document::load("kitchen.yaml", text) {
        Ok(document) => check(&document),
        Err(diagnostics) => diagnostics,
    }
}

#[test]
fn the_kitchen_document_is_valid() {
    let findings = after(KITCHEN);
    assert!(!findings.has_errors(), "{findings:?}");
}

/// A value of each type that JSON has.
const VALUES: [&str; 6] = ["null", "true", "7.5", "'text'", "[[]]", "{x: {y: z}}"];

#[test]
fn no_value_of_a_wrong_type_counts_as_absent() {
    use key::ValueType;
    let document = Document::read("kitchen.yaml", KITCHEN).expect("YAML");
    let before = after(KITCHEN);
    let mut tried = 0;
    for place in keys(&document) {
        let Some(key) = place.key else { continue };
        let written = &KITCHEN[place.span.start..place.span.end];
        let line = KITCHEN[..place.span.start]
            .rfind('\n')
            .map_or(0, |at| at + 1);
        let is_first = KITCHEN[line..place.span.start].trim().is_empty();
        if !is_first || matches!(key.value_type, ValueType::Any) {
            continue;
        }
        // The original key becomes an extension, which is allowed.
        for value in VALUES {
            let indent = " ".repeat(place.span.start - line);
            let edit = format!("{written}: {value}\n{indent}x-was");
            let mut text = KITCHEN.to_owned();
            text.replace_range(place.span.start..place.span.end, &edit);
            let is_right = match key.value_type {
                ValueType::Text | ValueType::Url | ValueType::Prose => value == "'text'",
                ValueType::Boolean => value == "true",
                ValueType::Number => value == "7.5",
                ValueType::NumberOrFlag => value == "7.5" || value == "true",
                ValueType::Values => value == "[[]]",
                ValueType::BooleanOr(_) => value == "true" || value == "{x: {y: z}}",
                ValueType::One(_) | ValueType::ValueMap => value == "{x: {y: z}}",
                _ => false,
            };
            tried += 1;
            assert!(
                is_right || after(&text) != before,
                "{} as {value} is read as absent",
                place.pointer
            );
        }
    }
    assert!(tried > 500, "{tried}");
}

#[test]
fn every_misspelled_key_is_refused_or_warned_of() {
    let document = Document::read("kitchen.yaml", KITCHEN).expect("YAML");
    let before = after(KITCHEN).len();
    for place in keys(&document) {
        let mut text = KITCHEN.to_owned();
        text.insert(place.span.start + 1, 'q');
        assert!(after(&text).len() > before, "{}", place.pointer);
    }
}

#[test]
fn a_key_that_became_a_line_of_a_text_is_warned_of() {
    let text = |key: &str| {
        format!(
            "openapi: 3.0.3\ninfo:\n  title: T\n  description: >-\n    Words: many.\n\n    {key}\n  \
             version: '1'\npaths: {{}}\n"
        )
    };
    let codes = |text: &str| {
        let found = after(text);
        found.iter().map(|one| one.code).collect::<Vec<_>>()
    };
    assert_eq!(codes(&text("x-revision: 1.0.0")), ["key-in-text"]);
    assert_eq!(codes(&text("license:\n      name: MIT")), ["key-in-text"]);
    assert_eq!(codes(&text("title:s")), [""; 0]);
    assert_eq!(codes(&text("Title: a")), [""; 0]);
    // A sample of code is indented deeper than the text.
    assert_eq!(codes(&text("    title: a")), [""; 0]);
    assert_eq!(
        codes(&text("    code\n\n    license: MIT")),
        ["key-in-text"]
    );
}

#[test]
fn a_key_that_became_the_first_line_of_a_text_is_warned_of() {
    for (header, line) in [
        ("|", "license: MIT"),
        ("|2-", "license: MIT"),
        (">- # Words", "license: MIT"),
        ("|\n", "license: MIT"),
        ("|", "\"Quoted\" words.\n    license: MIT"),
    ] {
        let text = format!(
            "openapi: 3.0.3\ninfo:\n  title: T\n  version: '1'\n  description: {header}\n    \
             {line}\n    Words.\npaths: {{}}\n"
        );
        let found = after(&text);
        let found: Vec<_> = found
            .iter()
            .map(|one| (one.code, &text[one.span.start..one.span.end]))
            .collect();
        assert_eq!(found, [("key-in-text", "license")], "{text}");
    }
}

/// The keys that are noticed in the description of a property, whose first line is above `lines`.
fn keys_in_description(lines: &str) -> Vec<String> {
    let text = format!(
        "openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths: {{}}\ncomponents:\n  schemas:\n    S:\n      \
         type: object\n      properties:\n        a:\n          type: string\n          description: >-\n            \
         Words of a text.\n{lines}\n"
    );
    let found = after(&text);
    let found = found.iter();
    found
        .map(|one| {
            assert_eq!(one.code, "key-in-text", "{}", one.message);
            text[one.span.start..one.span.end].to_owned()
        })
        .collect()
}

#[test]
fn a_key_that_is_deeper_than_the_text_is_warned_of() {
    for (lines, name) in [
        ("                maxLength: 255", "maxLength"),
        (
            "            More.\n              nullable: true # or false",
            "nullable",
        ),
        (
            "            b:\n              type: string\n              description: More words.",
            "b",
        ),
        (
            "              b:\n                $ref: '#/components/schemas/S'",
            "b",
        ),
    ] {
        assert_eq!(keys_in_description(lines), [name], "{lines}");
    }
}

#[test]
fn a_sample_in_a_text_is_allowed() {
    for lines in [
        "\n                maxLength: 255",
        "            For example:\n              maxLength: 255",
        "            - One.\n              maxLength: 255",
        "              maxLength: of the text",
        "                maxLength: 255\n            More words.",
        "            ```\n            maxLength: 255\n            ```",
        "            Example:\n              type: string",
        "            As in:\n\n            b:\n              type: string",
        "            b:\n              type: string\n              size: 3",
        "            b:\n              the word",
    ] {
        assert_eq!(keys_in_description(lines), [""; 0], "{lines}");
    }
}

#[test]
fn an_item_that_is_a_block_of_text_may_have_two_lines() {
    let text = |item: &str| {
        format!(
            "openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths:\n  /a:\n    get:\n      \
             operationId: a\n      tags:\n        - {item}\n          a\n          b\n      \
             responses: {{'204': {{description: d}}}}\n"
        )
    };
    let codes = |item: &str| {
        let found = after(&text(item));
        found.iter().map(|one| one.code).collect::<Vec<_>>()
    };
    assert_eq!(codes("|"), [""; 0]);
    assert_eq!(codes("x"), ["item-of-two-lines"]);
}
