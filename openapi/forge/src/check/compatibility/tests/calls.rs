//! Requests that the service sends: callbacks and webhooks.

use super::*;

const CALLS: &str = "\
openapi: 3.1.0
info: {title: T, version: '1'}
paths:
  /orders:
    post:
      operationId: order
      responses: {'204': {description: Done.}}
      callbacks:
        paid:
          '{$request.body#/url}':
            post:
              parameters: [{name: X-Trace, in: header, schema: {type: string}}]
              requestBody:
                required: true
                content: {application/json: {schema: {$ref: '#/components/schemas/Event'}}}
              responses:
                '200':
                  description: Done.
                  headers: {Next: {schema: {type: integer, maximum: 9}}}
                  content: {application/json: {schema: {$ref: '#/components/schemas/Receipt'}}}
webhooks:
  lost:
    post:
      operationId: lose
      requestBody:
        content: {application/json: {schema: {type: object, properties: {count: {type: integer}}}}}
      responses: {'204': {description: Done.}}
components:
  schemas:
    Event: {type: object, required: [id], properties: {id: {type: string, enum: [a, b]}, text: {type: string}}}
    Receipt: {type: object, properties: {key: {type: string, enum: [c, d]}}}
";

fn changes(old: &str, new: &str) -> Vec<(Class, String)> {
    let changes = compare(&document(old), &document(new)).into_iter();
    changes.map(|one| (one.class, one.message)).collect()
}

/// Edits of the document.
const EDITS: &[Case] = &[
    (
        ["        paid:", "        billed:"],
        [&[BreaksClients, Additive], &[BreaksClients, Additive]],
    ),
    (
        ["body#/url}", "body#/address}"],
        [&[BreaksClients, Additive], &[BreaksClients, Additive]],
    ),
    (
        ["  lost:", "  found:"],
        [&[BreaksClients, Additive], &[BreaksClients, Additive]],
    ),
    (
        ["operationId: lose", "operationId: loss"],
        [&[BreaksClients], &[BreaksClients]],
    ),
    // What the service sends.
    (
        ["enum: [a, b]", "enum: [a, b, c]"],
        [&[BreaksClients], &[BreaksServers]],
    ),
    (
        ["required: [id]", "required: [id, text]"],
        [&[BreaksServers], &[BreaksClients]],
    ),
    (
        [", text: {type: string}", ""],
        [&[BreaksClients], &[Additive]],
    ),
    (
        ["{count: {type: integer}}", "{count: {type: number}}"],
        [&[BreaksClients], &[BreaksServers]],
    ),
    (
        ["required: true", "required: false"],
        [&[BreaksClients], &[BreaksServers]],
    ),
    (
        [
            "[{name: X-Trace, in: header, schema: {type: string}}]",
            "[]",
        ],
        [&[BreaksClients], &[Additive]],
    ),
    (
        ["in: header,", "in: header, required: true,"],
        [&[BreaksServers], &[BreaksClients]],
    ),
    (
        ["schemas/Event'}}}", "schemas/Event'}}, text/plain: {}}"],
        [&[BreaksClients], &[BreaksServers]],
    ),
    // What the service accepts.
    (
        ["enum: [c, d]", "enum: [c, d, e]"],
        [&[Additive], &[BreaksClients]],
    ),
    (
        ["maximum: 9", "maximum: 8"],
        [&[BreaksClients], &[Additive]],
    ),
    (
        ["                '200':", "                '2XX':"],
        [&[Additive, Additive], &[BreaksClients, Additive]],
    ),
    (
        ["headers: {Next: {", "headers: {Next: {required: true, "],
        [&[BreaksClients], &[Additive]],
    ),
    (
        [
            "              responses:\n",
            "              responses:\n                '409': {description: No.}\n",
        ],
        [&[Additive], &[BreaksClients]],
    ),
    (
        ["schemas/Receipt'}}}", "schemas/Receipt'}}, text/plain: {}}"],
        [&[Additive], &[BreaksClients]],
    ),
];

#[test]
fn what_the_service_sends_and_accepts_is_compared_in_the_opposite_direction() {
    for ([old, new], [there, back]) in EDITS {
        assert!(CALLS.contains(old), "the document has no {old:?}");
        let edited = CALLS.replacen(old, new, 1);
        for (from, to, expected) in [(CALLS, &*edited, there), (&*edited, CALLS, back)] {
            let found = changes(from, to);
            let classes: Vec<Class> = found.iter().map(|(class, _)| *class).collect();
            assert_eq!(classes, *expected, "{old:?}, {new:?}: {found:?}");
        }
    }
    assert!(changes(CALLS, CALLS).is_empty());
}

#[test]
fn a_change_of_a_call_names_it_and_its_direction() {
    let edit = |old: &str, new: &str| changes(CALLS, &CALLS.replacen(old, new, 1));
    let paid = "POST /orders: the callback `paid` (POST `{$request.body#/url}`)";
    let found = edit("required: true", "required: false");
    assert_eq!(
        found[0].1,
        format!("{paid}: the request body can be absent now")
    );
    let found = edit("name: X-Trace", "name: X-Track");
    let message = format!("{paid}: the header parameter `X-Trace` is called `X-Track` now");
    assert_eq!(found, [(BreaksClients, message)]);
    let found = edit("  lost:", "  found:");
    assert_eq!(found[0].1, "the webhook `lost` (POST) was removed");
    assert_eq!(found[1].1, "the webhook `found` (POST) is new");
    let found = edit("enum: [a, b]", "enum: [a, b, c]");
    assert_eq!(found[0].1, "in requests, the value \"c\" is new");
    let found = edit("maximum: 9", "maximum: 8");
    assert_eq!(found[0].1, "in responses, `maximum` is 8, not 9");
}

#[test]
fn the_reason_of_a_change_of_a_call_is_the_opposite_one() {
    for (old, new, reason) in [
        (
            "in: header,",
            "in: header, required: true,",
            "a request without it violates the document",
        ),
        (
            "schemas/Event'}}}",
            "schemas/Event'}}, text/plain: {}}",
            "clients can get requests that they do not know",
        ),
        (
            "headers: {Next: {",
            "headers: {Next: {required: true, ",
            "responses without it are rejected",
        ),
    ] {
        let changes = compare(&document(CALLS), &document(&CALLS.replacen(old, new, 1)));
        assert_eq!(changes[0].reason, reason);
    }
}

#[test]
fn the_place_and_the_words_of_a_webhook_are_its_own() {
    let edited = CALLS.replace(
        "{count: {type: integer}}",
        "{count: {type: integer, title: C}}",
    );
    let found = compare(&document(CALLS), &document(&edited));
    assert_eq!(found.len(), 1, "{found:?}");
    let schema = "/webhooks/lost/post/requestBody/content/application~1json/schema";
    assert_eq!(found[0].class, Documentation);
    assert_eq!(found[0].pointer, format!("{schema}/properties/count/title"));
    let without = CALLS.split("webhooks:").next().expect("a text");
    let components = CALLS.find("components:").expect("components");
    let without = format!("{without}{}", &CALLS[components..]);
    let found = changes(CALLS, &without);
    assert_eq!(
        found[0],
        (
            BreaksClients,
            "the webhook `lost` (POST) was removed".to_owned()
        )
    );
    assert_eq!(found.len(), 1, "{found:?}");
}
