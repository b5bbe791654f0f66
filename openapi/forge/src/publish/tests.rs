use serde_json::{Value, json};

use super::*;

fn load(name: &str, text: &str) -> Document {
    Document::load(name, text).expect("a document")
}

fn published(name: &str, text: &str) -> String {
    canonical(&load(name, text))
}

#[test]
fn the_released_form_does_not_depend_on_how_the_document_is_written() {
    let block = "z: 'é'\na:\n  - 1.0\n  - &x {}\nm: *x # a comment\n";
    let flow = "{\"z\": \"\\u00e9\", \"a\": [1.0, {}], \"m\": {}}";
    let expected = "{\n  \"z\": \"é\",\n  \"a\": [\n    1.0,\n    {}\n  ],\n  \"m\": {}\n}\n";
    assert_eq!(published("x.yaml", block), expected);
    assert_eq!(published("x.json", flow), expected);
}

#[test]
fn unknown_paths_and_methods_are_described_with_their_bodies() {
    let text = "openapi: 3.0.3\ninfo: {title: T, version: '1', description: Says.}\n\
        x-dropforge-not-found:\n  /: &none {description: None., content: {application/json: \
        {examples: {a: {value: {code: A}}}}}}\n  /b: {description: B.}\n  \
        /e: {description: E., content: {application/json: {example: {code: E}}}}\n\
        x-dropforge-method-not-allowed: {description: Not here.}\n\
        paths:\n  /b: {x-dropforge-method-not-allowed: *none}\n  \
        /c: {x-dropforge-method-not-allowed: *none}\n  /d: {}\n";
    let published = json(&load("x.yaml", text));
    let expected = "Says.\n\n## Unknown paths and methods\n\n\
        | Request | Status | Body |\n|---|---|---|\n\
        | A path that this document does not have | 404 | `{\"code\":\"A\"}` |\n\
        | A path under `/b` that this document does not have | 404 | B. |\n\
        | A path under `/e` that this document does not have | 404 | `{\"code\":\"E\"}` |\n\
        | A method that the path does not have | 405 | Not here. |\n\
        | Another method of `/b`, `/c` | 405 | `{\"code\":\"A\"}` |";
    assert_eq!(published["info"]["description"], expected);
}

#[test]
fn the_released_form_is_stable() {
    let once = published("x.yaml", "b: {d: [~, 1e3, 12345678901234567890]}\na: ''\n");
    assert_eq!(published("x.json", &once), once);
    let once = published("x.yaml", DOCUMENT);
    assert_eq!(published("x.json", &once), once);
}

