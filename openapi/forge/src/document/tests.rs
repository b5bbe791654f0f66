use serde_json::json;

use super::*;

fn yaml(text: &str) -> Document {
    load("test.yaml", text)
}

fn load(name: &str, text: &str) -> Document {
    match Document::load(name, text) {
        Ok(document) => document,
        Err(diagnostics) => panic!("{}", diagnostics.render(&Source::new(name, text))),
    }
}

/// The codes of the findings in a text.
fn codes(name: &str, text: &str) -> Vec<&'static str> {
    match Document::load(name, text) {
        Ok(_) => Vec::new(),
        Err(diagnostics) => diagnostics.iter().map(|d| d.code).collect(),
    }
}

/// The source texts of the nodes of a document, by pointer.
fn spans(document: &Document, pointers: &[&str]) -> Vec<String> {
    let text = &document.source.text;
    pointers
        .iter()
        .map(|pointer| document.at(pointer).expect(pointer).span)
        .map(|span| text[span.start..span.end].to_owned())
        .collect()
}

#[test]
fn plain_scalars_mean_what_the_core_schema_says() {
    let document = yaml(
        "strings: [yes, no, on, off, y, 1_000, 2026-11-21, 0b1, 1.2.3, 12:30, '.5.', -., +]\n\
         booleans: [true, True, TRUE, false, False, FALSE]\n\
         nulls: [null, Null, NULL, ~, ]\n\
         numbers: [1, -1, +1, 007, 0o17, 0xfF, 1.0, .5, 1., 1e3, -1.5E-2, 18446744073709551615]\n\
         empty:\n",
    );
    assert_eq!(
        document.to_json(),
        json!({
            "strings": ["yes", "no", "on", "off", "y", "1_000", "2026-11-21", "0b1", "1.2.3",
                "12:30", ".5.", "-.", "+"],
            "booleans": [true, true, true, false, false, false],
            "nulls": [null, null, null, null],
            "numbers": [1, -1, 1, 7, 15, 255, 1.0, 0.5, 1.0, 1000.0, -0.015, 18446744073709551615u64],
            "empty": null,
        })
    );
}

