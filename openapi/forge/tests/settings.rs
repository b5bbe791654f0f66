//! The settings of a generated server: traits by tag, methods of a prototype, limits of bodies, and secrets that
//! `Debug` does not show.

use dropforge::document::Document;
use dropforge::{Purpose, generate_server_for, pretty};

const DOCUMENT: &str = "
openapi: 3.0.3
info: {title: Pets, version: '1'}
x-dropforge-traits: by-tag
x-dropforge-max-body-bytes: 100
tags:
  - {name: pet care, description: What pets need.}
paths:
  /pets:
    get:
      operationId: listPets
      tags: [pet care, other]
      responses: {'204': {description: None.}}
    put:
      operationId: savePets
      tags: [pet care]
      x-dropforge-max-body-bytes: 200
      requestBody:
        content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}
      responses: {'204': {description: Saved.}}
  /health:
    get:
      operationId: getHealth
      responses: {'204': {description: Fine.}}
components:
  schemas:
    Word: {type: string, format: password}
    Pet:
      type: object
      properties:
        name: {type: string}
        words: {type: array, items: {$ref: '#/components/schemas/Word'}}
        byPlace: {type: object, additionalProperties: {$ref: '#/components/schemas/Word'}}
        wrapped: {allOf: [{$ref: '#/components/schemas/Word'}]}
";

/// The server's code, with each run of spaces and line ends as one space.
fn code(document: &str, purpose: Purpose) -> String {
    let document = Document::load("pets.yaml", document).expect("it loads");
    let generated = generate_server_for(&document, "pets", purpose)
        .unwrap_or_else(|diagnostics| panic!("{}", diagnostics.render(&document.source)));
    let code = pretty(generated.tokens);
    code.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn each_tag_has_a_trait_where_the_document_asks_for_it() {
    let text = code(DOCUMENT, Purpose::Complete);
    for expected in [
        "pub trait Pets: PetCareOperations + UntaggedOperations {}",
        "impl<S: PetCareOperations + UntaggedOperations> Pets for S {}",
        "under the tag `pet care`. /// /// What pets need. pub trait PetCareOperations: Security",
        "pub trait UntaggedOperations: Security",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    let one = code(
        &DOCUMENT.replace("x-dropforge-traits: by-tag\n", ""),
        Purpose::Complete,
    );
    assert!(one.contains("pub trait Pets: Security") && !one.contains("PetCareOperations"));
}

#[test]
fn methods_of_a_prototype_respond_with_501_and_the_name_of_the_operation() {
    let body = "async { ::dropforge_runtime::not_implemented(\"savePets\") }";
    let prototype = code(DOCUMENT, Purpose::Prototype);
    assert!(prototype.contains(body) && prototype.contains("is_prototype: true"));
    let complete = code(DOCUMENT, Purpose::Complete);
    assert!(!complete.contains("not_implemented") && complete.contains("is_prototype: false"));
}

#[test]
fn the_body_limit_of_an_operation_replaces_that_of_the_document() {
    let text = code(DOCUMENT, Purpose::Complete);
    assert_eq!(text.matches("max_body_bytes: 100,").count(), 2);
    assert_eq!(text.matches("max_body_bytes: 200,").count(), 1);
}

#[test]
fn debug_does_not_show_secrets_in_lists_maps_and_compositions() {
    let text = code(DOCUMENT, Purpose::Complete);
    for field in ["words", "by_place", "wrapped"] {
        assert!(
            text.contains(&format!(".field(\"{field}\", &\"…\")")),
            "{field}"
        );
    }
    assert!(text.contains(".field(\"name\", &self.name)"));
}
