use super::*;

/// What is wrong with the one response of this media type: the messages, and
/// the text each points at.
fn wrong(media_type: &str, content: &str, schemas: &str) -> Vec<(String, String)> {
    let text = format!(
        "paths:\n  /a:\n    get:\n      responses:\n        '200':\n          content:\n            \
         {media_type}:\n{content}\ncomponents:\n  schemas:\n{schemas}\n"
    );
    let document = match Document::load("x.yaml", &text) {
        Ok(document) => document,
        Err(diagnostics) => panic!("{diagnostics:?}"),
    };
    check(&document)
        .iter()
        .map(|finding| {
            let place = &text[finding.span.start..finding.span.end];
            (finding.message.clone(), place.to_owned())
        })
        .collect()
}

const THING: &str = "    Thing:
      type: object
      required: [id]
      properties:
        id: {type: integer, format: int32, minimum: 1}
        at: {type: string, format: date-time, nullable: true}
        secret: {type: string, writeOnly: true}
";

const SCHEMA: &str = "              schema: {$ref: '#/components/schemas/Thing'}\n";

fn wrong_things(media_type: &str, examples: &str) -> Vec<(String, String)> {
    let examples = examples.replace('\n', "\n              ");
    wrong(
        media_type,
        &format!("{SCHEMA}              {examples}"),
        THING,
    )
}

#[test]
fn a_right_example_passes_in_each_of_its_places() {
    for examples in [
        "example: {id: 1, at: null}",
        "examples: {a: {value: {id: 2147483647}}, b: {externalValue: 'http://x.example'}}",
        "x: {}",
    ] {
        assert_eq!(wrong_things("application/json", examples), []);
    }
}

#[test]
fn a_wrong_value_is_pointed_at_itself() {
    let wrong = wrong_things(
        "application/vnd.thing+json;charset=utf-8",
        "examples:\n  a: {value: {id: 0, at: today}}\n  b: {value: {}}",
    );
    assert_eq!(
        wrong,
        [
            ("/id: 0 is less than the minimum of 1".into(), "0".into()),
            (
                "/at: \"today\" is not a \"date-time\"".into(),
                "today".into()
            ),
            (
                "the example: \"id\" is a required property".into(),
                "{}".into()
            ),
        ]
    );
    let wrong = wrong_things("application/json", "example: {id: 2147483648}");
    assert_eq!(wrong.len(), 1, "int32 is a bound: {wrong:?}");
}

#[test]
fn forms_are_checked_as_objects_and_as_text() {
    let schema = "              schema: {type: object, required: [a b], properties: {a b: {maxLength: 3}}}\n";
    let form = |example: &str| {
        let content = format!("{schema}              example: {example}");
        wrong("application/x-www-form-urlencoded", &content, "    {}").len()
    };
    assert_eq!(form("'a+b=%C3%A4%C3%A4%C3%A4&c=d'"), 0);
    assert_eq!(form("'a%20b=1234'"), 1);
    assert_eq!(form("{a b: '123'}"), 0);
    assert_eq!(form("{a: b}"), 1);
}

#[test]
fn the_fields_of_a_form_have_the_types_of_their_schemas() {
    let properties = "n: {type: integer}, b: {type: boolean}, s: {type: string}, o: {type: object}, l: {type: array, \
                      items: {type: number}, minItems: 2}, e: {oneOf: [{type: string}, {type: integer}]}";
    let form = |example: &str| {
        let content = format!(
            "              schema: {{type: object, additionalProperties: false, properties: \
             {{{properties}}}}}\n              example: '{example}'"
        );
        wrong("application/x-www-form-urlencoded", &content, "    {}").len()
    };
    assert_eq!(form("n=1&b=true&s=1&o=%7B%22a%22:1%7D&l=1&l=2.5"), 0);
    assert_eq!(form(""), 0);
    for invalid in ["n=x", "n=null", "b=1", "l=1", "o=x", "other=1"] {
        assert_eq!(form(invalid), 1, "{invalid}");
    }
    // The field `e` may be of two types.
    assert_eq!(form("e=1&n=x"), 0);
}

#[test]
fn bytes_written_as_text_say_nothing_of_a_schema_that_is_no_string() {
    assert_eq!(wrong_things("application/pdf", "example: '%PDF-1.7'"), []);
    let string = "              schema: {type: string, maxLength: 2}\n";
    let content = format!("{string}              example: abc");
    assert_eq!(wrong("text/plain", &content, "    {}").len(), 1);
}

