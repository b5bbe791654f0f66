//! One document that every rule is content with, and for each rule what makes
//! it speak: the clean document with one thing changed.

use super::*;
use crate::document::Source;

const CLEAN: &str = include_str!("clean.yaml");

fn findings(text: &str) -> Diagnostics {
    match Document::load("clean.yaml", text) {
        Ok(document) => lint(&document),
        Err(diagnostics) => panic!("{}", diagnostics.render(&Source::new("clean.yaml", text))),
    }
}

/// The clean document with the first `old` made `new`.
fn changed(old: &str, new: &str) -> String {
    assert!(CLEAN.contains(old), "the clean document has no {old:?}");
    CLEAN.replacen(old, new, 1)
}

/// For each rule: the text that its finding points at, and what to change into what.
const BROKEN: &[([&str; 2], [&str; 2])] = &[
    (
        ["operation-id-missing", "put"],
        ["      operationId: putThing\n", ""],
    ),
    (
        ["operation-id-case", "get_thing"],
        ["operationId: getThing", "operationId: get_thing"],
    ),
    (
        ["summary-missing", "get"],
        ["      summary: Get a thing\n", ""],
    ),
    (
        ["summary-missing", "get"],
        ["summary: Get a thing", "summary: ' '"],
    ),
    (
        ["summary-period", "Get a thing."],
        ["summary: Get a thing", "summary: Get a thing."],
    ),
    (
        ["description-missing", "info"],
        [
            "  description: A document that every rule is content with.\n",
            "",
        ],
    ),
    (
        ["description-missing", "name: Things"],
        ["    description: What there is.\n", ""],
    ),
    (
        ["description-missing", "get"],
        ["      description: Gets a thing.\n", ""],
    ),
    (
        ["description-missing", "Id"],
        ["      description: Which one.\n", ""],
    ),
    (
        ["description-missing", "requestBody"],
        ["        description: The thing.\n", ""],
    ),
    (
        ["description-missing", "'200'"],
        ["          description: The thing exists.\n", ""],
    ),
    (
        ["description-missing", "RequestId"],
        ["      description: Names the request.\n", ""],
    ),
    (
        ["description-missing", "Flat"],
        ["      description: Something flat.\n", ""],
    ),
    (
        ["description-missing", "token"],
        [", description: An access token.", ""],
    ),
    (
        ["tag-count", "get"],
        [
            "      tags: [Things]\n      security: []",
            "      security: []",
        ],
    ),
    (
        ["tag-count", "tags"],
        [
            "      tags: [Things]\n      security: []",
            "      tags: [Things, Things]\n      security: []",
        ],
    ),
    (
        ["tag-undeclared", "Other"],
        ["tags: [Things]", "tags: [Other]"],
    ),
    (["security-implicit", "get"], ["      security: []\n", ""]),
    (
        ["error-response-missing", "responses"],
        [
            "        '401':\n          $ref: '#/components/responses/Wrong'\n",
            "",
        ],
    ),
    (
        ["error-response-missing", "responses"],
        [
            "        '400':\n          $ref: '#/components/responses/Wrong'\n",
            "",
        ],
    ),
    (
        ["error-response-missing", "responses"],
        [
            "        '500':\n          $ref: '#/components/responses/Wrong'\n",
            "",
        ],
    ),
    (
        ["component-unused", "RequestId"],
        [
            "            x-request-id:\n              $ref: '#/components/headers/RequestId'\n",
            "            Date: {description: When., schema: {type: string}}\n",
        ],
    ),
    (
        ["component-unused", "Flat"],
        [
            "        - $ref: '#/components/schemas/Flat'\n      discriminator:\n        propertyName: tag\n        \
         mapping:\n          round: '#/components/schemas/Round'\n          flat: Flat\n",
            "      discriminator:\n        propertyName: tag\n        mapping:\n          round: Round\n",
        ],
    ),
    (
        ["component-unused", "token"],
        [
            "        - token: []\n      x-required-scopes: [things.write]\n",
            "        - {}\n",
        ],
    ),
    (
        ["scope-undescribed", "things.write"],
        [" Requires the scope `things.write`.", ""],
    ),
    (
        ["scope-not-required", "x-required-scopes"],
        ["x-required-scopes: [things.write]", "x-required-scopes: []"],
    ),
    (
        ["scope-not-required", "security"],
        [
            "      description: Gets a thing.\n",
            "      description: Gets a thing. Requires the scope `things.read`.\n",
        ],
    ),
    (
        ["scope-without-flow", "token"],
        ["        - token: []\n", "        - token: [things.write]\n"],
    ),
    (
        ["required-scopes-missing", "put"],
        ["      x-required-scopes: [things.write]\n", ""],
    ),
    (
        ["schema-name-clash", "ErrorError"],
        [
            "    Flat:\n",
            "    ErrorError:\n      description: x\n    Flat:\n",
        ],
    ),
    (
        ["property-undescribed", "sizeInMetres"],
        [", description: How large it is.", ""],
    ),
    (
        ["schema-name-case", "flat_thing"],
        [
            "          flat: Flat\n",
            "          flat: Flat\n    flat_thing:\n      description: x\n",
        ],
    ),
    (
        ["property-name-style", "error_description"],
        ["        error: {", "        errorCode: {"],
    ),
    (
        ["property-name-style", "Size-In"],
        ["        sizeInMetres: {", "        Size-In: {"],
    ),
    (
        ["example-missing", "application/json"],
        ["              example: {name: Cup}\n", ""],
    ),
    (
        ["example-invalid", "''"],
        [
            "              example: {name: Cup}\n",
            "              example: {name: ''}\n",
        ],
    ),
    (
        ["null-outside-json", "nullable"],
        [
            "schema: {type: integer, minimum: 1}",
            "schema: {type: integer, minimum: 1, nullable: true}",
        ],
    ),
    (
        ["null-outside-json", "nullable"],
        [
            "label: {type: string, description: The text on it.}",
            "label: {type: string, description: The text on it., nullable: true}",
        ],
    ),
    (
        ["null-outside-json", "nullable"],
        [
            "                - type: object\n",
            "                - type: object\n                  nullable: true\n",
        ],
    ),
    (
        ["decision-in-document", "x-decision"],
        [
            "      security: []\n",
            "      security: []\n      x-decision: {number: A1}\n",
        ],
    ),
    (
        ["unresolved-reference", "'#/components/headers/RequestIds'"],
        ["headers/RequestId'", "headers/RequestIds'"],
    ),
];

