//! Documents that refer to a file of their folder.

use dropforge::document::{Document, Node, Refused};
use serde_json::json;

const PETS: &str = "\
openapi: 3.0.3
info: {title: Pets, version: '1'}
servers: [{url: http://127.0.0.1/pets}]
x-dropforge-response-headers:
  Trace: {$ref: 'common.yaml#/components/headers/Trace'}
paths:
  /pets:
    get:
      operationId: listPets
      responses:
        '200':
          description: The pets.
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Pet'}
        '404': {$ref: 'common.yaml#/components/responses/Gone'}
components:
  schemas:
    Pet:
      type: object
      properties:
        since: {$ref: 'common.yaml#/components/schemas/Timestamp'}
        state: {type: string, x-extensible-enum: [WELL, ILL]}
    Problem: {$ref: 'common.yaml#/components/schemas/Problem'}
";

const COMMON: &str = "\
components:
  headers:
    Trace: {schema: {type: string}}
  responses:
    Gone:
      description: There is no pet.
      headers:
        trace: {schema: {type: integer}}
      content:
        application/json:
          schema: {$ref: '#/components/schemas/Problem'}
  schemas:
    Timestamp:
      type: string
      format: date-time
    Problem:
      type: object
      properties:
        title: {type: string}
        since: {$ref: '#/components/schemas/Timestamp'}
    Unused: {type: string}
";

fn load(pets: &str, common: &str) -> Result<Document, Refused> {
    Document::load_with("api/pets.yaml", pets, |file| match file {
        "common.yaml" => Ok(common.to_owned()),
        _ => Err("it does not exist".to_owned()),
    })
}

fn loaded(pets: &str, common: &str) -> Document {
    load(pets, common).unwrap_or_else(|refused| panic!("{refused}"))
}

/// The file and line of the node at a pointer, and those of its key.
fn places(document: &Document, pointer: &str) -> [String; 2] {
    let node = document.at(pointer).expect(pointer).span;
    let key = document.key_span(pointer).expect(pointer);
    [node, key].map(|span| {
        let place = document.source.place(span.start);
        format!("{}:{}", place.file, place.line)
    })
}

#[test]
fn components_of_a_shared_file_are_copied_with_what_they_refer_to() {
    let document = loaded(PETS, COMMON);
    assert_eq!(
        document.root.get("components").map(Node::to_json),
        Some(json!({
            "schemas": {
                "Pet": {"type": "object", "properties": {
                    "since": {"$ref": "#/components/schemas/Timestamp"},
                    "state": {"type": "string", "enum": ["WELL", "ILL"], "x-dropforge-extensible": true},
                }},
                "Problem": {"type": "object", "properties": {
                    "title": {"type": "string"},
                    "since": {"$ref": "#/components/schemas/Timestamp"},
                }},
                "Timestamp": {"type": "string", "format": "date-time"},
            },
            "headers": {"Trace": {"schema": {"type": "string"}}},
            "responses": {"Gone": {
                "description": "There is no pet.",
                "headers": {"trace": {"schema": {"type": "integer"}}},
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
            }},
        }))
    );
    let reloaded = Document::load("pets.json", &document.to_json().to_string()).expect("it loads");
    assert_eq!(reloaded.to_json(), document.to_json());
}

#[test]
fn a_header_of_every_response_is_added_to_those_that_do_not_declare_it() {
    let document = loaded(PETS, COMMON);
    let headers = |pointer: &str| document.at(pointer).map(Node::to_json);
    assert_eq!(
        headers("/paths/~1pets/get/responses/200/headers"),
        Some(json!({"Trace": {"$ref": "#/components/headers/Trace"}}))
    );
    assert_eq!(headers("/x-dropforge-response-headers"), None);
    let text = PETS.replace("{$ref: 'common.yaml#/components/headers/Trace'}", "[]");
    let text = text.replace("  Trace: []", "  []");
    let refused = load(&text, COMMON).expect_err("refused");
    assert!(
        refused.to_string().contains("api/pets.yaml:5:3"),
        "{refused}"
    );
}

#[test]
fn each_node_keeps_its_file_and_line() {
    let document = loaded(PETS, COMMON);
    for (pointer, node, key) in [
        (
            "/components/schemas/Timestamp/format",
            "common.yaml:15",
            "common.yaml:15",
        ),
        (
            "/components/schemas/Problem",
            "common.yaml:17",
            "pets.yaml:24",
        ),
        (
            "/components/responses/Gone/headers/trace",
            "common.yaml:8",
            "common.yaml:8",
        ),
        (
            "/paths/~1pets/get/responses/200/headers/Trace",
            "pets.yaml:5",
            "pets.yaml:5",
        ),
        (
            "/components/schemas/Pet/properties/since",
            "pets.yaml:22",
            "pets.yaml:22",
        ),
    ] {
        let expected = [node, key].map(|place| format!("api/{place}"));
        assert_eq!(places(&document, pointer), expected, "{pointer}");
    }
    assert_eq!(document.source.name, "api/pets.yaml");
    assert_eq!(document.source.text, PETS);
    let files: Vec<_> = document.source.files().map(|file| file.name).collect();
    assert_eq!(files, ["api/pets.yaml", "api/common.yaml"]);
}

#[test]
fn a_reference_that_cannot_be_followed_is_refused_where_it_stands() {
    let timestamp = "'common.yaml#/components/schemas/Timestamp'";
    let pets = |reference: &str| PETS.replace(timestamp, &format!("'{reference}'"));
    let common = |old: &str, new: &str| {
        assert!(COMMON.contains(old), "{old}");
        COMMON.replacen(old, new, 1)
    };
    for (pets, common, code, place) in [
        (
            pets("../common.yaml#/components/schemas/A"),
            COMMON.into(),
            "reference-to-another-file",
            "pets.yaml:22:23",
        ),
        (
            pets("/etc/common.yaml#/components/schemas/A"),
            COMMON.into(),
            "reference-to-another-file",
            "pets.yaml:22:23",
        ),
        (
            pets("https://a.example/common.yaml#/components/schemas/A"),
            COMMON.into(),
            "reference-to-another-file",
            "pets.yaml:22:23",
        ),
        (
            pets("pets.yaml#/components/schemas/Pet"),
            COMMON.into(),
            "reference-to-another-file",
            "pets.yaml:22:23",
        ),
        (
            pets("commons.yaml#/components/schemas/Timestamp"),
            COMMON.into(),
            "unreadable-file",
            "pets.yaml:22:23",
        ),
        (
            pets("common.yaml#/components/schemas/Timestam"),
            COMMON.into(),
            "unresolved-reference",
            "pets.yaml:22:23",
        ),
        (
            PETS.into(),
            common("schemas/Timestamp'", "schemas/Time'"),
            "unresolved-reference",
            "common.yaml:20:23",
        ),
        (
            PETS.into(),
            common("#/components/schemas/Timestamp", "../other.yaml"),
            "reference-to-another-file",
            "common.yaml:20:23",
        ),
        (
            PETS.into(),
            common("Unused: {", "Unused: }"),
            "yaml-syntax",
            "common.yaml:21:",
        ),
        (
            PETS.into(),
            common("    Timestamp:", "    Problem: {}\n    Timestamp:"),
            "duplicate-key",
            "common.yaml:17:",
        ),
        (PETS.into(), "[]".into(), "not-an-object", "common.yaml:1:1"),
        (PETS.into(), String::new(), "empty-document", "common.yaml"),
        (
            PETS.replace("    Pet:\n", "    Timestamp: {}\n    Pet:\n"),
            COMMON.into(),
            "component-clash",
            "pets.yaml:23:23",
        ),
        (
            PETS.replace("[WELL, ILL]", "WELL"),
            COMMON.into(),
            "wrong-type",
            "pets.yaml:23:50",
        ),
        (
            PETS.replace("[WELL, ILL]", "[WELL], enum: [ILL]"),
            COMMON.into(),
            "extensible-and-closed",
            "pets.yaml:23:31",
        ),
    ] {
        let refused = load(&pets, &common).err();
        let told = refused
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default();
        let codes = refused.map(|refused| {
            refused
                .diagnostics
                .iter()
                .map(|d| d.code)
                .collect::<Vec<_>>()
        });
        assert!(
            codes.is_some_and(|codes| codes.contains(&code)),
            "{code}: {told}"
        );
        let arrow = format!("--> api/{place}");
        assert!(told.contains(&arrow), "{arrow}: {told}");
    }
}

#[test]
fn the_other_place_of_a_finding_is_shown_in_its_own_file() {
    let common = COMMON.replace("    Problem:\n", "    Pet: {}\n    Problem:\n");
    let common = common.replace("schemas/Timestamp'", "schemas/Pet'");
    let told = load(PETS, &common).expect_err("refused").to_string();
    assert!(told.contains("--> api/common.yaml:21:23"), "{told}");
    assert!(told.contains("::: api/pets.yaml:19:5"), "{told}");
}

#[test]
fn a_circle_of_shared_components_is_refused_in_their_file() {
    let circle = "    Timestamp: {$ref: '#/components/schemas/Round'}\n    Round: {$ref: '#/components/schemas/Timestamp'}\n";
    let common = COMMON.replace(
        "    Timestamp:\n      type: string\n      format: date-time\n",
        circle,
    );
    let document = loaded(PETS, &common);
    let refused = dropforge::generate_server(&document, "pets").expect_err("refused");
    let told = refused.render(&document.source);
    assert!(told.contains("[reference-cycle]"), "{told}");
    assert!(told.contains("--> api/common.yaml:1"), "{told}");
}

#[test]
fn what_the_generator_refuses_in_a_shared_file_is_reported_there() {
    let document = loaded(
        PETS,
        &COMMON.replace("title: {type: string}", "title: {type: text}"),
    );
    let server = dropforge::generate_server(&document, "pets").expect_err("refused");
    let told = server.render(&document.source);
    assert!(told.contains("--> api/common.yaml:19:23"), "{told}");
}

#[test]
fn generated_code_leads_to_the_file_of_each_item() {
    let document = loaded(PETS, COMMON);
    let generated = dropforge::generate_server(&document, "pets").expect("a server");
    let code = dropforge::pretty(generated.tokens);
    for place in [
        "api/common.yaml:13",
        "api/common.yaml:19",
        "api/pets.yaml:19",
        "api/pets.yaml:23",
    ] {
        assert!(
            code.contains(&format!("Defined at `{place}`")),
            "{place}:\n{code}"
        );
    }
    #[cfg(feature = "client")]
    {
        let client = dropforge::emit::client::generate(&document).expect("a client");
        let code = dropforge::pretty(client.tokens);
        assert!(code.contains("Defined at `api/common.yaml:19`"), "{code}");
    }
}

#[cfg(feature = "check")]
mod check {
    use super::{COMMON, PETS, loaded};
    use dropforge::check::{compatibility, lint};

    #[test]
    fn lint_finds_what_is_wrong_with_a_shared_component_in_its_file() {
        let document = loaded(PETS, COMMON);
        let findings = lint::lint(&document);
        let told = findings.render(&document.source);
        assert!(
            told.contains("error[description-missing]: the schema `Problem`")
                || told.contains("--> api/common.yaml:"),
            "{told}"
        );
    }

    #[test]
    fn a_shared_component_that_no_document_uses_is_found() {
        let documents = [loaded(PETS, COMMON)];
        let all = lint::unused_in_shared_files(&documents);
        let told: String = all
            .iter()
            .map(|(source, found)| found.render(source))
            .collect();
        assert!(told.contains("[shared-component-unused]"), "{told}");
        assert!(told.contains("--> api/common.yaml:21:5"), "{told}");
        assert_eq!(told.matches("error").count(), 1, "{told}");
    }

    #[test]
    fn a_change_of_a_shared_file_is_a_change_of_the_document_that_stands_there() {
        let old = loaded(PETS, COMMON);
        let new = loaded(
            PETS,
            &COMMON.replace("title: {type: string}", "title: {type: integer}"),
        );
        let changes = compatibility::compare(&old, &new);
        let change = changes
            .iter()
            .find(|change| change.class.is_breaking())
            .expect("a change");
        let span = new.key_span(&change.pointer).expect(&change.pointer);
        assert_eq!(
            new.source.place(span.start).to_string(),
            "api/common.yaml:19:9"
        );
    }
}

/// Files in folders, files as a whole, and places that are no components.
#[test]
fn references_lead_to_any_place_of_the_files_below_the_folder() {
    const MAIN: &str = "\
openapi: 3.1.0
info: {title: Pets, version: '1'}
paths:
  /pets: {$ref: paths/pets.yaml}
components:
  schemas:
    pet: {type: integer}
";
    const PATHS: &str = "\
get:
  operationId: listPets
  parameters: [{$ref: '../shared.json#/limit'}]
  responses:
    '200':
      description: The pets.
      content: {application/json: {schema: {$ref: ../schemas/pet.yaml}}}
";
    const PET: &str = "\
type: object
properties:
  mother: {$ref: '#'}
  name: {$ref: '#/$defs/name'}
  number: {$ref: '../main.yaml#/components/schemas/pet'}
$defs:
  name: {type: [string, 'null']}
";
    const SHARED: &str =
        r#"{"limit": {"name": "limit", "in": "query", "schema": {"type": "integer"}}}"#;
    let document = Document::load_with("api/main.yaml", MAIN, |file| match file {
        "paths/pets.yaml" => Ok(PATHS.to_owned()),
        "schemas/pet.yaml" => Ok(PET.to_owned()),
        "shared.json" => Ok(SHARED.to_owned()),
        other => Err(format!("{other} does not exist")),
    })
    .unwrap_or_else(|refused| panic!("{refused}"));
    let root = document.to_json();
    let get = &root["paths"]["/pets"]["get"];
    assert_eq!(
        get["parameters"][0]["$ref"],
        "#/components/parameters/limit"
    );
    let schema = &get["responses"]["200"]["content"]["application/json"]["schema"];
    assert_eq!(schema["$ref"], "#/components/schemas/pet2");
    let pet = &root["components"]["schemas"]["pet2"]["properties"];
    assert_eq!(pet["mother"]["$ref"], "#/components/schemas/pet2");
    assert_eq!(pet["number"]["$ref"], "#/components/schemas/pet");
    let name = pet["name"]["$ref"].as_str().expect("a reference");
    let name = document
        .at(name.trim_start_matches('#'))
        .expect("its target");
    assert_eq!(name.to_json(), json!({"type": "string", "nullable": true}));
    let places = places(&document, "/paths/~1pets/get");
    assert_eq!(places[0], "api/paths/pets.yaml:2");
    assert!(dropforge::generate_server(&document, "pets").is_ok());
}

/// The schemes that a document declares are those that it lists. A scheme of another file has the
/// name of the reference to it, whatever the other file calls it.
#[test]
fn a_scheme_of_another_file_has_the_name_that_the_document_gives_it() {
    let common = "components: {securitySchemes: {bearer: {type: http, scheme: bearer}}}";
    let pets = |required: &str| {
        format!(
            "openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths:\n  /a:\n    get: \
             {{security: [{{{required}: []}}], responses: {{'204': {{description: Done}}}}}}\n\
             components: {{securitySchemes: {{token: {{$ref: \
             'common.yaml#/components/securitySchemes/bearer'}}}}}}\n"
        )
    };
    let document = loaded(&pets("token"), common);
    let lowered = dropforge::lower::lower(&document, "pets").expect("accepted");
    let schemes: Vec<&str> = lowered
        .api
        .schemes
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(schemes, ["token"]);
    for unknown in ["bearer", "beare"] {
        let document = loaded(&pets(unknown), common);
        let refused = dropforge::structure::check(&document);
        let text = refused.render(&document.source);
        assert!(text.contains("unknown-security-scheme"), "{text}");
        assert!(text.contains("declare it in `components/"), "{text}");
    }
}

/// A file that is one component is referred to as a whole. One with many of them is not a schema.
#[test]
fn a_whole_document_is_not_a_component() {
    let schemas = "components:\n  schemas:\n    Time: {type: string}\n";
    let pets = PETS.replace("'common.yaml#/components/schemas/Timestamp'", "common.yaml");
    let whole = format!("openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\n{schemas}");
    for (common, part) in [
        (COMMON, "common.yaml#/components/schemas/Timestamp"),
        (schemas, "common.yaml#/components/schemas/Time"),
        (&whole, "common.yaml#/components/schemas/Time"),
        ("swagger: '2.0'\n", "common.yaml#/components/schemas/Name"),
    ] {
        let told = load(&pets, common).expect_err("refused").to_string();
        assert!(told.contains("error[reference-not-a-component]"), "{told}");
        assert!(told.contains("--> api/pets.yaml:22:23"), "{told}");
        assert!(
            told.contains(&format!("name the part, such as `{part}`")),
            "{told}"
        );
    }
    let paths =
        "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths:\n  /pets: {$ref: common.yaml}\n";
    let common = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths:\n  /a: {}\n";
    let told = load(paths, common).expect_err("refused").to_string();
    assert!(told.contains("`common.yaml#/paths/~1a`"), "{told}");
    // A schema may have definitions of its own under any key.
    let schema = "type: string\ncomponents: {schemas: {}}\n";
    assert!(
        Document::load_with(
            "pets.yaml",
            &pets.replace("common.yaml#", "other.yaml#"),
            |file| {
                match file {
                    "common.yaml" => Ok(schema.to_owned()),
                    _ => Ok(COMMON.to_owned()),
                }
            }
        )
        .is_ok()
    );
}

/// A component that only refers to a file keeps its name, whatever other files are called.
#[test]
fn a_file_of_the_same_name_in_another_folder_becomes_another_component() {
    let text = "\
openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /a:
    get:
      operationId: listA
      responses:
        '200': {description: A, content: {application/json: {schema: {$ref: b/Pet.yaml}}}}
        '201': {description: A, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
components:
  schemas:
    Pet: {$ref: a/Pet.yaml}
";
    let document = Document::load_with("main.yaml", text, |file| match file {
        "a/Pet.yaml" => Ok("type: string".to_owned()),
        "b/Pet.yaml" => Ok("type: integer".to_owned()),
        _ => Err("it does not exist".to_owned()),
    });
    let document = document.unwrap_or_else(|refused| panic!("{refused}"));
    let schemas = document
        .at("/components/schemas")
        .expect("schemas")
        .to_json();
    assert_eq!(
        schemas,
        json!({"Pet": {"type": "string"}, "Pet2": {"type": "integer"}})
    );
}

#[test]
fn a_clash_with_a_component_that_is_named_after_its_file_says_so() {
    let common = format!("{COMMON}    pet: {{type: string}}\n");
    let pets = PETS
        .replace("'common.yaml#/components/schemas/Timestamp'", "pet.yaml")
        .replace(
            "    Problem: {",
            "    Other: {$ref: 'common.yaml#/components/schemas/pet'}\n    Problem: {",
        );
    let refused = Document::load_with("api/pets.yaml", &pets, |file| match file {
        "common.yaml" => Ok(common.clone()),
        "pet.yaml" => Ok("type: string".to_owned()),
        _ => Err("it does not exist".to_owned()),
    });
    let told = refused.expect_err("refused").to_string();
    assert!(
        told.contains("clashes with `pet.yaml`, which becomes a component"),
        "{told}"
    );
}

#[test]
fn a_file_that_has_been_read_is_proposed_for_one_that_cannot_be_read() {
    let pets = PETS.replace(
        "'common.yaml#/components/schemas/T",
        "'comon.yaml#/components/schemas/T",
    );
    let told = load(&pets, COMMON).expect_err("refused").to_string();
    assert!(told.contains("did you mean `common.yaml`?"), "{told}");
    let pets = PETS.replace(
        "'common.yaml#/components/schemas/T",
        "'else.yaml#/components/schemas/T",
    );
    let told = load(&pets, COMMON).expect_err("refused").to_string();
    assert!(!told.contains("did you mean"), "{told}");
}

/// Each path has its own copy of a path item, so that a few lines can become any number of operations.
#[test]
fn path_items_that_multiply_are_refused() {
    let text =
        "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths:\n  /a: {$ref: 'items.yaml#/a0'}\n";
    let next = |level: usize| {
        let item = format!("{{$ref: '#/a{}'}}", level + 1);
        format!(
            "a{level}:\n  post:\n    operationId: a{level}\n    responses: {{'204': {{description: done}}}}\n    \
             callbacks: {{one: {{'{{$url}}': {item}}}, two: {{'{{$url}}': {item}}}}}\n"
        )
    };
    let items: String = (0..40).map(next).collect();
    let refused = Document::load_with("main.yaml", text, |_| Ok(format!("{items}a40: {{}}\n")));
    let codes = refused.expect_err("refused").diagnostics;
    assert!(codes.iter().all(|one| one.code == "path-item-expansion"));
}

/// A component of a file that cannot be read is unknown, and clashes with none.
#[test]
fn a_file_that_cannot_be_read_is_reported_once_and_alone() {
    let pets = PETS
        .replace(
            "'common.yaml#/components/schemas/T",
            "'common.yml#/components/schemas/T",
        )
        .replace(
            "    Problem: {",
            "    Again: {$ref: 'common.yml#/components/schemas/Problem'}\n    \
             Time: {$ref: 'common.yaml#/components/schemas/Timestamp'}\n    Problem: {",
        );
    let refused = load(&pets, COMMON).expect_err("refused");
    let codes: Vec<_> = refused.diagnostics.iter().map(|one| one.code).collect();
    assert_eq!(codes, ["unreadable-file"], "{refused}");
}

#[test]
fn a_reference_by_the_name_of_a_schema_or_in_other_quotes_says_what_to_write() {
    let reference = "{$ref: '#/components/schemas/Pet'}";
    assert!(PETS.contains(reference));
    for (written, expected) in [
        ("{$ref: Pet}", "did you mean `#/components/schemas/Pet`?"),
        (
            "{$ref: \u{201c}#/components/schemas/Pet\u{201d}}",
            "has the character U+201C LEFT DOUBLE QUOTATION MARK",
        ),
        (
            "{$ref: \"common.yaml#/components/schemas/Timestamp\u{200b}\"}",
            "has the character U+200B ZERO WIDTH SPACE",
        ),
    ] {
        let refused = load(&PETS.replace(reference, written), COMMON).expect_err(written);
        let text = refused.to_string();
        assert!(text.contains(expected), "{text}");
        assert_eq!(refused.diagnostics.len(), 1, "{text}");
    }
}
