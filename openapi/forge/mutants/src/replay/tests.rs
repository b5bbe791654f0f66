//! Changed documents, and whether recorded requests notice.

use dropforge::document::Document;

use super::Traffic;

const DOCUMENT: &str = "\
openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /pets:
    post:
      operationId: addPet
      security: [{token: [pets.write]}]
      parameters:
        - {name: limit, in: query, schema: {type: integer, maximum: 10}}
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: '#/components/schemas/Pet'}
      responses: {}
components:
  securitySchemes: {token: {type: http, scheme: bearer}}
  schemas:
    Pet:
      type: object
      required: [name]
      properties:
        name: {type: string, maxLength: 3}
";

const RECORDED: &str = r#"
{"operation":"addPet","path":"/api/pets","verdict":{"value":{"part":{"parameter":"limit"},"value":11,"valid":false}}}
{"operation":"addPet","path":"/api/pets","verdict":{"value":{"part":{"body":"application/json"},"value":{"name":"Mira"},"valid":false}}}
{"operation":"addPet","path":"/api/pets","verdict":{"value":{"part":{"body":"application/json"},"value":{"name":"Ida"},"valid":true}}}
{"operation":"addPet","path":"/api/pets","verdict":{"absent":{"part":{"body":""},"valid":false}}}
{"operation":"addPet","path":"/api/pets","verdict":{"caller":{"presented":"bearer","refused":null}}}
{"operation":"addPet","path":"/api/pets","verdict":{"caller":{"presented":null,"refused":"missing"}}}
{"operation":"addPet","path":"/api/pets","verdict":{"caller":{"presented":"bearer","refused":"forbidden"}}}
"#;

fn noticed(from: &str, to: &str) -> Option<String> {
    let load = |text: &str| Document::load("pets.yaml", text).expect("a document");
    assert!(DOCUMENT.contains(from), "{from}");
    let traffic = Traffic::read(RECORDED, &load(DOCUMENT));
    assert_eq!(traffic.len(), 3);
    traffic.notices(&load(&DOCUMENT.replace(from, to)))
}

#[test]
fn a_request_that_a_changed_document_judges_otherwise_is_found() {
    for (from, to) in [
        ("maxLength: 3", "maxLength: 4"),
        ("maxLength: 3", "maxLength: 2"),
        ("maximum: 10", "maximum: 11"),
        ("required: true", "required: false"),
        ("security: [{token: [pets.write]}]", "security: []"),
        (
            "security: [{token: [pets.write]}]",
            "security: [{token: [pets.write]}, {}]",
        ),
        ("token: [pets.write]", "token: []"),
        ("token: [pets.write]", "token: [pets.write, more]"),
    ] {
        assert!(noticed(from, to).is_some(), "{from} to {to}");
    }
}

#[test]
fn what_no_recorded_request_depends_on_is_not() {
    for (from, to) in [
        ("title: T", "title: U"),
        ("maximum: 10", "maximum: 9"),
        (
            "type: string, maxLength: 3",
            "type: string, minLength: 3, maxLength: 3",
        ),
    ] {
        assert_eq!(noticed(from, to), None, "{from} to {to}");
    }
}
