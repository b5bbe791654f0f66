//! Documents that refer to files of their folder.

mod refused;

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
        let message = "the schema `Timestamp` has no description";
        let of_schema = findings.iter().filter(|one| one.message == message);
        let places: Vec<_> = of_schema
            .map(|one| document.source.place(one.span.start).to_string())
            .collect();
        assert_eq!(places, ["api/common.yaml:13:5"]);
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

/// Redocly CLI writes one file for each path, and keeps the braces in its name.
#[test]
fn a_document_may_name_itself_and_files_with_braces() {
    const MAIN: &str = "\
openapi: 3.0.3
info: {title: Pets, version: '1'}
paths:
  /pets/{id}: {$ref: 'paths/pets_{id}.yaml'}
components:
  schemas:
    Pet: {type: integer}
    Same: {$ref: 'main.yaml#/components/schemas/Same2'}
    Same2: {type: string}
    Pets: {type: array, items: {$ref: './main.yaml#/components/schemas/Pet'}}
";
    const PATHS: &str = "\
get:
  operationId: getPet
  parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
  responses: {'204': {description: There is one.}}
";
    let document = Document::load_with("api/main.yaml", MAIN, |file| match file {
        "paths/pets_{id}.yaml" => Ok(PATHS.to_owned()),
        other => Err(format!("{other} does not exist")),
    })
    .unwrap_or_else(|refused| panic!("{refused}"));
    let root = document.to_json();
    let schemas = &root["components"]["schemas"];
    assert_eq!(schemas["Pets"]["items"]["$ref"], "#/components/schemas/Pet");
    assert_eq!(schemas["Same"]["$ref"], "#/components/schemas/Same2");
    assert_eq!(root["paths"]["/pets/{id}"]["get"]["operationId"], "getPet");
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

/// The name of a component is that of its file. Two files may give one name to different components.
#[test]
fn a_component_whose_name_is_taken_gets_a_number() {
    let pets = PETS.replace("    Pet:\n", "    Timestamp: {type: integer}\n    Pet:\n");
    let document = loaded(&pets, COMMON);
    let schemas = document.to_json()["components"]["schemas"].clone();
    assert_eq!(schemas["Timestamp"], json!({"type": "integer"}));
    assert_eq!(schemas["Timestamp2"]["format"], "date-time");
    for name in ["Pet", "Problem"] {
        let since = &schemas[name]["properties"]["since"]["$ref"];
        assert_eq!(since, "#/components/schemas/Timestamp2", "{name}");
    }
    let told = document.findings.render(&document.source);
    let warning = "warning[component-renamed]: `common.yaml#/components/schemas/Timestamp` becomes `Timestamp2`";
    assert_eq!(told.matches(warning).count(), 1, "{told}");
    assert!(told.contains("--> api/pets.yaml:23:23"), "{told}");
    assert!(dropforge::generate_server(&document, "pets").is_ok());
}

/// A name in a mapping, and the name of an alternative without an entry, are those of the file.
#[test]
fn a_discriminator_chooses_a_renamed_alternative_by_its_own_name() {
    let pets = PETS
        .replace(
            "    Pet:\n",
            "    Cat: {type: integer}\n    Dog: {type: integer}\n    Pet:\n",
        )
        .replace("schemas/Timestamp'", "schemas/Animal'");
    let common = format!(
        "{COMMON}    Animal:\n      oneOf: [{{$ref: '#/components/schemas/Cat'}}, {{$ref: '#/components/schemas/Dog'}}]\n      \
         discriminator: {{propertyName: kind, mapping: {{bark: Dog}}}}\n    \
         Cat: {{type: object, required: [kind], properties: {{kind: {{type: string}}}}}}\n    \
         Dog: {{type: object, required: [kind], properties: {{kind: {{type: string}}}}}}\n"
    );
    let document = loaded(&pets, &common);
    let animal = document
        .at("/components/schemas/Animal/discriminator/mapping")
        .expect("a mapping");
    assert_eq!(
        animal.to_json(),
        json!({"bark": "#/components/schemas/Dog2", "Cat": "#/components/schemas/Cat2"})
    );
}

/// The name is no value of the property, so that the values choose the alternative. See `tests/discriminators.rs`.
#[test]
fn the_values_of_its_property_choose_a_renamed_alternative_that_forbids_its_name() {
    let pets = PETS
        .replace("    Pet:\n", "    Cat: {type: integer}\n    Pet:\n")
        .replace("schemas/Timestamp'", "schemas/Animal'");
    let common = format!(
        "{COMMON}    Animal: {{oneOf: [{{$ref: '#/components/schemas/Cat'}}], \
         discriminator: {{propertyName: kind}}}}\n    \
         Cat: {{type: object, required: [kind], properties: {{kind: {{type: string, enum: [cat]}}}}}}\n"
    );
    let document = loaded(&pets, &common);
    let lowered = dropforge::lower::lower(&document, "pets").expect("accepted");
    let mut animal = lowered.api.schemas.iter();
    let animal = animal.find(|schema| schema.component.as_deref() == Some("Animal"));
    let animal = animal.expect("the union");
    let discriminator = animal.discriminator.as_ref().expect("a discriminator");
    let values: Vec<&str> = discriminator
        .mapping
        .iter()
        .map(|(value, _)| value.as_str())
        .collect();
    assert_eq!(values, ["cat"]);
    let mut warnings = lowered.warnings.iter();
    let warning = warnings.find(|one| one.code == "discriminator-value");
    let warning = warning.expect("a warning");
    assert!(
        warning.message.ends_with("`Cat`: it is chosen by `cat`"),
        "{}",
        warning.message
    );
    assert_eq!(warning.replacement, None);
}

/// A path item of a callback is copied into one that is copied itself: the references of each are those of its own file.
#[test]
fn path_items_within_others_refer_to_their_own_neighbors() {
    let main = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths:\n  /a:\n    $ref: paths/a.yaml\n    \
                parameters: [{$ref: 'common.yaml#/limit'}]\n";
    let callback = "post:\n  requestBody: {content: {application/json: {schema: {$ref: '../schemas.yaml#/Pet'}}}}\n  \
                    responses: {'204': {description: Done}}\n";
    let document = Document::load_with("main.yaml", main, |file| match file {
        "paths/a.yaml" => Ok(
            "post:\n  responses: {'204': {description: Done}}\n  callbacks: \
                              {told: {'{$url}': {$ref: cb.yaml}}}\n"
                .to_owned(),
        ),
        "paths/cb.yaml" => Ok(callback.to_owned()),
        "schemas.yaml" => Ok("Pet: {type: object}\n".to_owned()),
        "common.yaml" => {
            Ok("limit: {name: limit, in: query, schema: {type: integer}}\n".to_owned())
        }
        _ => Err("it does not exist".to_owned()),
    });
    let document = document.unwrap_or_else(|refused| panic!("{refused}"));
    let path = document.to_json()["paths"]["/a"].clone();
    let parameter = &path["parameters"][0]["$ref"];
    assert_eq!(parameter, "#/components/parameters/limit");
    let told = &path["post"]["callbacks"]["told"]["{$url}"]["post"]["requestBody"];
    let schema = &told["content"]["application/json"]["schema"]["$ref"];
    assert_eq!(schema, "#/components/schemas/Pet");
}

/// The keys beside the reference of a path item may have a discriminator, whose references are rewritten once.
#[test]
fn a_path_item_within_another_has_a_mapping_beside_its_reference() {
    let main =
        "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths:\n  /a: {$ref: paths/a.yaml}\n";
    let beside = "$ref: b.yaml\npost:\n  requestBody:\n    content:\n      application/json:\n        \
                  schema:\n          oneOf: [{$ref: '../schemas.yaml#/Cat'}]\n          \
                  discriminator: {propertyName: kind, mapping: {cat: '../schemas.yaml#/Cat'}}\n  \
                  responses: {'204': {description: Done}}\n";
    let document = Document::load_with("main.yaml", main, |file| match file {
        "paths/a.yaml" => Ok(beside.to_owned()),
        "paths/b.yaml" => Ok("get: {responses: {'204': {description: Done}}}\n".to_owned()),
        "schemas.yaml" => Ok("Cat: {type: object}\n".to_owned()),
        _ => Err("it does not exist".to_owned()),
    });
    let document = document.unwrap_or_else(|refused| panic!("{refused}"));
    let path = document.to_json()["paths"]["/a"].clone();
    let body = &path["post"]["requestBody"]["content"]["application/json"]["schema"];
    let cat = "#/components/schemas/Cat";
    assert_eq!(body["oneOf"][0]["$ref"], cat);
    assert_eq!(body["discriminator"]["mapping"], json!({"cat": cat}));
}
