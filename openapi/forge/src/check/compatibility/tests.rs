//! One document, and what it means to change one thing in it, there and back.

mod calls;
mod cases;
mod unions;

use super::comparison::pair;
use super::*;
use crate::document::Source;
use Class::{Additive, BreaksClients, BreaksServers, Documentation};
use cases::{Case, WIRE, WORDS};

const BASE: &str = include_str!("base.yaml");

fn document(text: &str) -> Document {
    match Document::load("base.yaml", text) {
        Ok(document) => document,
        Err(diagnostics) => panic!("{}", diagnostics.render(&Source::new("base.yaml", text))),
    }
}

fn changed(old: &str, new: &str) -> String {
    assert!(BASE.contains(old), "the document has no {old:?}");
    BASE.replacen(old, new, 1)
}

fn classes(old: &str, new: &str) -> (Vec<Class>, String) {
    let changes = compare(&document(old), &document(new));
    let told = format!("{changes:#?}");
    (changes.iter().map(|change| change.class).collect(), told)
}

fn check(cases: &[Case]) {
    for ([old, new], [there, back]) in cases {
        let text = changed(old, new);
        // Texts that are added or removed together with something are not tested here.
        let matters = |classes: Vec<Class>, expected: &[Class]| -> Vec<Class> {
            let words = expected.contains(&Documentation);
            classes
                .into_iter()
                .filter(|c| words || *c != Documentation)
                .collect()
        };
        let (classes_there, told) = classes(BASE, &text);
        assert_eq!(
            matters(classes_there, there),
            *there,
            "{old:?} to {new:?}: {told}"
        );
        let (classes_back, told) = classes(&text, BASE);
        assert_eq!(
            matters(classes_back, back),
            *back,
            "{new:?} to {old:?}: {told}"
        );
    }
}

#[test]
fn a_change_on_the_wire_means_what_it_does_in_its_direction() {
    check(WIRE);
}

#[test]
fn an_extensible_enum_of_responses_may_grow() {
    let open = |values: &str| {
        let text = changed("enum: [c, d]", &format!("x-extensible-enum: [{values}]"));
        text.replace("enum: [a, b]", &format!("x-extensible-enum: [{values}]"))
    };
    assert_eq!(classes(&open("c"), &open("c, d")).0, [Additive, Additive]);
    assert_eq!(
        classes(&open("c, d"), &open("c")).0,
        [BreaksClients, BreaksServers]
    );
}

/// A document whose response has two properties of one schema.
fn with_kinds(kind: &str, first: &str, second: &str) -> String {
    format!(
        "openapi: 3.0.3
info: {{title: x, version: '1'}}
paths:
  /x:
    get:
      responses:
        '200':
          description: x
          content:
            application/json:
              schema:
                type: object
                properties:
                  first: {first}
                  second: {second}
components:
  schemas:
    Kind: {kind}
"
    )
}

#[test]
fn null_may_move_from_a_schema_to_the_places_that_refer_to_it() {
    let plain = "{$ref: '#/components/schemas/Kind'}";
    let null = "{allOf: [{$ref: '#/components/schemas/Kind'}], nullable: true, description: x, examples: [x]}";
    let everywhere = with_kinds("{type: string, nullable: true}", plain, plain);
    let at_places = with_kinds("{type: string}", null, null);
    let at_one = with_kinds("{type: string}", null, plain);
    let breaking = |old: &str, new: &str| -> Vec<String> {
        let changes = compare(&document(old), &document(new)).into_iter();
        let breaking = changes.filter(|change| change.class.is_breaking());
        breaking.map(|change| change.pointer).collect()
    };
    assert_eq!(breaking(&everywhere, &at_places), [] as [&str; 0]);
    assert_eq!(breaking(&at_places, &everywhere), [] as [&str; 0]);
    let second = "/paths/~1x/get/responses/200/content/application~1json/schema/properties/second";
    assert_eq!(breaking(&at_places, &at_one), [second]);
    assert_eq!(breaking(&at_one, &at_places), [second]);
}

