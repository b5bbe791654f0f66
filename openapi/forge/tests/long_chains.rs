//! Documents whose schemas refer to each other in long chains: every pass over them ends, and does
//! not overflow the stack of a test. How long a pass takes is not asserted.

#![cfg(all(feature = "client", feature = "check"))]

use dropforge::check::compatibility::{Class, compare};
use dropforge::check::lint::lint;
use dropforge::document::Document;

const LENGTH: usize = 3_000;

/// The length of chains that clients are made of: typify alone takes most of the time of a test.
const LENGTH_OF_CLIENTS: usize = 1_000;

/// A document with schemas that are each made from a reference to the next one.
fn chain(length: usize, schema: impl Fn(&str) -> String) -> Document {
    let mut text = String::from(
        "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths:\n  /a: {get: {responses: {'200': \
         {description: A, content: {application/json: {schema: {$ref: '#/components/schemas/S0'}}}}}}}\n\
         components:\n  schemas:\n",
    );
    for index in 1..length {
        let next = schema(&format!("{{$ref: '#/components/schemas/S{index}'}}"));
        text.push_str(&format!("    S{}: {next}\n", index - 1));
    }
    text.push_str(&format!("    S{}: {{type: string}}\n", length - 1));
    Document::load("chain.yaml", &text).expect("a document")
}

/// Has everything that reads documents read this one, on the stack of a test.
fn read(document: &Document) {
    let found = lint(document);
    assert!(!found.render(&document.source).is_empty());
    let server = dropforge::generate_server(document, "chain").expect("a server");
    dropforge::pretty(server.tokens);
}

fn make_client(document: &Document) {
    let client = dropforge::emit::client::generate(document).expect("a client");
    dropforge::pretty(client.tokens);
}

const LINKS: [&str; 4] = [
    "NEXT",
    "{type: object, additionalProperties: NEXT}",
    "{type: array, items: NEXT}",
    "{type: object, properties: {a: NEXT}}",
];

/// A composition that may have as many links as the document says: each array begins a new one.
const UNION: &str = "{oneOf: [{type: array, items: NEXT}, {type: string}]}";

#[test]
fn servers_and_the_lint() {
    for link in LINKS.into_iter().chain([UNION]) {
        read(&chain(LENGTH, |next| link.replace("NEXT", next)));
    }
}

#[test]
fn the_comparison_of_two_documents() {
    let link = |next: &str| LINKS[3].replace("NEXT", next);
    // The time of drift, the library that also compares them, is the square of the length.
    let length = LENGTH / 3;
    let changes = compare(&chain(length, link), &chain(length - 1, link));
    let mut breaking = changes
        .iter()
        .filter(|change| change.class == Class::BreaksClients);
    assert!(breaking.any(|change| change.pointer.contains(&format!("S{}", length - 2))));
}

/// Each of 60 compositions has two alternatives that are the same next one: 2^60 paths.
#[test]
fn doubled_compositions_of_servers() {
    for link in [
        "{oneOf: [NEXT, {type: 'string', maxLength: 1}]}",
        "{anyOf: [NEXT, NEXT]}",
    ] {
        let document = chain(60, |next| link.replace("NEXT", next));
        let _ = dropforge::generate_server(&document, "chain");
    }
}

/// Each of 29 unions leads to the next one in two ways: 2^29 paths.
#[test]
fn doubled_compositions_of_clients() {
    let link = "{oneOf: [NEXT, {title: Again, oneOf: [NEXT, {type: boolean}]}]}";
    make_client(&chain(30, |next| link.replace("NEXT", next)));
}

#[test]
fn clients() {
    for link in LINKS {
        make_client(&chain(LENGTH_OF_CLIENTS, |next| link.replace("NEXT", next)));
    }
}

#[test]
fn compositions_of_compositions_are_refused() {
    for schema in ["{allOf: [NEXT]}", "{oneOf: [NEXT]}", "{not: NEXT}"] {
        let document = chain(LENGTH, |next| schema.replace("NEXT", next));
        let found = lint(&document);
        let mut codes = found.iter().map(|one| one.code);
        assert!(codes.any(|code| code == "composition-too-deep"), "{schema}");
        dropforge::generate_server(&document, "chain").expect_err(schema);
    }
}

/// Each of 30 schemas has the next one twice by `allOf`: 2^30 ways to the last one.
#[test]
fn doubled_parts_are_refused() {
    for schema in [
        "{allOf: [NEXT, NEXT, {type: object}]}",
        "{allOf: [NEXT, {allOf: [NEXT]}]}",
    ] {
        let document = chain(30, |next| schema.replace("NEXT", next));
        let found = lint(&document);
        let mut codes = found.iter().map(|one| one.code);
        assert!(codes.any(|code| code == "composition-too-deep"), "{schema}");
        dropforge::generate_server(&document, "chain").expect_err(schema);
        dropforge::emit::client::generate(&document).expect_err(schema);
    }
}

/// A part that several schemas share is no error.
#[test]
fn shared_parts() {
    let document = chain(8, |next| {
        format!("{{allOf: [{next}, {{allOf: [{next}], description: Again}}]}}")
    });
    make_client(&document);
    read(&document);
}

/// Schemas that are written in each other, as deep as a document may be.
#[test]
fn the_deepest_document() {
    // Below `components`, `schemas`, and with the object of the document.
    let depth = dropforge::document::MAX_DEPTH - 4;
    let schema = (0..depth).fold("{type: string}".to_owned(), |inner, _| {
        format!("{{type: array, items: {inner}}}")
    });
    let text = format!(
        "openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths: {{}}\ncomponents:\n  schemas:\n    \
         S: {schema}\n"
    );
    let document = Document::load("deep.yaml", &text).expect("a document");
    read(&document);
    make_client(&document);
}
