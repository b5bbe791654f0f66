//! References to files that are refused, and where each finding is.

use dropforge::document::Document;

use super::{COMMON, PETS, load, loaded};

#[test]
fn a_reference_that_cannot_be_followed_is_refused_where_it_stands() {
    let timestamp = "'common.yaml#/components/schemas/Timestamp'";
    let pets = |reference: &str| {
        let pets = PETS.replace(timestamp, &format!("'{reference}'"));
        (pets, COMMON.to_owned())
    };
    let common = |old: &str, new: &str| {
        assert!(COMMON.contains(old), "{old}");
        (PETS.to_owned(), COMMON.replacen(old, new, 1))
    };
    for ((pets, common), [code, place]) in [
        (
            pets("../common.yaml#/components/schemas/A"),
            ["reference-to-another-file", "pets.yaml:22:23"],
        ),
        (
            pets("/etc/common.yaml#/components/schemas/A"),
            ["reference-to-another-file", "pets.yaml:22:23"],
        ),
        (
            pets("https://a.example/common.yaml#/components/schemas/A"),
            ["reference-to-another-file", "pets.yaml:22:23"],
        ),
        (
            pets("commons.yaml#/components/schemas/Timestamp"),
            ["unreadable-file", "pets.yaml:22:23"],
        ),
        (
            pets("common.yaml#/components/schemas/Timestam"),
            ["unresolved-reference", "pets.yaml:22:23"],
        ),
        (
            common("schemas/Timestamp'", "schemas/Time'"),
            ["unresolved-reference", "common.yaml:20:23"],
        ),
        (
            common("#/components/schemas/Timestamp", "../other.yaml"),
            ["reference-to-another-file", "common.yaml:20:23"],
        ),
        (
            common("Unused: {", "Unused: }"),
            ["yaml-syntax", "common.yaml:21:"],
        ),
        (
            common("    Timestamp:", "    Problem: {}\n    Timestamp:"),
            ["duplicate-key", "common.yaml:17:"],
        ),
        (
            (PETS.to_owned(), "[]".to_owned()),
            ["not-an-object", "common.yaml:1:1"],
        ),
        (
            (PETS.to_owned(), String::new()),
            ["empty-document", "common.yaml"],
        ),
        (
            (PETS.replace("[WELL, ILL]", "WELL"), COMMON.to_owned()),
            ["wrong-type", "pets.yaml:23:50"],
        ),
        (
            (
                PETS.replace("[WELL, ILL]", "[WELL], enum: [ILL]"),
                COMMON.to_owned(),
            ),
            ["extensible-and-closed", "pets.yaml:23:31"],
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
    let document = loaded(PETS, &common);
    let told = document.findings.render(&document.source);
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

/// A component of a file that cannot be read is unknown, and takes no name.
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
