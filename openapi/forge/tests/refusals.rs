//! What a document gets wrong is told with its place, and all of it at once.

use dropforge::document::Document;

fn refusals(paths: &str, components: &str) -> Vec<(&'static str, String)> {
    let text = format!(
        "openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths:\n{paths}\ncomponents:\n{components}\n"
    );
    let document = Document::load("test.yaml", &text).expect("YAML");
    match dropforge::generate_server(&document, "test") {
        Ok(_) => Vec::new(),
        Err(diagnostics) => diagnostics
            .0
            .iter()
            .map(|d| (d.code, text[d.span.start..d.span.end].to_string()))
            .collect(),
    }
}

const OK: &str = "responses: {'200': {description: fine}}";

#[test]
fn a_sound_document_is_not_refused() {
    assert_eq!(
        refusals(&format!("  /a: {{get: {{{OK}}}}}"), "  schemas: {}"),
        []
    );
}

#[test]
fn every_defect_is_told_in_one_go() {
    let found = refusals(
        &format!(
            "  /a/{{b}}: {{get: {{{OK}}}}}\n  /c: {{get: {{responses: {{'900': {{description: x}}}}}}}}"
        ),
        "  schemas: {A: {type: text}, B: {pattern: '('}, C: {prefixItems: [{}]}, D: {type: integer, \
         x-dropforge-or-integer: true}}",
    );
    let codes: Vec<&str> = found.iter().map(|(code, _)| *code).collect();
    for code in [
        "undeclared-path-parameter",
        "response-status",
        "schema-type",
        "pattern",
        "unsupported-keyword",
        "or-integer-not-a-string",
    ] {
        assert!(codes.contains(&code), "{code} is missing in {found:?}");
    }
    assert!(
        found.contains(&("schema-type", "text".to_string())),
        "{found:?}"
    );
}

#[test]
fn paths_that_no_request_tells_apart_are_refused() {
    let parameter = |name: &str| {
        format!(
            "parameters: [{{name: {name}, in: path, required: true, schema: {{type: string}}}}]"
        )
    };
    let found = refusals(
        &format!(
            "  /a/{{x}}: {{get: {{{}, {OK}}}}}\n  /a/{{y}}: {{get: {{{}, {OK}}}}}",
            parameter("x"),
            parameter("y")
        ),
        "  schemas: {}",
    );
    assert_eq!(
        found.iter().map(|(code, _)| *code).collect::<Vec<_>>(),
        ["ambiguous-path"]
    );
}

/// The variable of `/a/{x` is not known, so nothing else is said about it.
#[test]
fn a_path_with_a_lost_brace_has_no_other_finding() {
    let get = format!(
        "get: {{parameters: [{{name: x, in: path, required: true, schema: {{type: string}}}}], {OK}}}"
    );
    for path in ["/a/{x", "/a/x}", "/a/{{x}", "/a/{x}{"] {
        let found = refusals(
            &format!("  /a: {{get: {{{OK}}}}}\n  /a/{{x}}: {{{get}}}\n  '{path}': {{{get}}}"),
            "  schemas: {}",
        );
        let key = format!("'{path}'");
        assert_eq!(found, [("path-template", key)], "{path}");
    }
}

#[test]
fn an_ambiguous_path_with_another_error_adds_nothing_to_other_findings() {
    let text = format!(
        "openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths:\n  /a: {{get: {{{OK}}}}}\n  /a/: {{get: {{}}}}\n"
    );
    let document = Document::load("test.yaml", &text).expect("YAML");
    let Err(found) = dropforge::generate_server(&document, "test") else {
        panic!("an operation without responses is accepted");
    };
    let codes: Vec<&str> = found.0.iter().map(|finding| finding.code).collect();
    assert!(codes.contains(&"missing-key"), "{codes:?}");
    assert!(!codes.contains(&"ambiguous-path"), "{codes:?}");
    assert!(found.0.iter().all(|finding| finding.related.is_empty()));
}