#[test]
fn members_may_move_to_the_parts_of_an_object() {
    let kind = "{$ref: '#/components/schemas/Kind'}";
    let own = "{type: object, required: [a], properties: {a: {type: string}, b: {type: string}}}";
    let first = with_kinds("{type: object, properties: {b: {type: string}}}", kind, own);
    let composed = "{allOf: [{$ref: '#/components/schemas/Kind'}, {type: object, required: [a], \
                    properties: {a: {type: string}}}]}";
    let second = first.replace(own, composed);
    let breaking = |old: &str, new: &str| -> Vec<String> {
        let changes = compare(&document(old), &document(new)).into_iter();
        let breaking = changes.filter(|change| change.class.is_breaking());
        breaking.map(|change| change.message).collect()
    };
    assert_eq!(breaking(&first, &second), [] as [&str; 0]);
    assert_eq!(breaking(&second, &first), [] as [&str; 0]);
    let without = second.replace("{b: {type: string}}", "{}");
    assert_eq!(
        breaking(&first, &without),
        ["in responses, the property `b` was removed"; 2]
    );
}

#[test]
fn a_change_of_words_is_documentation() {
    check(WORDS);
}

#[test]
fn a_document_has_not_changed_from_itself() {
    assert_eq!(classes(BASE, BASE).0, []);
}

#[test]
fn names_that_nobody_sees_may_change() {
    let text = BASE
        .replace("{id}", "{thingId}")
        .replace("name: id,", "name: thingId,")
        .replace("schemas/Output", "schemas/Result")
        .replace("    Output:", "    Result:");
    let changes = compare(&document(BASE), &document(&text));
    assert!(!changes.is_empty());
    for change in changes {
        assert_eq!(change.class, Documentation, "{change:?}");
    }
}

#[test]
fn a_change_says_where_it_is() {
    let text = changed("enum: [a, b]", "enum: [a]");
    let changes = compare(&document(BASE), &document(&text));
    let pointer = "/components/schemas/Input/properties/kind/enum";
    assert_eq!(
        (changes[0].side, changes[0].pointer.as_str()),
        (Side::New, pointer)
    );
    let text = changed("        note: {type: string}\n", "");
    let changes = compare(&document(BASE), &document(&text));
    let pointer = "/components/schemas/Input/properties/note";
    assert_eq!(
        (changes[0].side, changes[0].pointer.as_str()),
        (Side::Old, pointer)
    );
}

#[test]
fn what_drift_sees_alone_is_told() {
    let text = changed("maxItems: 3", "maxItems: 4");
    let (one, two) = (document(BASE), document(&text));
    // The walk, which would see the change, does not run.
    let mut comparison = Comparison::new(&one, &two);
    comparison.add_drift_findings();
    assert_eq!(comparison.changes.len(), 1);
    assert!(comparison.changes[0].message.starts_with("drift finds"));
}

/// drift has other pointers than the document for request bodies, and for compositions of one part.
#[test]
fn what_both_find_at_an_inline_schema_is_reported_once() {
    let with = |schema: &str| {
        format!(
            "openapi: 3.0.3
info: {{title: x, version: '1'}}
paths:
  /x:
    post:
      requestBody: {{content: {{application/json: {{schema: {schema}}}}}}}
      responses: {{'204': {{description: x}}}}
"
        )
    };
    for schema in [
        "{type: object, properties: {a: {type: string, maxLength: 2}}}",
        "{type: object, properties: {a: {allOf: [{type: string, maxLength: 2}]}}}",
        "{oneOf: [{type: object, properties: {a: {type: string, maxLength: 2}}}]}",
        "{anyOf: [{type: string, maxLength: 2}, {type: integer}]}",
    ] {
        let (one, other) = (with(schema), with(&schema.replace('2', "3")));
        assert_eq!(classes(&one, &other).0, [Additive], "{schema}");
        assert_eq!(classes(&other, &one).0, [BreaksClients], "{schema}");
    }
}