#[test]
fn an_integer_has_no_negative_zero() {
    for (name, text) in [
        ("x.yaml", "a: [-0, -00, +0]"),
        ("x.json", r#"{"a": [-0, 0, -0]}"#),
    ] {
        assert_eq!(load(name, text).to_json(), json!({"a": [0, 0, 0]}));
    }
}

#[test]
fn quoted_and_block_scalars_are_strings() {
    let document = yaml("a: '1'\nb: \"true\"\nc: |\n  1\nd: >-\n  null\ne: !!str 1\nf: ! 1\n");
    assert_eq!(
        document.to_json(),
        json!({"a": "1", "b": "true", "c": "1\n", "d": "null", "e": "1", "f": "1"})
    );
}

#[test]
fn a_status_without_quotes_is_a_key_like_any_other() {
    assert_eq!(
        yaml("200: {x: 1}\ntrue: 2\n").to_json(),
        json!({"200": {"x": 1}, "true": 2})
    );
}

#[test]
fn keys_keep_their_order() {
    for (name, text) in [
        ("x.yaml", "z: 1\na: 2\nm: 3\n"),
        ("x.json", r#"{"z": 1, "a": 2, "m": 3}"#),
    ] {
        let document = load(name, text);
        let keys: Vec<_> = document.root.as_object().expect("object").keys().collect();
        assert_eq!(keys, ["z", "a", "m"]);
    }
}

#[test]
fn every_node_knows_its_bytes() {
    let document = yaml(
        "ä: ünï\nlist:\n  - 1\n  - {k: v}\n# a comment\n\nquoted: \"€\\n\"\nlast:\n  deep: end\n# end\n",
    );
    assert_eq!(
        spans(
            &document,
            &["/ä", "/list", "/list/1", "/list/1/k", "/quoted", "/last"]
        ),
        [
            "ünï",
            "- 1\n  - {k: v}",
            "{k: v}",
            "v",
            "\"€\\n\"",
            "deep: end"
        ]
    );
    let document = load("x.json", "{\"ä\": [1, {\"k\": \"v\"}]}");
    assert_eq!(
        spans(&document, &["/ä", "/ä/1", "/ä/1/k"]),
        ["[1, {\"k\": \"v\"}]", "{\"k\": \"v\"}", "\"v\""]
    );
}

#[test]
fn a_byte_order_mark_and_carriage_returns_do_not_shift_positions() {
    let document = yaml("\u{feff}a: 1\r\nb:\r\n  c: é\r\n");
    assert_eq!(spans(&document, &["/a", "/b/c"]), ["1", "é"]);
    let span = document.at("/b/c").expect("node").span;
    assert_eq!(document.source.line_column(span.start), (3, 6));
    let document = load("x.json", "\u{feff}{\"a\": 1,\r\n\"b\": 2}");
    let span = document.at("/b").expect("node").span;
    assert_eq!(document.source.line_column(span.start), (2, 6));
}

#[test]
fn escapes_of_two_code_units_are_one_character() {
    let document = load("x.json", r#"{"a": "\ud83d\ude00", "b": "\u00e9\n"}"#);
    assert_eq!(document.to_json(), json!({"a": "😀", "b": "é\n"}));
    assert_eq!(codes("x.json", r#"{"a": "\ud83d"}"#), ["json-syntax"]);
}

#[test]
fn an_alias_is_a_copy_with_the_position_of_its_anchor() {
    let document = yaml("a: &x {p: [1]}\nb: *x\nc: &k name\n*k : 1\n");
    assert_eq!(
        document.to_json(),
        json!({"a": {"p": [1]}, "b": {"p": [1]}, "c": "name", "name": 1})
    );
    assert_eq!(
        document.at("/a/p").expect("a").span,
        document.at("/b/p").expect("b").span
    );
}

#[test]
fn the_total_size_of_aliases_is_bounded() {
    let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for i in 1..30 {
        let aliases = vec![format!("*a{}", i - 1); 10].join(", ");
        text.push_str(&format!("a{i}: &a{i} [{aliases}]\n"));
    }
    assert_eq!(codes("x.yaml", &text), ["alias-expansion"]);
    let mut text = String::from("a0: &a0 []\n");
    for i in 1..300 {
        text.push_str(&format!("a{i}: &a{i} [*a{}]\n", i - 1));
    }
    assert_eq!(codes("x.yaml", &text), ["too-deep"]);
}

#[test]
fn nesting_is_bounded_in_every_notation() {
    let n = 10_000;
    let texts = [
        ("x.json", "[".repeat(n)),
        ("x.json", "[".repeat(n) + &"]".repeat(n)),
        ("x.json", "{\"a\":".repeat(n) + "1" + &"}".repeat(n)),
        ("x.yaml", "[".repeat(n) + &"]".repeat(n)),
        ("x.yaml", "a: ".to_owned() + &"{a: ".repeat(n)),
        ("x.yaml", "a:\n".to_owned() + &" [\n".repeat(n)),
        ("x.yaml", "- ".repeat(n) + "x"),
    ];
    for (name, text) in &texts {
        assert_eq!(codes(name, text), ["too-deep"], "{name}: {:.20}", text);
    }
    let blocks: String = (0..1_000)
        .map(|i| format!("{}a:\n", " ".repeat(i)))
        .collect();
    assert_eq!(codes("x.yaml", &blocks), ["too-deep"]);
}

#[test]
fn the_deepest_nesting_allowed_is_the_same_in_every_notation() {
    for allowed in [true, false] {
        let n = if allowed { MAX_DEPTH } else { MAX_DEPTH + 1 };
        let expected: &[&str] = if allowed { &[] } else { &["too-deep"] };
        let json = "{\"a\":".repeat(n) + "1" + &"}".repeat(n);
        assert_eq!(codes("x.json", &json), expected);
        assert_eq!(codes("x.yaml", &json), expected);
        let blocks: String = (0..n).map(|i| format!("{}a:\n", " ".repeat(i))).collect();
        assert_eq!(codes("x.yaml", &blocks), expected);
    }
}

#[test]
fn the_first_character_settles_the_notation_of_a_name_without_extension() {
    assert_eq!(codes("-", "{\"a\": 1,}"), ["json-syntax"]);
    assert_eq!(codes("-", "a: [1,]"), [""; 0]);
    assert_eq!(codes("x.yaml", "{\"a\": 1,}"), [""; 0]);
}

#[test]
fn all_repeated_keys_are_reported_in_order() {
    let text = "a: {x: 1, x: 2}\nb: 1\nb: 2\n";
    assert_eq!(codes("x.yaml", text), ["duplicate-key", "duplicate-key"]);
    let text = r#"{"b": 1, "a": {"x": 1, "x": 2}, "b": 2}"#;
    assert_eq!(codes("x.json", text), ["duplicate-key", "duplicate-key"]);
}

#[test]
fn pointers_are_escaped_and_followed() {
    let document = yaml("paths:\n  /a/{b}:\n    x~y: [0, 1]\n");
    let pointer = pointer::join(&pointer::join("/paths", "/a/{b}"), "x~y");
    assert_eq!(pointer, "/paths/~1a~1{b}/x~0y");
    let node = document.at(&pointer::join(&pointer, "1")).expect("node");
    assert_eq!(node.as_u64(), Some(1));
    assert_eq!(document.at("").expect("root"), &document.root);
    let key = document.key_span("/paths/~1a~1{b}").expect("a key");
    assert_eq!(&document.source.text[key.start..key.end], "/a/{b}");
    assert_eq!(
        document.key_span("/paths/~1a~1{b}/x~0y/1"),
        document.at("/paths/~1a~1{b}/x~0y/1").map(|n| n.span)
    );
    assert_eq!(document.key_span(""), Some(document.root.span));
    for nowhere in [
        "x",
        "/paths/",
        "/paths/~1a~1{b}/x~0y/01",
        "/paths/~1a~1{b}/x~0y/2",
    ] {
        assert_eq!(document.at(nowhere), None, "{nowhere}");
    }
}

#[test]
fn references_are_followed_to_their_end() {
    let document = yaml(
        "a: {$ref: '#/b'}\nb: {$ref: '#/c~1d/x%20y'}\nc/d: {x y: {z: 1}}\n\
         self: {$ref: '#/self'}\nround: {$ref: '#/trip'}\ntrip: {$ref: '#/round'}\n\
         gone: {$ref: '#/c~1d/xy'}\nfile: {$ref: 'other.yaml#/a'}\nodd: {$ref: 1}\n",
    );
    let resolve = |pointer: &str| document.resolve(document.at(pointer).expect("node"), pointer);
    let (pointer, node) = resolve("/a").expect("resolved");
    assert_eq!(pointer, "/c~1d/x y");
    assert_eq!(node.get("z").and_then(Node::as_u64), Some(1));
    assert_eq!(resolve(&pointer).expect("resolved").0, pointer);

    let refused = |pointer| resolve(pointer).expect_err("refused");
    assert_eq!(refused("/self").code, "reference-cycle");
    assert_eq!(refused("/round").code, "reference-cycle");
    assert_eq!(refused("/file").code, "reference-to-another-file");
    assert_eq!(refused("/odd").code, "reference-not-a-string");
    let gone = refused("/gone");
    assert_eq!(gone.code, "unresolved-reference");
    assert_eq!(gone.span, document.at("/gone/$ref").expect("node").span);
    assert_eq!(gone.help.as_deref(), Some("did you mean `#/c~1d/x y`?"));
}

#[test]
fn a_reference_that_means_a_component_says_so() {
    let document = yaml(
        "components: {schemas: {A: {type: string}}}\nname: {$ref: A}\n\
         quotes: {$ref: \u{201c}#/components/schemas/A\u{201d}}\n\
         space: {$ref: '#/components/schemas/A\u{200b}'}\nother: {$ref: B}\n",
    );
    for (pointer, code, help) in [
        (
            "/name",
            "reference-to-another-file",
            "did you mean `#/components/schemas/A`?",
        ),
        ("/quotes", "unresolved-reference", "write `\"` in its place"),
        ("/space", "unresolved-reference", "remove it"),
        (
            "/other",
            "reference-to-another-file",
            "copy it into `components`: other files are read only for a document that is a file",
        ),
    ] {
        let node = document.at(pointer).expect(pointer);
        let refused = document.resolve(node, pointer).expect_err(pointer);
        assert_eq!(refused.code, code, "{pointer}");
        assert_eq!(refused.help.as_deref(), Some(help), "{pointer}");
        let reference = node.get("$ref").map(|reference| reference.span);
        assert_eq!(Some(refused.span), reference, "{pointer}");
    }
}

/// Each proposal is compared with all names.
#[test]
fn only_the_first_unresolved_references_have_proposals() {
    let count = reference::MAX_PROPOSALS + 50;
    let names = 0..count;
    let names: String = names
        .map(|i| format!("  name{i:04}: {{$ref: '#/all/nam{i:04}'}}\n"))
        .collect();
    let document = yaml(&format!("all:\n{names}"));
    let references = References::new(&document);
    let proposals = || {
        let all = document.at("/all").expect("all").members();
        let findings = all.filter_map(|(_, entry)| references.resolve(&entry.value, "").err());
        findings.filter(|finding| finding.help.is_some()).count()
    };
    assert_eq!(proposals(), reference::MAX_PROPOSALS);
    assert_eq!(proposals(), reference::MAX_PROPOSALS, "the same ones");
}

#[test]
fn a_number_with_a_fraction_of_zero_is_an_integer() {
    let document = yaml("a: 2.0\nb: -2.0\nc: 2.5\nd: 1e3\n");
    let at = |pointer| document.at(pointer).expect("node");
    assert_eq!(at("/a").as_u64(), Some(2));
    assert_eq!((at("/b").as_u64(), at("/b").as_i64()), (None, Some(-2)));
    assert_eq!((at("/c").as_u64(), at("/c").as_f64()), (None, Some(2.5)));
    assert_eq!(at("/d").as_u64(), Some(1000));
}

#[test]
fn no_malformed_document_makes_the_loader_panic() {
    let whole = "openapi: 3.0.3\ninfo: {title: 'é', \"x\": [1, &a {b: *c}]}\npaths:\n  /a:\n    \
                 ? k\n    : - >-\n        x\n      - |2\n       y\n    <<: *a\n--- !t\n\u{feff}%YAML 1.2\n...\n";
    for (cut, _) in whole.char_indices() {
        for insert in [
            "", "\t", "'", "\"", "]", "}", ": ", "- ", "&", "*", "!", "\r", "\0", "%", "😀",
        ] {
            let text = format!("{}{insert}{}", &whole[..cut], &whole[cut..]);
            for (name, text) in [
                ("x.yaml", &text[..]),
                ("x.yaml", &text[..cut + insert.len()]),
                ("x.json", &text[..]),
            ] {
                if let Err(diagnostics) = Document::load(name, text) {
                    diagnostics.render(&Source::new(name, text));
                }
            }
        }
    }
}

/// Each form with the position of the line that YAML 1.2 requires to be
/// indented deeper.
#[test]
fn indentation_that_other_readers_accept_is_read_with_a_warning() {
    for (text, expected, line) in [
        (
            "a:\n  b: \"one\ntwo\n\n  three\"\n  c: é\n",
            json!({"a": {"b": "one two\nthree", "c": "é"}}),
            Some(3),
        ),
        (
            "a:\n  b: 'it''s\ntwo'\n  c: 1\n",
            json!({"a": {"b": "it's two", "c": 1}}),
            Some(3),
        ),
        (
            "a:\n  b: {\n    x: 1\n  }\n  c: 1\n",
            json!({"a": {"b": {"x": 1}, "c": 1}}),
            None,
        ),
        (
            "a:\n  b: {\n  x: 1\n  }\n  c: 1\n",
            json!({"a": {"b": {"x": 1}, "c": 1}}),
            Some(3),
        ),
        (
            "a:\n  - b: [\n    1\n  ]\n  - c\n",
            json!({"a": [{"b": [1]}, "c"]}),
            Some(3),
        ),
        (
            "a:\n  b: {\n    x: 1\n}\n  c: 1\n",
            json!({"a": {"b": {"x": 1}, "c": 1}}),
            Some(4),
        ),
    ] {
        let document = Document::load("t.yaml", text).expect(text);
        assert_eq!(document.to_json(), expected, "{text}");
        let warning = document.findings.iter().next();
        assert!(
            warning.is_none_or(|one| one.code == "yaml-indentation"),
            "{text}"
        );
        let found = warning.map(|one| document.source.line_column(one.span.start).0);
        assert_eq!(found, line, "{text}");
        // The nodes after the line keep their position.
        if let Some(c) = document.at("/a/c") {
            assert_eq!(c.span.start, text.find("c: ").expect("c") + 3, "{text}");
        }
    }
}

/// The parser of JSON takes every space of Unicode for one between tokens, and RFC 8259 does not.
#[test]
fn a_control_character_in_a_string_of_json_is_refused_with_its_escape() {
    for (character, name, escape) in [
        ("\t", "a tab", r"\t"),
        ("\n", "a line break", r"\n"),
        ("\r\n", "a line break", r"\n"),
        ("\u{1}", "a control character", r"\u0001"),
    ] {
        let text = format!("{{\"a\": \"b{character}c\"}}");
        let refused = Document::load("x.json", &text).expect_err(&text);
        let found = refused.iter().next().expect("a finding");
        assert_eq!(found.span.start, 8, "{text}");
        assert!(found.message.starts_with(name), "{}", found.message);
        let help = format!("write `{escape}` in its place");
        assert_eq!(found.help, Some(help), "{text}");
    }
}

#[test]
fn other_spaces_between_tokens_of_json_are_refused() {
    let text = "{\"a\":\u{a0}\"b\u{a0}c\"}";
    let refused = Document::load("x.json", text).expect_err("refused");
    let finding = refused.iter().next().expect("a finding");
    assert_eq!(
        (finding.code, finding.span),
        ("json-syntax", Span::new(5, 7))
    );
    let spaces = "{\"a\": \"b\u{a0}c \\\" \u{2003}\"}";
    assert!(Document::load("x.json", spaces).is_ok());
}

/// A list in brackets takes the markers for texts.
#[test]
fn markers_of_a_merge_conflict_within_brackets_are_refused() {
    let text = "a: [\n<<<<<<< HEAD\n  b,\n=======\n  c,\n>>>>>>> x\n  d]\n";
    let refused = Document::load("x.yaml", text).expect_err("refused");
    let finding = refused.iter().next().expect("a finding");
    assert_eq!(
        (finding.code, finding.span),
        ("yaml-syntax", Span::new(5, 17))
    );
}

#[test]
fn the_headers_of_every_response_are_also_those_of_shared_path_items() {
    let text = "openapi: 3.1.0\nx-dropforge-response-headers: {A: {schema: {type: string}}}\n\
                paths: {/a: {$ref: '#/components/pathItems/x-a'}}\n\
                components: {pathItems: {x-a: {get: {responses: {'200': {description: d}}}}}}\n";
    let document = Document::load("x.yaml", text).expect("a document");
    let header = "/components/pathItems/x-a/get/responses/200/headers/A";
    assert!(document.at(header).is_some());
}