const DOCUMENT: &str = "\
openapi: 3.0.3
info: {title: T, version: '1', x-revision: 2.0.0, x-decision: {number: A1}}
x-dropforge-method-not-allowed: {$ref: '#/components/responses/NotAllowed'}
paths:
  /a:
    post:
      operationId: a
      description: Sends events.
      x-dropforge-max-body-bytes: 10
      responses:
        '200':
          description: Events.
          content:
            text/event-stream:
              x-dropforge-raw: true
              x-dropforge-stream:
                terminator: '[DONE]'
                event: type
                examples:
                  short:
                    summary: A short stream
                    value: |+
                      event: begun
                      data: {\"type\":\"begun\",\"id\":\"1\"}

                      data: [DONE]

              schema: {$ref: '#/components/schemas/Event'}
components:
  responses:
    NotAllowed:
      description: No such method.
      content: {application/json: {schema: {$ref: '#/components/schemas/Wrong'}}}
  schemas:
    Wrong: {type: object}
    Event:
      oneOf:
        - $ref: '#/components/schemas/Begun'
        - $ref: '#/components/schemas/Failed'
    Base:
      type: object
      required: [type]
      properties: {type: {type: string}, note: {type: string}}
    Begun:
      description: |-
        The stream | has begun.

        More about it.
      allOf:
        - $ref: '#/components/schemas/Base'
        - type: object
          required: [id]
          properties:
            type: {type: string, enum: [begun]}
            id: {type: string, x-dropforge-secret: true}
            state: {type: string, x-extensible-enum: [A, B]}
            x-dropforge-secret: {type: string}
    Failed:
      description: The stream failed.
      type: object
      properties: {error: {type: string}}
";

#[test]
fn the_keys_of_the_generator_and_their_components_are_removed() {
    let json = json(&load("x.yaml", DOCUMENT));
    let info = json["info"].as_object().expect("info");
    assert_eq!(
        info.keys().collect::<Vec<_>>(),
        ["title", "version", "x-revision", "description"]
    );
    let components = json["components"].as_object().expect("components");
    assert_eq!(components.keys().collect::<Vec<_>>(), ["schemas"]);
    let schemas = json["components"]["schemas"].as_object().expect("schemas");
    assert_eq!(
        schemas.keys().collect::<Vec<_>>(),
        ["Event", "Base", "Begun", "Failed"]
    );
    let media = &json["paths"]["/a"]["post"]["responses"]["200"]["content"]["text/event-stream"];
    assert_eq!(
        *media,
        json!({"schema": {"$ref": "#/components/schemas/Event"}})
    );
    let properties = &schemas["Begun"]["allOf"][1]["properties"];
    assert_eq!(
        *properties,
        json!({
            "type": {"type": "string", "enum": ["begun"]},
            "id": {"type": "string", "format": "password"},
            "state": {"type": "string", "x-extensible-enum": ["A", "B"]},
            // A property may have the name of such a key.
            "x-dropforge-secret": {"type": "string"},
        })
    );
}

#[test]
fn the_events_of_a_stream_are_described_where_every_renderer_shows_them() {
    let json = json(&load("x.yaml", DOCUMENT));
    let expected = "\
Sends events.

### Event stream

| Event | Members | Meaning |
|---|---|---|
| `begun` | `note` (optional), `id`, `state` (optional), `x-dropforge-secret` (optional) | The stream \\| has begun. |
| any other | `error` (optional) | The stream failed. |

A complete stream ends with `data: [DONE]`.

A short stream:

```text
event: begun
data: {\"type\":\"begun\",\"id\":\"1\"}

data: [DONE]
```";
    assert_eq!(json["paths"]["/a"]["post"]["description"], expected);
}

#[test]
fn remaining_nodes_keep_their_position() {
    let document = load("x.yaml", DOCUMENT);
    let published = publish(&document);
    let at = "/components/schemas/Failed";
    assert_eq!(published.key_span(at), document.key_span(at));
    assert_eq!(published.source, document.source);
}

#[test]
fn yaml_says_the_same_as_json() {
    let hard = [
        "",
        " ",
        "a",
        "a b",
        "a: b",
        "a #b",
        "- a",
        "yes",
        "NULL",
        "~",
        "1",
        "1.5",
        ".5",
        "0x1",
        "1e3",
        "2026-11-21",
        "'",
        "\"",
        "\\",
        "a\tb",
        "a\nb",
        "a\nb\n",
        "a\nb\n\n",
        "a\n\n  b\n c",
        "\na\nb",
        " a\nb",
        "a\r\nb",
        "a\u{2028}b\nc",
        "a\u{85}b",
        "\u{feff}a\nb",
        "é",
        "*a",
        "&a",
        "!a",
        "%a",
        "@a",
        "`a`",
        "{a}",
        "[a]",
        "a,b",
        "?",
        "? a",
        "|",
        ">",
        "---",
        "...",
        "a\n---\nb",
        "a\n# b",
        "^[A-Za-z0-9_-]+$",
        "/a/{b}",
        "$ref",
        "a ",
        "a \nb ",
        "a\n\tb",
        "#/a",
        "\u{0}",
        "😀",
    ];
    let mut object = serde_json::Map::new();
    for text in hard {
        object.insert(
            text.to_owned(),
            json!({"value": text, "list": [text, [text], {"a": text, "b": [text]}]}),
        );
    }
    object.insert(
        "empty".into(),
        json!([{}, [], [[]], [{}], null, true, -1, 1.5, 1e300, u64::MAX]),
    );
    let value = Value::Object(object);
    let text = yaml(&value);
    let read = Document::load("x.yaml", &text);
    let read = read.unwrap_or_else(|wrong| {
        panic!(
            "{}",
            wrong.render(&crate::document::Source::new("x.yaml", &text))
        )
    });
    assert_eq!(read.to_json(), value, "{text}");
    let document = json(&load("x.yaml", DOCUMENT));
    let text = yaml(&document);
    assert_eq!(
        load("x.yaml", &text)
            .root
            .to_json()
            .to_string()
            .replace("enum", ""),
        load("x.json", &document.to_string())
            .root
            .to_json()
            .to_string()
            .replace("enum", "")
    );
    assert!(
        text.contains("      description: |-\n        Sends events.\n\n        ### Event stream\n"),
        "{text}"
    );
}