fn wrong_events(rule: &str, text: &str) -> Vec<String> {
    let stream = text.replace('\n', "\n    ");
    let stream = format!("x-dropforge-stream:\n  {rule}\n  example: |+\n    {stream}");
    let wrong = wrong_things("text/event-stream", &stream);
    wrong.into_iter().map(|(message, _)| message).collect()
}

#[test]
fn each_event_of_a_stream_is_checked() {
    let terminated = "terminator: '[DONE]'";
    let right = "data: {\"id\": 1}\n\ndata: [DONE]\n\n";
    assert_eq!(wrong_events(terminated, right), [""; 0]);
    assert_eq!(
        wrong_events(terminated, "data: {\"id\": 1}\n\ndata: {\"id\": \"x\"}\n\n"),
        ["event 2: /id: \"x\" is not of type \"integer\""]
    );
    assert_eq!(
        wrong_events(terminated, "data: [DONE]\n\ndata: {\"id\": 1}\n\n"),
        ["the stream continues after event 1, which ends it"]
    );
    assert_eq!(wrong_events("", "data: [DONE]\n\n").len(), 1);
    assert_eq!(
        wrong_events("", ": nothing\n\n"),
        ["the stream has no event"]
    );
    assert_eq!(wrong_events("", "data: {\"id\": 1}").len(), 1);
    let object = "x-dropforge-stream: {example: {id: 1}}";
    assert_eq!(wrong_things("text/event-stream", object).len(), 1);
}

#[test]
fn an_example_of_an_event_stream_is_one_event() {
    let wrong = |example: &str| {
        let example = format!("example: {example}");
        wrong_things("text/event-stream", &example).len()
    };
    assert_eq!(wrong("{id: 1}"), 0);
    assert_eq!(wrong("{id: x}"), 1);
    assert_eq!(wrong("\"data: {}\\n\\n\""), 1);
}

#[test]
fn the_name_of_an_event_is_what_its_data_says() {
    let named = "event: kind";
    let event = "event: a\ndata: {\"id\": 1, \"kind\": \"a\"}\n\n";
    assert_eq!(wrong_events(named, event), [""; 0]);
    assert_eq!(wrong_events(named, &event.replace(": a", ": b")).len(), 1);
}

#[test]
fn an_example_of_a_response_has_no_property_that_only_requests_have() {
    assert_eq!(
        wrong_things("application/json", "example: {id: 1, secret: a}").len(),
        1
    );
}

#[test]
fn defaults_examples_and_enums_of_schemas_are_checked() {
    let wrong = wrong(
        "application/json",
        "              x: 1",
        "    A: {type: string, default: 1, enum: [a, 2], example: ''}\n    \
         B: {type: object, required: [a], properties: {a: {readOnly: true}}, example: {}}",
    );
    let places: Vec<_> = wrong.iter().map(|(_, place)| place.as_str()).collect();
    assert_eq!(places, ["1", "1", "2", "''"]);
}

/// The findings in the schemas of a document: the text that each points at.
fn in_schemas(version: &str, schemas: &str) -> Vec<String> {
    let text = format!("openapi: {version}\ncomponents:\n  schemas:\n{schemas}\n");
    let document = match Document::load("x.yaml", &text) {
        Ok(document) => document,
        Err(diagnostics) => panic!("{diagnostics:?}"),
    };
    let found = check(&document);
    let found = found.iter();
    found
        .map(|one| text[one.span.start..one.span.end].to_owned())
        .collect()
}

#[test]
fn each_of_the_examples_of_a_schema_is_checked() {
    let examples = "    A: {type: integer, examples: [1, x, 2, true]}";
    assert_eq!(in_schemas("3.1.0", examples), ["x", "true"]);
    assert_eq!(in_schemas("3.0.3", examples), [""; 0]);
    let nested =
        "    A: {properties: {a: {type: integer}}, example: {a: 1}, examples: [{a: 2}, {a: b}]}";
    assert_eq!(in_schemas("3.1.0", nested), ["b"]);
}