#[test]
fn the_clean_document_is_clean() {
    let findings = findings(CLEAN);
    assert!(
        findings.is_empty(),
        "{}",
        findings.render(&Source::new("clean.yaml", CLEAN))
    );
}

#[test]
fn each_rule_finds_what_it_asks_about_where_it_stands() {
    for ([rule, points_at], [old, new]) in BROKEN {
        let text = changed(old, new);
        let findings = findings(&text);
        let source = Source::new("clean.yaml", &text);
        let found = findings.iter().find(|finding| finding.code == *rule);
        let Some(found) = found else {
            panic!(
                "{rule} is silent after {old:?}:\n{}",
                findings.render(&source)
            );
        };
        let place = &text[found.span.start..found.span.end];
        let first_line = place.lines().next().unwrap_or_default();
        assert_eq!(first_line, *points_at, "{}", found.render(&source));
        assert!(found.help.is_some(), "{rule} does not help");
    }
}

/// One defect is one finding, except where a removed thing is missed by
/// others too.
#[test]
fn a_rule_speaks_alone() {
    for ([rule, _], [old, new]) in BROKEN {
        let text = changed(old, new);
        for finding in findings(&text).iter() {
            let follows = [
                "component-unused",
                "example-invalid",
                "description-missing",
                "missing-key",
                "repeated-value",
                "scope-not-required",
            ];
            assert!(
                finding.code == *rule || follows.contains(&finding.code),
                "{rule}: {}",
                finding.render(&Source::new("clean.yaml", &text))
            );
        }
    }
}

#[test]
fn a_sentence_may_require_more_than_scopes() {
    for (sentence, count) in [
        (
            "Requires the verb `use` on the thing, and the scope `things.write`.",
            1,
        ),
        (
            "Requires the scopes `things.write`, `things.read` and `a.b`, or the verb `use`.",
            3,
        ),
        ("It requires the scope `things.write`.", 1),
        ("Requires the verb `use`.", 0),
        ("Returns 403 without the scope `things.write`.", 0),
        (
            "Requires the verb `use`. Without the scope `things.read`, the names are omitted.",
            0,
        ),
    ] {
        let text = changed("Requires the scope `things.write`.", sentence);
        let text = text.replacen(
            "x-required-scopes: [things.write]",
            "x-required-scopes: []",
            1,
        );
        let found = findings(&text);
        let found = found.iter().filter(|one| one.code == "scope-not-required");
        assert_eq!(found.count(), count, "{sentence}");
    }
}

