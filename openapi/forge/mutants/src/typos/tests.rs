//! Every slip of a small text, and what it makes of the text.

use super::*;

const TEXT: &str = "\
openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /a:
    get:
      tags: [A, B]
      deprecated: true
      parameters:
        - name: b
          in: query
      responses: {}
";

/// What the slips of one kind make of the line that holds `key`.
fn lines(slip: Slip, key: &str) -> Vec<String> {
    let number = TEXT
        .lines()
        .position(|line| line.contains(key))
        .expect("the key");
    let typos = typos("a.yaml", TEXT).expect("YAML");
    let of_key = typos.iter().filter(|typo| {
        let line = TEXT[..typo.at].matches('\n').count();
        typo.slip == slip && line == number && TEXT[typo.at..].starts_with(key)
    });
    of_key
        .map(|typo| {
            let text = typo.apply(TEXT).expect("a change");
            let lines: Vec<_> = text.lines().skip(number).take(2).collect();
            lines.join("\n").trim_end().to_owned()
        })
        .collect()
}

#[test]
fn a_key_is_misspelled_in_four_ways() {
    for slip in [
        Slip::LetterDropped,
        Slip::LetterDoubled,
        Slip::LettersSwapped,
        Slip::LetterReplaced,
    ] {
        let made = lines(slip, "deprecated");
        assert_eq!(made.len(), 1, "{slip}");
        assert!(!made[0].contains("deprecated:"), "{slip}: {made:?}");
    }
}

#[test]
fn values_get_brackets_and_quotes_and_lists_lose_them() {
    let next = "\n      parameters:";
    assert_eq!(
        lines(Slip::ListForScalar, "deprecated"),
        [format!("      deprecated: [true]{next}")]
    );
    assert_eq!(
        lines(Slip::Quoted, "deprecated"),
        [format!("      deprecated: 'true'{next}")]
    );
    assert_eq!(
        lines(Slip::ScalarForList, "tags"),
        ["      tags: A\n      deprecated: true"]
    );
}

#[test]
fn items_lose_their_dashes() {
    assert_eq!(
        lines(Slip::DashDropped, "parameters"),
        [
            "      parameters:\n          name: b",
            "      parameters:\n        name: b"
        ]
    );
}

#[test]
fn lines_and_blocks_are_indented_both_ways() {
    assert_eq!(
        lines(Slip::LineIndented, "parameters"),
        [
            "        parameters:\n        - name: b",
            "    parameters:\n        - name: b"
        ]
    );
    assert_eq!(
        lines(Slip::BlockIndented, "parameters"),
        [
            "        parameters:\n          - name: b",
            "    parameters:\n      - name: b"
        ]
    );
}

#[test]
fn required_keys_are_dropped_in_every_style() {
    assert_eq!(
        lines(Slip::KeyDropped, "title"),
        ["info: {version: '1'}\npaths:"]
    );
    assert_eq!(
        lines(Slip::KeyDropped, "version"),
        ["info: {title: T}\npaths:"]
    );
    assert_eq!(
        lines(Slip::KeyDropped, "name"),
        ["        - in: query\n      responses: {}"]
    );
    assert_eq!(
        lines(Slip::KeyDropped, "in: query"),
        ["      responses: {}"]
    );
    assert_eq!(lines(Slip::KeyDropped, "responses"), [""]);
}

#[test]
fn keys_that_authors_choose_are_left_alone() {
    let typos = typos("a.yaml", TEXT).expect("YAML");
    assert!(typos.iter().all(|typo| !TEXT[typo.at..].starts_with("/a")));
}