#[test]
fn another_way_to_get_tokens_breaks_clients() {
    let with = |flows: &str| {
        let flows = format!("{{type: oauth2, flows: {flows}}}");
        BASE.replace("{type: oauth2, flows: {}}", &flows)
    };
    let one = with("{clientCredentials: {tokenUrl: 'https://a.example', scopes: {a: A.}}}");
    let other = one.replace("a.example", "b.example");
    let message = "the scheme `token` has another `tokenUrl`";
    assert_eq!(breaking(&one, &other), [message]);
    let words = one.replace("{a: A.}", "{a: A!}");
    assert_eq!(classes(&one, &words).0, [Documentation]);
    let removed = "the scheme `token`: the flow `clientCredentials` was removed";
    assert_eq!(breaking(&one, &with("{}")), [removed]);
    assert_eq!(classes(&with("{}"), &one).0, [Additive]);
}

/// Scopes that an operation requires are those that its requirement listed before.
#[test]
fn scopes_of_an_operation_count_like_those_of_its_requirement() {
    let scoped = |scopes: &str| {
        BASE.replace(
            "security: [{token: [write]}]",
            &format!("security: [{{token: []}}]\n      x-required-scopes: [{scopes}]"),
        )
        .replace(
            "{type: oauth2, flows: {}}",
            "{type: http, scheme: bearer, x-scopes: {write: W., admin: A.}}",
        )
    };
    let classes = |old: &str, new: &str| -> Vec<Class> {
        let load = |text: &str| Document::load("base.yaml", text).expect("a document");
        let changes = compare(&load(old), &load(new));
        let classes = changes.iter().map(|change| change.class);
        classes.filter(|class| *class != Documentation).collect()
    };
    assert_eq!(classes(BASE, &scoped("write")), []);
    assert_eq!(classes(&scoped("write"), &scoped("admin")), [BreaksClients]);
    assert_eq!(
        classes(&scoped("write"), &scoped("write, admin")),
        [BreaksClients]
    );
    assert_eq!(
        classes(&scoped("write, admin"), &scoped("admin, write")),
        []
    );
    assert_eq!(
        classes(&scoped("write, admin"), &scoped("write")),
        [Additive]
    );
    let load = |text: &str| Document::load("base.yaml", text).expect("a document");
    let changes = compare(&load(&scoped("write")), &load(&scoped("admin")));
    assert!(
        changes[0].pointer.ends_with("/x-required-scopes"),
        "{changes:?}"
    );
}

#[test]
fn the_media_types_of_a_part_count_as_what_a_request_may_have() {
    let with = |encoding: &str| {
        let body = "multipart/form-data:\n            encoding: {ENCODING}\n            schema: {$ref: '#/components/schemas/Input'}";
        BASE.replace(
            "application/json:\n            schema: {$ref: '#/components/schemas/Input'}",
            &body.replace("ENCODING", encoding),
        )
    };
    let classes = |old: &str, new: &str| -> Vec<Class> {
        let changes = compare(&document(&with(old)), &document(&with(new)));
        changes.iter().map(|change| change.class).collect()
    };
    const PNG: &str = "note: {contentType: image/png}";
    const BOTH: &str = "note: {contentType: 'image/jpeg, image/png'}";
    const GIF: &str = "note: {contentType: 'image/gif, image/png'}";
    for (old, new, class, back) in [
        ("", PNG, BreaksClients, Additive),
        (PNG, BOTH, Additive, BreaksClients),
        (BOTH, GIF, BreaksClients, BreaksClients),
    ] {
        assert_eq!(classes(old, new), [class], "{old} to {new}");
        assert_eq!(classes(new, old), [back], "{new} to {old}");
    }
    let turned = "note: {contentType: 'image/png,image/jpeg'}";
    assert_eq!(classes(BOTH, turned), []);
    // Parts that no request had before can have any.
    assert_eq!(classes("", "other: {contentType: image/png}"), []);
}

/// The messages of the breaking changes between two documents.
fn breaking(old: &str, new: &str) -> Vec<String> {
    let changes = compare(&document(old), &document(new)).into_iter();
    let breaking = changes.filter(|change| change.class.is_breaking());
    breaking.map(|change| change.message).collect()
}