#[test]
fn a_scheme_that_nobody_declared_is_refused() {
    let found = refusals(
        &format!("  /a: {{get: {{security: [{{key: []}}], {OK}}}}}"),
        "  schemas: {}",
    );
    assert_eq!(found[0].0, "unknown-security-scheme");
}

#[test]
fn a_header_that_cannot_be_sent_is_refused() {
    let headers = "headers: {'Retry After': {schema: {type: integer}}}";
    let found = refusals(
        &format!("  /a: {{get: {{responses: {{'200': {{description: fine, {headers}}}}}}}}}"),
        "  schemas: {}",
    );
    assert_eq!(found[0].0, "header-name");
}

/// What a document is accepted with.
fn warnings(paths: &str, components: &str) -> Vec<&'static str> {
    let text = format!(
        "openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths:\n{paths}\ncomponents:\n{components}\n"
    );
    let document = Document::load("test.yaml", &text).expect("YAML");
    let generated = dropforge::generate_server(&document, "test").expect("accepted");
    let warnings = generated.warnings.iter().map(|warning| warning.code);
    warnings.collect()
}

#[test]
fn an_unsupported_scheme_is_refused_only_where_it_is_required() {
    const SCHEME: &str = "  securitySchemes: {key: {type: http, scheme: berer}}";
    let open = format!("  /a: {{get: {{{OK}}}}}");
    assert_eq!(warnings(&open, SCHEME), ["security-scheme"]);
    let secured = format!("  /a: {{get: {{security: [{{key: []}}], {OK}}}}}");
    assert_eq!(refusals(&secured, SCHEME)[0].0, "security-scheme");
}

#[test]
fn a_scheme_has_the_keys_of_its_type_and_no_others() {
    let open = format!("  /a: {{get: {{{OK}}}}}");
    let cases: [(&str, &[(&str, &str)]); 12] = [
        (
            "{type: http, scheme: bearer, in: query, name: key}",
            &[("misplaced-key", "in"), ("misplaced-key", "name")],
        ),
        (
            "{type: apiKey, scheme: bearer, in: header, name: X-Key}",
            &[],
        ),
        (
            "{type: http, scheme: bearer, flows: {}}",
            &[("misplaced-key", "flows")],
        ),
        (
            "{type: apiKey, in: header, name: X-Key, flows: {}}",
            &[("misplaced-key", "flows")],
        ),
        ("{type: http}", &[("missing-key", "http")]),
        (
            "{type: apiKey}",
            &[("missing-key", "apiKey"), ("missing-key", "apiKey")],
        ),
        ("{type: openIdConnect}", &[("missing-key", "openIdConnect")]),
        ("{type: oauth2}", &[("missing-key", "oauth2")]),
        ("{type: oauth2, flows: {}}", &[("missing-key", "flows")]),
        (
            "{type: oauth2, flows: {password: {scopes: {}}}}",
            &[("missing-key", "password")],
        ),
        ("{type: openIdConnect, openIdConnectUrl: /id}", &[]),
        (
            "{type: oauth2, flows: {implicit: {authorizationUrl: /a, scopes: {}}}}",
            &[],
        ),
    ];
    for (scheme, expected) in cases {
        let found = refusals(&open, &format!("  securitySchemes: {{key: {scheme}}}"));
        let found: Vec<(&str, &str)> = found
            .iter()
            .map(|(code, text)| (*code, text.as_str()))
            .collect();
        assert_eq!(found, expected, "{scheme}");
    }
}

#[test]
fn a_key_of_another_type_that_changes_nothing_is_ignored_with_a_warning() {
    let open = format!("  /a: {{get: {{{OK}}}}}");
    for (scheme, count) in [
        (
            "{type: http, scheme: bearer, bearerFormat: JWT, in: header, name: Authorization}",
            2,
        ),
        ("{type: http, scheme: basic, name: login}", 1),
        (
            "{type: apiKey, in: header, name: X-Key, scheme: bearer, bearerFormat: JWT}",
            2,
        ),
        ("{type: http, scheme: bearer}", 0),
    ] {
        let schemes = format!("  securitySchemes: {{key: {scheme}}}");
        assert_eq!(
            warnings(&open, &schemes),
            vec!["ignored-key"; count],
            "{scheme}"
        );
    }
}

