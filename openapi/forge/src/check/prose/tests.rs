//! What is found, where, and what is not.

use super::remarks::{NAMES, PHRASE, REPEATS, SENTENCE, SPELLING, TEXTS, VERB};
use super::*;
use crate::document::Document;

const CLEAN: &str = include_str!("../lint/clean.yaml");

/// Rule and place of each finding, after `old` became `new` in the clean document.
fn found(old: &str, new: &str) -> Vec<(&'static str, String)> {
    assert!(CLEAN.contains(old), "the clean document has no {old:?}");
    let text = CLEAN.replacen(old, new, 1);
    let document = Document::load("clean.yaml", &text).expect("a document");
    let findings = check(&document);
    let place = |span: crate::document::Span| text[span.start..span.end].to_owned();
    let all = findings.iter();
    all.map(|finding| (finding.code, place(finding.span)))
        .collect()
}

#[test]
fn every_pattern_of_the_lists_is_a_regular_expression() {
    assert_eq!(TEXTS.len(), words::PHRASES.len() + words::SPELLINGS.len());
    assert_eq!(NAMES.len(), words::NAMES.len() + words::SPELLINGS.len());
}

#[test]
fn a_plain_text_is_checked_without_its_code() {
    let found = |text: &str| {
        let remarks = words_of_plain(text);
        remarks
            .into_iter()
            .map(|remark| remark.words)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        found("It shall begin in\n    the clear."),
        ["shall", "in\n    the clear"]
    );
    assert_eq!(found("The behaviour of `mend`."), ["behaviour"]);
    assert_eq!(found("The answer was told."), ["answer", "told"]);
}

#[test]
fn a_name_is_read_word_by_word() {
    for name in ["is_told", "ToldField", "TOLD", "tell_all", "flavour"] {
        let remarks = words_of_name(name);
        assert_eq!(remarks.len(), 1, "{name}: {remarks:?}");
        assert_eq!(remarks[0].words, name);
    }
    for name in ["mantold", "untellable", "client_word", "StandingsTable_"] {
        let expected = usize::from(name.starts_with("Standings"));
        assert_eq!(words_of_name(name).len(), expected, "{name}");
    }
}

#[test]
fn the_clean_document_reads_well() {
    assert_eq!(found("", ""), []);
}

#[test]
fn each_rule_finds_its_place() {
    let cases = [
        (
            [PHRASE, "asked\n        for"],
            [
                "Gets a thing.",
                ">-\n        Gets a thing, as was asked\n        for.",
            ],
        ),
        (
            [PHRASE, "what is"],
            ["summary: Get a thing", "summary: Get what is there"],
        ),
        (
            [PHRASE, "is no"],
            [
                "error_description: Not today.",
                "error_description: This is no thing.",
            ],
        ),
        (
            [PHRASE, "told"],
            ["Put things.", "Put things that were told."],
        ),
        (
            [PHRASE, "told"],
            [
                "        '204': {description: There is none.}\n",
                "        default: {description: It was told.}\n",
            ],
        ),
        (
            [PHRASE, "told"],
            [
                "kind:\n          $ref: '#/components/schemas/Kind'",
                "example: {type: string, description: It was told.}",
            ],
        ),
        (
            [SPELLING, "behaviour"],
            ["Gets a thing.", "Gets a thing of this behaviour."],
        ),
        (
            [SENTENCE, &format!("It {}is.", "so ".repeat(24))],
            [
                "Gets a thing.",
                &format!("Gets a thing. It {}is.", "so ".repeat(24)),
            ],
        ),
        ([VERB, "A"], ["summary: Get a thing", "summary: A thing"]),
        (
            [REPEATS, "The size in metres."],
            ["How large it is.", "The size in metres."],
        ),
        (
            ["summary-period", "All."],
            [
                "              whole:\n",
                "              whole:\n                summary: All.\n",
            ],
        ),
    ];
    for ([rule, at], [old, new]) in cases {
        let found = found(old, new);
        assert!(
            found.iter().any(|one| *one == (rule, at.to_owned())),
            "{rule}: {found:?}"
        );
    }
    for rule in &RULES {
        assert!(
            cases.iter().any(|([id, _], _)| *id == rule.id),
            "{} is never broken",
            rule.id
        );
    }
}

#[test]
fn the_description_of_a_property_is_prose_whatever_its_name_is() {
    for name in ["other", "headers", "properties", "examples"] {
        let property = format!("{name}: {{type: string, description: It was told.}}");
        let found = found(
            "label: {type: string, description: The text on it.}",
            &property,
        );
        assert_eq!(found, [(PHRASE, "told".to_owned())], "{name}");
    }
}

#[test]
fn an_example_is_data_apart_from_the_texts_of_errors() {
    let with = |examples: &str| {
        let label = format!("label: {{type: string, {examples}");
        found("label: {type: string,", &label)
    };
    for examples in [
        "example: {KEY: It is told.},",
        "examples: [{KEY: It is told.}],",
    ] {
        assert_eq!(with(&examples.replace("KEY", "title")), [], "{examples}");
        let error = with(&examples.replace("KEY", "message"));
        assert_eq!(error, [(PHRASE, "told".to_owned())], "{examples}");
    }
}

#[test]
fn code_addresses_and_fenced_blocks_are_not_prose() {
    let text = "Send `what is` to https://shall.example/answer.\n\n```sh\ncurl answer\n```\n";
    assert_eq!(super::words(text), []);
    assert_eq!(words_of_plain("the field `answer` of {shall}"), []);
}

#[test]
fn a_phrase_is_not_found_in_another_that_is_plain() {
    for text in [
        "It is no longer valid.",
        "There is no limit.",
        "It is not valid.",
        "A stand-in.",
    ] {
        assert_eq!(super::words(text), [], "{text}");
    }
}

#[test]
fn a_code_span_counts_as_one_word_and_a_table_has_no_sentences() {
    let long = "word ".repeat(30);
    assert_eq!(sentences(&format!("The `{long}` of it.")), []);
    assert_eq!(sentences(&format!("| a |\n|---|\n| {long} |\n")), []);
    assert_eq!(sentences(&format!("- {long}\n")).len(), 1);
}

#[test]
fn words_are_located_over_line_breaks() {
    assert_eq!(locate("a what\n  is b", "what is"), Some((2, 11)));
    assert_eq!(locate("whatis", "what is"), None);
}

#[test]
fn a_file_of_markdown_is_read_without_code_and_each_finding_has_its_place() {
    let text = "# Keys\n\n```sh\nwhat is no code\n```\n\nA key is `is no key`.\n\nIt is no key, and tells all.\n";
    let findings = super::check_markdown(text);
    let places: Vec<_> = findings
        .iter()
        .map(|finding| {
            (
                finding.span.start,
                &text[finding.span.start..finding.span.end],
            )
        })
        .collect();
    let paragraph = text.find("It is no").expect("the paragraph");
    assert_eq!(
        places,
        [(paragraph + 3, "is no"), (paragraph + 18, "tells")]
    );
}

#[test]
fn members_of_a_name_are_read_in_any_yaml() {
    let text =
        "decisions:\n  - number: A1\n    choice: A list is no object.\n    other: It is no text.\n";
    let document = Document::load("decisions.yaml", text).expect("YAML");
    let findings = super::check_members(&document, "choice");
    let places: Vec<_> = findings
        .iter()
        .map(|finding| &text[finding.span.start..finding.span.end])
        .collect();
    assert_eq!(places, ["is no"]);
}