#[test]
fn a_property_that_only_responses_have_may_be_required_without_a_change_of_requests() {
    let with = |property: &str| {
        let required = BASE.replacen("required: [name]", "required: [name, id]", 1);
        required.replacen(
            "note: {type: string}",
            &format!("note: {{type: string}}\n        {property}"),
            1,
        )
    };
    let message = "in requests, the required property `id` is new".to_owned();
    assert!(breaking(BASE, &with("id: {type: string}")).contains(&message));
    let found = breaking(BASE, &with("id: {type: string, readOnly: true}"));
    assert!(!found.contains(&message), "{found:?}");
}

#[test]
fn a_property_that_only_requests_have_is_no_change_of_responses() {
    let with = changed(
        "        extra: {",
        "        secret: {type: string, writeOnly: true}\n        extra: {",
    );
    assert_eq!(breaking(BASE, &with), [] as [&str; 0]);
    let removed = "in responses, the property `secret` was removed".to_owned();
    assert!(!breaking(&with, BASE).contains(&removed));
}

#[test]
fn a_part_that_requires_another_name_is_a_change() {
    let kind =
        "{type: object, additionalProperties: {type: string}, properties: {a: {type: string}}}";
    let first = "{allOf: [{$ref: '#/components/schemas/Kind'}, {required: [a]}]}";
    let second = "{allOf: [{$ref: '#/components/schemas/Kind'}, {required: [a, b]}]}";
    let plain = "{type: string}";
    let (one, two) = (
        with_kinds(kind, first, plain),
        with_kinds(kind, second, plain),
    );
    let message = |what: &str| format!("in responses, the property `b` {what} now");
    assert!(breaking(&one, &two).contains(&message("has to be there")));
    assert!(breaking(&two, &one).contains(&message("can be absent")));
}

#[test]
fn a_tag_that_names_another_schema_is_a_change() {
    let other = changed(
        "mapping: {round: '#/components/schemas/Round'}",
        "mapping: {round: '#/components/schemas/Flat'}",
    );
    let found = breaking(BASE, &other);
    let removed = "in responses, the property `self` was removed".to_owned();
    assert!(found.contains(&removed), "{found:?}");
}

/// The values of a property choose an alternative that `mapping` lacks, if they lack the component's name.
#[test]
fn an_entry_of_a_mapping_for_a_value_that_chose_the_alternative_before_is_no_change() {
    let flat = |values: &str| {
        let property = "Flat: {type: object, properties: {tag: {type: string";
        changed(property, &format!("{property}, enum: [{values}]"))
    };
    let mapped = |text: &str| text.replacen("mapping: {round:", "mapping: {flat: Flat, round:", 1);
    let one = flat("flat, flat");
    assert_eq!(breaking(&one, &mapped(&one)), [] as [&str; 0]);
    assert_eq!(breaking(&mapped(&one), &one), [] as [&str; 0]);
    let two = flat("flat, level");
    let removed = "in responses, the tag `level` was removed".to_owned();
    assert!(breaking(&two, &mapped(&two)).contains(&removed));
    // The values of the property are compared, and no tags beside them.
    let found = breaking(&two, &one);
    assert!(!found.is_empty() && found.iter().all(|one| !one.contains("the tag")));
}

#[test]
fn an_empty_schema_of_other_properties_allows_all_of_them() {
    let schema = |additional: &str| {
        let kind = format!("{{type: object, additionalProperties: {additional}}}");
        with_kinds(&kind, "{$ref: '#/components/schemas/Kind'}", "{}")
    };
    let is_change = |old: &str, new: &str| {
        let found = breaking(&schema(old), &schema(new));
        let change = "in responses, other properties are";
        found.iter().any(|message| message.starts_with(change))
    };
    assert!(!is_change("true", "{}"));
    assert!(!is_change("{}", "true"));
    assert!(is_change("{type: string}", "{}"));
}