#[test]
fn a_key_in_a_header_that_cannot_be_sent_is_refused() {
    let secured = format!("  /a: {{get: {{security: [{{key: []}}], {OK}}}}}");
    for name in ["X Key", ""] {
        let scheme =
            format!("  securitySchemes: {{key: {{type: apiKey, in: header, name: '{name}'}}}}");
        assert_eq!(refusals(&secured, &scheme)[0].0, "header-name", "{name}");
    }
}

#[test]
fn a_cookie_that_cannot_be_sent_is_refused() {
    for name in ["a b", "a;b", "a=b", "größe"] {
        let scheme =
            format!("  securitySchemes: {{key: {{type: apiKey, in: cookie, name: '{name}'}}}}");
        let secured = format!("  /a: {{get: {{security: [{{key: []}}], {OK}}}}}");
        assert_eq!(refusals(&secured, &scheme)[0].0, "cookie-name", "{name}");
        let parameter = format!("{{name: '{name}', in: cookie, schema: {{type: string}}}}");
        let path = format!("  /a: {{get: {{parameters: [{parameter}], {OK}}}}}");
        assert_eq!(
            refusals(&path, "  schemas: {}")[0].0,
            "cookie-name",
            "{name}"
        );
    }
    for (name, found) in [("connect.sid_1-A", vec![]), ("a[b]", vec!["cookie-name"])] {
        let parameter = format!("{{name: '{name}', in: cookie, schema: {{type: string}}}}");
        let path = format!("  /a: {{get: {{parameters: [{parameter}], {OK}}}}}");
        assert_eq!(warnings(&path, "  schemas: {}"), found);
    }
}

#[test]
fn what_only_resembles_a_mistake_is_accepted() {
    let open = "{type: object, additionalProperties: true, ";
    for schema in [
        format!("{open}required: [value1, item], properties: {{value2: {{}}, items: {{}}}}}}"),
        "{type: string, pattern: '^\\\\\\\\[a-z]+\\\\s$'}".to_owned(),
    ] {
        let path = format!("  /a: {{get: {{{OK}}}}}");
        assert_eq!(
            warnings(&path, &format!("  schemas: {{S: {schema}}}")),
            [""; 0],
            "{schema}"
        );
    }
    let parameter =
        "{name: v, in: path, required: true, schema: {type: string, enum: [v1], default: v1}}";
    let types = "'application/json; p=\"a;b\"': {}, 'application/json; p=\"a; b\"': {}";
    let body = format!("responses: {{'200': {{description: done, content: {{{types}}}}}}}");
    let path = format!("  '/a/{{v}}': {{get: {{parameters: [{parameter}], {body}}}}}");
    assert_eq!(warnings(&path, "  schemas: {}"), [""; 0]);
}

#[test]
fn a_style_beside_a_media_type_is_noticed() {
    let content = "content: {application/json: {schema: {type: object}}}";
    for (keys, count) in [
        ("style: form, explode: false, ", 2),
        ("explode: true, ", 1),
        ("", 0),
    ] {
        let parameter = format!("{{name: a, in: query, {keys}{content}}}");
        let path = format!("  /a: {{get: {{parameters: [{parameter}], {OK}}}}}");
        assert_eq!(
            warnings(&path, "  schemas: {}"),
            vec!["ignored-key"; count],
            "{keys}"
        );
    }
}

#[test]
fn a_parameter_that_no_style_can_write_is_noticed() {
    for (schema, count) in [
        ("{type: array, items: {type: object}}", 1),
        (
            "{type: array, items: {type: array, items: {type: string}}}",
            1,
        ),
        ("{type: object, properties: {a: {type: object}}}", 1),
        (
            "{type: object, properties: {a: {type: array, items: {type: object}}}}",
            1,
        ),
        ("{type: array, items: {type: string}}", 0),
        ("{type: array, items: {}}", 0),
        (
            "{type: object, properties: {a: {type: array, items: {type: string}}}}",
            0,
        ),
    ] {
        for place in ["query", "header"] {
            let of_parameter = |written: &str| {
                let parameter = format!("{{name: X-A, in: {place}, {written}}}");
                let path = format!("  /a: {{get: {{parameters: [{parameter}], {OK}}}}}");
                warnings(&path, "  schemas: {}")
            };
            let nested = vec!["parameter-nested"; count];
            assert_eq!(
                of_parameter(&format!("schema: {schema}")),
                nested,
                "{schema}"
            );
            let json = format!("content: {{application/json: {{schema: {schema}}}}}");
            assert_eq!(of_parameter(&json), [""; 0], "{schema}");
        }
    }
}

