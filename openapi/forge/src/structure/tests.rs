//! What the checks accept, and how requirements are read. What they refuse stands in
//! `tests/negative`, a document for each.

use super::*;

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
    assert!(findings.is_empty(), "{}", findings.render(&document.source));
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
    let schemes = "token: {type: oauth2, flows: {}}";
    assert_eq!(
        read(&document("security: [{token: [a]}],", schemes)),
        ["token(a)"]
    );
}

#[test]
fn keys_that_resemble_nothing_are_free() {
    let keys = "x-anything: 1, summary: s, auth: [token], x-required-scopes: [],";
    assert_eq!(read(&document(keys, SCOPED)), ["token()"]);
}