#[test]
fn the_default_of_a_style_may_be_written() {
    let changes = |new: &str| breaking(BASE, &changed("{name: dry, in: query,", new));
    let is_style = |message: &String| message.contains("has another");
    let written = "{name: dry, in: query, style: form, explode: true, allowReserved: false,";
    assert!(!changes(written).iter().any(is_style));
    for other in ["explode: false", "style: pipeDelimited"] {
        let other = changes(&format!("{{name: dry, in: query, {other},"));
        assert!(other.iter().any(is_style), "{other:?}");
    }
}

#[test]
fn an_operation_behind_a_reference_is_compared() {
    let text = |required: bool| {
        format!(
            "openapi: 3.1.0\ninfo: {{title: x, version: '1'}}\npaths: {{/x: {{$ref: \
             '#/components/pathItems/X'}}}}\ncomponents:\n  pathItems:\n    X:\n      get:\n        \
             parameters: [{{name: a, in: query, required: {required}, schema: {{type: string}}}}]\n"
        )
    };
    let found = breaking(&text(false), &text(true));
    let message = "GET /x: the query parameter `a` is required now".to_owned();
    assert!(found.contains(&message), "{found:?}");
}

#[test]
fn a_schema_that_is_composed_of_itself_ends_the_comparison() {
    let circle = "{allOf: [{$ref: '#/components/schemas/Kind'}]}";
    let plain = "{$ref: '#/components/schemas/Kind'}";
    let document = document(&with_kinds(circle, plain, plain));
    let mut comparison = Comparison::new(&document, &document);
    comparison.operations();
    assert_eq!(comparison.changes, []);
}

#[test]
fn the_words_of_a_property_are_words_whatever_its_name_is() {
    for name in ["other", "headers", "properties"] {
        let with = |words: &str| {
            let property = format!("{name}: {{type: string, description: {words}}}");
            changed("note: {type: string}", &property)
        };
        let changes = compare(&document(&with("One.")), &document(&with("Two.")));
        let classes: Vec<Class> = changes.iter().map(|change| change.class).collect();
        assert_eq!(classes, [Documentation], "{name}");
    }
}

#[test]
fn large_bounds_are_compared_by_all_their_digits() {
    let with = |bound: &str| {
        let kind = format!("{{type: integer, maximum: {bound}}}");
        with_kinds(&kind, "{$ref: '#/components/schemas/Kind'}", "{}")
    };
    let found = breaking(&with("9007199254740993"), &with("9007199254740992"));
    let message = "in responses, `maximum` is 9007199254740992, not 9007199254740993".to_owned();
    assert!(found.contains(&message), "{found:?}");
}

#[test]
fn a_range_of_statuses_is_the_same_in_lower_case() {
    let with = |status: &str| changed("'404'", status);
    assert_eq!(classes(&with("'4XX'"), &with("'4xx'")).0, []);
    assert_eq!(classes(&with("'4xx'"), &with("'4XX'")).0, []);
}

#[test]
fn notations_of_one_limit_or_value_are_no_change() {
    let with = |kind: &str| with_kinds(kind, "{$ref: '#/components/schemas/Kind'}", "{}");
    for (one, other) in [
        (
            "{type: integer, minimum: 5, exclusiveMinimum: true}",
            "{type: integer, minimum: 6}",
        ),
        (
            "{type: integer, maximum: 5, exclusiveMaximum: true}",
            "{type: integer, maximum: 4.0}",
        ),
        (
            "{type: number, enum: [1, 2]}",
            "{type: number, enum: [1.0, 2]}",
        ),
        ("{enum: [1]}", "{enum: [1.0]}"),
        (
            "{type: integer, multipleOf: 4}",
            "{type: integer, multipleOf: 4.0}",
        ),
    ] {
        let (classes_there, told) = classes(&with(one), &with(other));
        assert_eq!(classes_there, [], "{one} to {other}: {told}");
        let (classes_back, told) = classes(&with(other), &with(one));
        assert_eq!(classes_back, [], "{other} to {one}: {told}");
    }
    let number = |limit: &str| with(&format!("{{type: number, minimum: {limit}}}"));
    let found = breaking(&number("5, exclusiveMinimum: true"), &number("6"));
    assert_eq!(found, ["in responses, `minimum` is 6, not 5"]);
}