#[test]
fn a_form_that_is_not_an_object_is_noticed() {
    for (schema, count) in [
        ("{type: string}", 1),
        ("{type: array, items: {type: string}}", 1),
        ("{type: object}", 0),
        ("{allOf: [{type: object}]}", 0),
        ("{}", 0),
    ] {
        for media_type in ["multipart/form-data", "application/x-www-form-urlencoded"] {
            let body = format!("requestBody: {{content: {{{media_type}: {{schema: {schema}}}}}}}");
            let path = format!("  /a: {{post: {{{body}, {OK}}}}}");
            let found = warnings(&path, "  schemas: {}");
            assert_eq!(found, vec!["schema-of-form"; count], "{schema}");
        }
    }
}

#[test]
fn a_default_of_a_required_parameter_is_noticed() {
    const DEFAULT: &str = "schema: {type: integer, default: 1}";
    for (place, parameter, count) in [
        ("/a", "name: a, in: query, required: true", 1),
        ("/a/{a}", "name: a, in: path, required: true", 1),
        ("/a", "name: a, in: query, required: false", 0),
        ("/a", "name: a, in: query", 0),
    ] {
        let path =
            format!("  {place}: {{get: {{parameters: [{{{parameter}, {DEFAULT}}}], {OK}}}}}");
        let found = warnings(&path, "  schemas: {}");
        assert_eq!(found, vec!["default-not-applied"; count], "{parameter}");
    }
    let parameter = "name: a, in: query, required: true, schema: {$ref: '#/components/schemas/A'}";
    let path = format!("  /a: {{get: {{parameters: [{{{parameter}}}], {OK}}}}}");
    let shared = "  schemas: {A: {type: integer, default: 1}}";
    assert_eq!(warnings(&path, shared), [""; 0]);
}

#[test]
fn a_deep_object_that_is_not_exploded_is_noticed() {
    for (keys, count) in [
        ("style: deepObject, explode: false", 1),
        ("style: deepObject, explode: true", 0),
        ("style: deepObject", 0),
        ("style: form, explode: false", 0),
    ] {
        let schema = "{type: object, properties: {b: {type: string}}}";
        let parameter = format!("{{name: a, in: query, {keys}, schema: {schema}}}");
        let path = format!("  /a: {{get: {{parameters: [{parameter}], {OK}}}}}");
        let found = warnings(&path, "  schemas: {}");
        assert_eq!(found, vec!["ignored-key"; count], "{keys}");
    }
}

#[test]
fn an_exclusive_bound_that_is_missing_is_noticed() {
    let path = format!("  /a: {{get: {{{OK}}}}}");
    for (schema, count) in [
        ("exclusiveMinimum: true", 1),
        ("exclusiveMaximum: true, minimum: 1", 1),
        ("exclusiveMinimum: false", 0),
        ("exclusiveMinimum: true, minimum: 1", 0),
    ] {
        let schemas = format!("  schemas: {{A: {{type: integer, {schema}}}}}");
        let found = warnings(&path, &schemas);
        assert_eq!(found, vec!["ignored-key"; count], "{schema}");
    }
}