#[test]
fn every_rule_is_tried() {
    for rule in RULES {
        assert!(
            BROKEN.iter().any(|([id, _], _)| *id == rule.id),
            "{} is never broken",
            rule.id
        );
    }
}

#[test]
fn a_body_that_is_read_leniently_cannot_be_wrong() {
    let without_input = CLEAN
        .replacen("/things/{id}", "/things", 1)
        .replacen(
            "      requestBody:\n",
            "      requestBody:\n        x-dropforge-lenient: true\n",
            1,
        )
        .replacen(
            "    parameters:\n      - $ref: '#/components/parameters/Id'\n",
            "",
            1,
        )
        .replacen(
            "        '400':\n          $ref: '#/components/responses/Wrong'\n",
            "",
            1,
        );
    let codes: Vec<_> = findings(&without_input).iter().map(|f| f.code).collect();
    assert_eq!(
        codes,
        ["component-unused"],
        "only the parameter is left over"
    );
}

/// Codes of the findings after each `old` became `new` in the clean document.
fn codes_after(edits: &[(&str, &str)]) -> Vec<&'static str> {
    let mut text = CLEAN.to_owned();
    for (old, new) in edits {
        assert!(text.contains(old), "the clean document has no {old:?}");
        text = text.replacen(old, new, 1);
    }
    findings(&text).iter().map(|one| one.code).collect()
}

#[test]
fn a_security_scheme_may_be_a_reference() {
    let schemes = "    token: {$ref: '#/components/securitySchemes/other'}\n    other: {type: oauth2, \
                   description: An access token., flows: {implicit: {authorizationUrl: 'https://a.example', \
                   scopes: {things.write: Put things.}}}}";
    let declared = "    token: {type: http, scheme: bearer, x-scopes: {things.write: Put things.}, description: An access token.}";
    let codes = codes_after(&[
        (declared, schemes),
        ("- token: []", "- token: [things.write]"),
        ("      x-required-scopes: [things.write]\n", ""),
    ]);
    for misfire in ["scope-without-flow", "description-missing"] {
        assert!(!codes.contains(&misfire), "{codes:?}");
    }
}

#[test]
fn a_field_of_an_alternative_of_a_form_cannot_be_null() {
    let form = "              allOf:\n                - type: object\n";
    let label = "label: {type: string, description: The text on it.}";
    let codes = codes_after(&[
        (
            form,
            "              anyOf:\n                - type: object\n",
        ),
        (
            label,
            "label: {type: string, nullable: true, description: The text on it.}",
        ),
    ]);
    assert!(codes.contains(&"null-outside-json"), "{codes:?}");
}

#[test]
fn a_decision_in_the_default_response_is_found() {
    let response = "        '204': {description: There is none.}\n";
    let default = "        default: {description: Another., x-decision: {number: A1}}\n";
    let both = format!("{response}{default}");
    let codes = codes_after(&[(response, &both)]);
    assert!(codes.contains(&"decision-in-document"), "{codes:?}");
}

#[test]
fn a_decision_in_a_component_with_the_name_of_a_keyword_is_found() {
    let headers = "  headers:\n    RequestId:\n";
    let more = "  headers:\n    example: {x-decision: {number: A1}}\n    RequestId:\n";
    let codes = codes_after(&[(headers, more)]);
    assert!(codes.contains(&"decision-in-document"), "{codes:?}");
}

#[test]
fn components_of_a_shared_path_item_are_used() {
    let codes = codes_after(&[
        ("openapi: 3.0.3", "openapi: 3.1.0"),
        (
            "paths:\n  /things/{id}:\n",
            "paths:\n  /things/{id}: {$ref: '#/components/pathItems/Thing'}\ncomponents:\n  pathItems:\n   Thing:\n",
        ),
        ("components:\n  securitySchemes:\n", "  securitySchemes:\n"),
        ("      summary: Get a thing\n", ""),
    ]);
    assert!(codes.contains(&"summary-missing"), "{codes:?}");
    assert!(!codes.contains(&"component-unused"), "{codes:?}");
}