#[test]
fn one_example_of_a_schema_may_be_that_of_a_request_and_another_that_of_a_response() {
    let schema = "    A:\n      required: [id, secret]\n      properties: {id: {readOnly: true}, secret: \
                  {writeOnly: true}}\n      examples: [{id: 1}, {secret: a}, {}]";
    assert_eq!(in_schemas("3.1.0", schema), ["{}"]);
}

#[test]
fn examples_of_parameters_and_headers_are_checked() {
    let text = "paths:\n  /a:\n    parameters:\n      - {name: a, in: query, schema: {type: integer}, example: x}\n";
    let document = Document::load("x.yaml", text).expect("a document");
    assert_eq!(check(&document).len(), 1);
}

#[test]
fn a_schema_that_cannot_be_used_is_a_finding() {
    let wrong = wrong(
        "application/json",
        "              schema: {pattern: '('}\n              example: x",
        "    {}",
    );
    assert_eq!(wrong.len(), 1);
    assert!(
        wrong[0]
            .0
            .starts_with("the schema cannot be checked against")
    );
}

/// Each schema refers to the next one twice: 2^20 paths lead from the first to the last.
#[test]
fn a_check_of_too_many_steps_is_a_finding() {
    let mut schemas: Vec<String> = (0..20)
        .map(|number| {
            let next = format!("{{$ref: '#/components/schemas/A{}'}}", number + 1);
            format!("    A{number}: {{allOf: [{next}, {next}]}}")
        })
        .collect();
    schemas.push("    A20: {type: object}".into());
    let found = |first: &str, example: &str| {
        let content = format!(
            "              schema: {{$ref: '#/components/schemas/{first}'}}\n              \
             example: {example}"
        );
        wrong("application/json", &content, &schemas.join("\n"))
    };
    let all = found("A0", "{x: 1}");
    assert_eq!(all.len(), 1, "{all:?}");
    assert!(
        all[0].0.ends_with("takes more than 250000 steps"),
        "{all:?}"
    );
    assert_eq!(found("A15", "{x: 1}"), []);
    assert!(!found("A15", "1").is_empty());
}

/// The values of one schema share the steps.
#[test]
fn a_check_of_many_examples_with_many_steps_is_a_finding() {
    let schemas = |examples: usize| {
        let mut schemas: Vec<String> = (0..12)
            .map(|number| {
                let next = format!("{{$ref: '#/components/schemas/A{}'}}", number + 1);
                format!("    A{number}: {{allOf: [{next}, {next}]}}")
            })
            .collect();
        let examples = vec!["1"; examples].join(", ");
        schemas.push(format!("    A12: {{type: integer}}\n    B: {{$ref: '#/components/schemas/A0', examples: [{examples}]}}"));
        in_schemas("3.1.0", &schemas.join("\n"))
    };
    assert_eq!(schemas(2), [""; 0]);
    assert_eq!(schemas(20), ["B"]);
}

/// However many values a schema lists, and however many examples it has, it is converted once.
#[test]
fn a_schema_is_converted_once_for_all_its_values() {
    let values: Vec<String> = (0..200).map(|i| format!("'{i}'")).collect();
    let examples: Vec<String> = (0..200)
        .map(|i| format!("e{i}: {{value: '{i}'}}"))
        .collect();
    let text = format!(
        "paths: {{/a: {{get: {{responses: {{'200': {{content: {{application/json: {{schema: {{$ref: '#/components/schemas/S'}}, \
         examples: {{{}}}}}}}}}}}}}}}}}\ncomponents: {{schemas: {{S: {{type: string, enum: [{}], default: '1'}}}}}}\n",
        examples.join(", "),
        values.join(", ")
    );
    let document = Document::load("x.yaml", &text).expect("a document");
    let index = DocumentIndex::new(&document);
    let validators = Validators::new(&index);
    assert_eq!(all(&validators).iter().count(), 0);
    assert_eq!(validators.kept(), 2, "with `enum`, and without it");
}

/// A value of `enum` is one of its values, and has to satisfy the other keywords.
#[test]
fn a_value_of_an_enum_is_checked_against_the_other_keywords() {
    let told = wrong(
        "application/json",
        "              schema: {$ref: '#/components/schemas/Thing'}",
        "    Thing: {type: string, nullable: true, maxLength: 2, enum: [ab, abc, null], allOf: [{minLength: 2}]}",
    );
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0].1, "abc");
}