#[test]
fn the_encoding_of_an_unknown_property_is_noticed() {
    for (schema, name, count) in [
        ("properties: {file: {type: string}}", "flie", 1),
        ("properties: {file: {type: string}}", "file", 0),
        (
            "additionalProperties: true, properties: {file: {type: string}}",
            "flie",
            0,
        ),
        (
            "properties: {file: {type: string}}, allOf: [{type: object, properties: {a: {type: string}}}]",
            "a",
            0,
        ),
        ("minProperties: 1", "flie", 0),
    ] {
        let media = format!("{{schema: {{type: object, {schema}}}, encoding: {{{name}: {{}}}}}}");
        let body = format!("requestBody: {{content: {{multipart/form-data: {media}}}}}");
        let path = format!("  /a: {{post: {{{body}, {OK}}}}}");
        let found = warnings(&path, "  schemas: {}");
        assert_eq!(found, vec!["ignored-key"; count], "{schema}");
    }
}

#[test]
fn a_media_type_in_two_spellings_is_refused() {
    let of_content = |first: &str, second: &str| {
        let content = format!("content: {{'{first}': {{}}, '{second}': {{}}}}");
        let path =
            format!("  /a: {{get: {{responses: {{'200': {{description: fine, {content}}}}}}}}}");
        refusals(&path, "  schemas: {}")
    };
    for (first, second) in [
        ("application/json", "Application/JSON"),
        ("application/json", "application/json "),
        ("text/plain; charset=utf-8", "text/plain;Charset=UTF-8"),
        ("text/plain", "text/plain;"),
    ] {
        let found = of_content(first, second);
        let expected = ("duplicate-media-type", format!("'{second}'"));
        assert_eq!(found, [expected], "{second}");
    }
    for (first, second) in [
        ("application/json", "application/problem+json"),
        ("application/json", "application/json; version=1"),
        ("application/json; version=a", "application/json; version=A"),
    ] {
        assert_eq!(of_content(first, second), [], "{second}");
    }
}

/// Nothing sends the key of a scheme that no operation requires.
#[test]
fn a_key_in_a_header_that_cannot_be_sent_is_accepted_where_nothing_requires_it() {
    let scheme = "  securitySchemes: {key: {type: apiKey, in: header, name: X Key}}";
    let open = format!("  /a: {{get: {{{OK}}}}}");
    assert_eq!(warnings(&open, scheme), ["header-name"]);
}

#[test]
fn a_negative_zero_is_zero() {
    let schemas = "  schemas: {A: {type: integer, minimum: -0}, B: {type: integer, enum: [-0]}}";
    assert_eq!(refusals(&format!("  /a: {{get: {{{OK}}}}}"), schemas), []);
}

#[test]
fn what_other_tools_read_is_accepted_with_a_warning() {
    let path = format!("  /a: {{get: {{{OK}}}}}");
    for (schema, code) in [
        ("{type: string, pattern: '(?i)^a'}", "pattern-not-checked"),
        ("{type: string, const: a}", "newer-keyword"),
        ("{type: boolean, format: flag}", "format-not-checked"),
    ] {
        let schemas = format!("  schemas: {{S: {schema}}}");
        assert_eq!(warnings(&path, &schemas), [code], "{schema}");
    }
}

#[test]
fn what_the_specification_allows_has_no_warning() {
    let path = "  /a:
    x-shared: {type: string}
    get:
      operationId: getA
      parameters:
        - {name: a, in: query, style: deepObject, schema: {allOf: [{type: object}]}}
        - {name: b, in: query, style: pipeDelimited, schema: {type: array, items: {type: string}}}
        - {name: c, in: query, style: spaceDelimited, schema: {type: object}}
        - {name: 'created<', in: query, schema: {type: string}}
        - {name: path.id, in: query, schema: {type: string}}
      responses:
        '200':
          description: fine
          content: {application/json: {schema: {$ref: '#/paths/~1a/x-shared'}}}
          links: {a: {operationId: getA, parameters: {path.id: b, query.c: d}}}
        '204': {description: fine, content: {}}
        4XX: {description: wrong}
  /a/{b?}:
    post:
      parameters: [{name: 'b?', in: path, required: true, schema: {type: string}}]
      requestBody:
        content:
          multipart/form-data:
            schema: {$ref: '#/components/schemas/A/properties/b'}
            encoding: {c: {contentType: text/plain}}
      responses: {'200': {$ref: '#/paths/~1a/get/responses/200'}}";
    let schemas = "  schemas: {A: {type: object, properties: {b: {type: object, properties: {c: {type: string}}}}}}";
    assert_eq!(warnings(path, schemas), [""; 0]);
}