#[test]
fn a_next_page_that_another_parameter_requests_breaks_clients() {
    let with = |name: &str| {
        let header = format!("ETag: {{x-dropforge-next-page: {name}, ");
        changed("ETag: {", &header)
    };
    assert_eq!(
        breaking(&with("dry"), &with("wet")),
        ["PUT /things/{id}: 200: the header `ETag` has `wet` of the next page, not `dry`"]
    );
}

#[test]
fn another_notation_of_a_default_is_no_change() {
    let with = |default: &str| {
        let parameter = format!("schema: {{type: number, default: {default}}}");
        changed("schema: {type: boolean, default: false}", &parameter)
    };
    assert_eq!(classes(&with("1"), &with("1.0")).0, []);
    assert_eq!(classes(&with("1"), &with("1.5")).0, [BreaksClients]);
}

#[test]
fn decimals_are_multiples_of_decimals() {
    let with = |step: &str| {
        let parameter = format!("schema: {{type: number, multipleOf: {step}}}");
        changed("schema: {type: boolean, default: false}", &parameter)
    };
    assert_eq!(classes(&with("0.3"), &with("0.1")).0, [Additive]);
    assert_eq!(classes(&with("0.1"), &with("0.3")).0, [BreaksClients]);
    assert_eq!(classes(&with("0.1"), &with("0.25")).0, [BreaksClients]);
}

#[test]
fn an_error_that_was_described_by_the_default_is_compared_with_it() {
    let error = |name: &str| {
        let schema = format!("{{$ref: '#/components/schemas/{name}'}}");
        format!("{{description: No., content: {{application/json: {{schema: {schema}}}}}}}")
    };
    let default = changed("'404': {", "default: {");
    let with = |listed: &str| {
        let both = format!("        '404': {listed}\n        default: {{");
        default.replacen("        default: {", &both, 1)
    };
    let alike = with(&error("Error"));
    assert_eq!(breaking(&default, &alike), [] as [&str; 0]);
    assert_eq!(breaking(&alike, &default), [] as [&str; 0]);
    let other = with(&error("Flat"));
    let removed = |name: &str| format!("in responses, the property `{name}` was removed");
    assert_eq!(breaking(&default, &other), [removed("error")]);
    assert_eq!(breaking(&other, &default), [removed("tag")]);
}

#[test]
fn the_case_of_a_key_in_the_query_counts() {
    let with = |place: &str| {
        let key = BASE.replacen("{token: [write]}", "{key: []}", 1);
        key.replacen("in: header, name: X-Key", place, 1)
    };
    let (one, other) = (with("in: query, name: Key"), with("in: query, name: key"));
    let message = "PUT /things/{id}: the security requirements changed";
    assert_eq!(breaking(&one, &other), [message]);
    let header = with("in: header, name: x-key");
    assert_eq!(
        breaking(&with("in: header, name: X-Key"), &header),
        [] as [&str; 0]
    );
}

#[test]
fn the_paths_of_a_document_without_a_base_path_begin_at_the_root() {
    let without = BASE.replacen("'{base}/api'", "'{base}'", 1);
    let message = "all paths begin with `/` now, not with `/api/`";
    assert!(breaking(BASE, &without).iter().any(|one| one == message));
}

/// No time is asserted, but a pairing that compares each item with all others would not end within a minute.
#[test]
fn long_lists_are_paired_in_linear_time() {
    let old: Vec<u32> = (0..300_000).collect();
    let new = old.iter().rev().copied().collect();
    let paired = pair(old, new, |number| *number);
    assert_eq!(paired.kept.len(), 300_000);
    let paired = pair(vec!["a", "b", "a"], vec!["a", "c"], |name| *name);
    assert_eq!(paired.kept, [("a", "a")]);
    assert_eq!(paired.removed, ["b", "a"]);
    assert_eq!(paired.added, ["c"]);
}