/// A value of each keyword that narrows the valid values and is not checked, beside those that it needs.
const NOT_CHECKED: [(&str, &str); 13] = [
    ("prefixItems", "prefixItems: [{type: string}]"),
    ("contains", "contains: {type: string}"),
    ("minContains", "minContains: 2"),
    ("maxContains", "maxContains: 2"),
    ("unevaluatedItems", "unevaluatedItems: false"),
    (
        "patternProperties",
        "patternProperties: {a: {type: string}}",
    ),
    ("propertyNames", "propertyNames: {maxLength: 2}"),
    (
        "unevaluatedProperties",
        "allOf: [{}], unevaluatedProperties: false",
    ),
    ("dependentRequired", "dependentRequired: {a: [b]}"),
    (
        "dependentSchemas",
        "dependentSchemas: {a: {maxProperties: 1}}",
    ),
    ("if", "if: {type: string}"),
    ("then", "then: {type: string}"),
    ("else", "else: {type: string}"),
];

/// The list is that of the tables, so a keyword that they call unchecked has its case here.
#[test]
fn a_keyword_that_is_not_checked_is_an_error_where_warnings_are_denied() {
    use dropforge::structure::key::Support;
    let schema = dropforge::structure::tables::objects();
    let schema = schema
        .iter()
        .find(|object| object.section == "Schema Object");
    let keys = schema.expect("the table of schemas").keys.iter();
    let unchecked = keys.filter(|key| key.support == Support::Loosened);
    let cases = NOT_CHECKED.map(|(keyword, _)| keyword);
    assert_eq!(unchecked.map(|key| key.name).collect::<Vec<_>>(), cases);

    for (keyword, written) in NOT_CHECKED {
        let text = format!(
            "openapi: 3.1.0\ninfo: {{title: T, version: '1'}}\npaths: {{}}\ncomponents:\n  schemas: {{S: {{{written}}}}}\n"
        );
        let document = Document::load("test.yaml", &text).expect("YAML");
        let generated = dropforge::generate_server(&document, "test").expect("accepted");
        let denied = generated.warnings.deny_warnings();
        let about = |finding: &&dropforge::document::Diagnostic| {
            text[finding.span.start..finding.span.end] == *keyword
        };
        let finding = denied.iter().find(about).expect(keyword);
        assert_eq!(finding.code, "keyword-not-checked", "{keyword}");
        assert!(denied.has_errors(), "{keyword}");
    }
}

#[test]
fn only_a_string_can_be_the_name_of_a_property() {
    let text = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n    \
                S: {type: object, propertyNames: {type: TYPE}}\n";
    let codes = |name: &str| {
        let document = Document::load("test.yaml", &text.replace("TYPE", name)).expect("YAML");
        let generated = dropforge::generate_server(&document, "test").expect("accepted");
        let codes: Vec<_> = generated.warnings.iter().map(|one| one.code).collect();
        codes
    };
    assert_eq!(codes("string"), [""; 0]);
    assert_eq!(codes("integer"), ["keyword-not-checked"]);
}

/// Other tools write the limits of 64 bits as rounded fractions, such as -9223372036854776000.
#[test]
fn a_bound_of_more_than_64_bits_is_exact() {
    let text = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths:\n  /a:\n    get:\n      parameters:\n      \
                - {name: b, in: query, schema: {type: integer, minimum: -9223372036854776000, maximum: \
                18446744073709551616}}\n      responses: {'204': {description: Done}}\n";
    let document = Document::load("test.yaml", text).expect("YAML");
    let server = dropforge::generate_server(&document, "test").expect("accepted");
    let code = server.tokens.to_string().replace(' ', "");
    for bound in ["-9223372036854776000", "18446744073709551616"] {
        let bound = format!("Number::Integer({bound})");
        assert!(code.contains(&bound), "{bound} is missing in {code}");
    }
}
