//! The findings about syntax errors: the place of the mistake, and what to write.

use crate::document::{Diagnostic, Document, Source};

/// The only finding about a text, and its place.
fn refused(text: &str) -> (Diagnostic, (usize, usize)) {
    let refused = Document::load("x.yaml", text).expect_err(text);
    let findings: Vec<_> = refused.iter().collect();
    let [finding] = findings.as_slice() else {
        panic!("{text}: {findings:?}");
    };
    assert_eq!(finding.code, "yaml-syntax", "{text}");
    let place = Source::new("x.yaml", text).line_column(finding.span.start);
    ((*finding).clone(), place)
}

fn help(finding: &Diagnostic) -> &str {
    finding.help.as_deref().unwrap_or_default()
}

#[test]
fn a_text_without_its_closing_quote_is_reported_where_it_begins() {
    for (text, place) in [
        ("a:\n  b: \"All about it.\n  c: \"1\"\nd: {}\n", (2, 6)),
        ("a:\n  b: 'All about it.\n  c: d\n  e: 'f'\n", (2, 6)),
        (
            "a:\n  b:\n    $ref: \"#/c/d\n  e:\n    $ref: \"#/c/e\"\nc: {}\n",
            (3, 11),
        ),
        ("a:\n  - {b: \"c, d: e}\n  - {b: \"f\", d: e}\n", (2, 9)),
        ("a:\n  \"200:\n    b: c\n  \"404\":\n    b: d\n", (2, 3)),
        ("a:\n  b: \"c\n  d: '^\\d+$'\n  e: \"f\"\n", (2, 6)),
        ("a: \"b\nc: 1\n", (1, 4)),
        ("a: 'b\n", (1, 4)),
        ("a: |\n  \"b\nc: \"d\ne: \"f\"\n", (3, 4)),
    ] {
        let (finding, found) = refused(text);
        let message = "the text that begins here has no closing quote";
        assert_eq!(finding.message, message, "{text}");
        assert_eq!(found, place, "{text}");
        assert!(help(&finding).ends_with("at the end of the text"), "{text}");
    }
}

#[test]
fn a_backslash_before_the_closing_quote_is_to_be_doubled() {
    let (finding, place) = refused("a:\n  b: \"\\d\\\"\n  c: \"d\"\n");
    assert_eq!(place, (2, 6));
    assert!(help(&finding).starts_with("write the backslash before the last quote as two"));
}

#[test]
fn quotes_within_a_text_are_not_missing_ones() {
    for text in [
        "a:\n  b: \"one\n    and \"two\" of them\"\n",
        "a:\n  b: 'it's fine'\n",
        "a: \"^\\d+$\"\n",
    ] {
        let (finding, _) = refused(text);
        assert!(!finding.message.contains("closing quote"), "{text}");
    }
}

#[test]
fn a_bracket_that_is_not_closed_is_reported_where_it_begins() {
    for (text, place, line) in [
        (
            "a:\n  b: [{c: d}\n  e:\n    f: {g: h}\n",
            (2, 6),
            "line 2 with `]`",
        ),
        (
            "a:\n  b: [ c, d\n  e:\n    f: [g]\n",
            (2, 6),
            "line 2 with `]`",
        ),
        (
            "a:\n  b: {c: d,\n    e: f\n  g:\n    h: i\n",
            (2, 6),
            "line 2 with `}`",
        ),
        ("a:\n  b: {c: [d}\n  e: f\n", (2, 10), "line 2 with `]`"),
        ("a:\n  - [b, c\n  - d\n", (2, 5), "line 2 with `]`"),
        ("a: [b, c", (1, 4), "line 1 with `]`"),
    ] {
        let (finding, found) = refused(text);
        assert!(finding.message.contains("is not closed"), "{text}");
        assert_eq!(found, place, "{text}");
        let start = format!("close the bracket of {line}");
        assert!(help(&finding).starts_with(&start), "{text}");
    }
}

#[test]
fn a_closed_bracket_is_not_reported() {
    for text in [
        "a: {b: c d: e}\n",
        "a: [b [c]]\n",
        "a: {b: ^[^}]+$, c: d}\n",
        "a: [b]]\n",
        "a: [\n  b: c: d\n  ]\n",
    ] {
        let (finding, _) = refused(text);
        assert!(!finding.message.contains("is not closed"), "{text}");
    }
}

#[test]
fn a_comment_that_hides_a_bracket_is_reported() {
    for (text, place, written) in [
        (
            "a: {$ref: #/b/c}\nb: {}\n",
            (1, 11),
            "put the reference in quotes: `'#/b/c'`",
        ),
        (
            "a:\n  - {b: number #1, c: d}\n  - {b: e}\n",
            (2, 16),
            "put the text in quotes",
        ),
    ] {
        let (finding, found) = refused(text);
        assert!(
            finding.message.starts_with("`#` begins a comment"),
            "{text}"
        );
        assert_eq!(found, place, "{text}");
        assert!(help(&finding).contains(written), "{text}");
    }
}

#[test]
fn a_conflict_of_two_versions_is_reported_at_its_first_marker() {
    let text = "a:\n  b: 1\n<<<<<<< HEAD\n  c: 2\n=======\n  c: 3\n>>>>>>> other\n";
    let (finding, place) = refused(text);
    assert_eq!(finding.message, "a merge conflict marker is left here");
    assert_eq!(place, (3, 1));
    assert!(help(&finding).contains("remove the three markers"));
}

#[test]
fn an_unusual_character_is_named_where_it_causes_the_error() {
    for (text, place, name, written) in [
        (
            "a:\n  type\u{ff1a}array\n  items: {}\n",
            (2, 7),
            "U+FF1A FULLWIDTH COLON",
            "write a colon and a space",
        ),
        (
            "a:\n\u{a0}\u{a0}b: 1\n  c: 2\n",
            (2, 1),
            "U+00A0 NO-BREAK SPACE",
            "write a space",
        ),
        (
            "a:\n  b:\u{a0}c\n  d: 1\n",
            (2, 5),
            "U+00A0 NO-BREAK SPACE",
            "write a space",
        ),
        (
            "a:\n  \u{200b}b: c\n    d: 1\n",
            (2, 3),
            "U+200B ZERO WIDTH SPACE",
            "remove it",
        ),
        (
            "a:\n  b: \u{201c}Note: it is\u{201d}\n",
            (2, 6),
            "U+201C LEFT DOUBLE QUOTATION MARK",
            "write `\"`",
        ),
    ] {
        let (finding, found) = refused(text);
        assert_eq!(finding.message, format!("this character is {name}"));
        assert_eq!(found, place, "{text}");
        assert!(help(&finding).starts_with(written), "{text}");
    }
    let text = "a:\n  b: An \u{2014} it is: \u{201c}c\u{201d}\n";
    let (finding, _) = refused(text);
    assert!(!finding.message.contains("U+"), "{}", finding.message);
}

#[test]
fn a_dash_without_a_space_is_reported() {
    for (text, place) in [
        ("a:\n  - b: 1\n    c: 2\n  -b: 3\n", (4, 3)),
        ("a:\n  -{b: c, d: e}\n", (2, 3)),
        ("a:\n  -$ref: b\n    c: d\n", (2, 3)),
    ] {
        let (finding, found) = refused(text);
        assert_eq!(found, place, "{text}");
        assert_eq!(help(&finding), "put a space behind the dash", "{text}");
    }
    let (finding, _) = refused("a: the options\n  -v: verbose\n");
    assert!(!help(&finding).contains("dash"), "{}", help(&finding));
}

#[test]
fn a_nul_is_not_called_a_tab() {
    let (finding, place) = refused("a: b\n\0c: d\n");
    assert_eq!(place, (2, 1));
    assert!(help(&finding).starts_with("remove the character NUL"));
}

#[test]
fn a_sign_in_a_block_of_text_is_not_the_cause_of_an_error_below() {
    for line in [
        "-v is one of them",
        "\u{2013} one of them",
        "Note\u{ff1a}read it",
        "\u{201c}All of it\u{201d}",
        "\u{200b}All of it",
    ] {
        let text = format!("a:\n  b: |\n    Options:\n    {line}\n  c: d: e\n");
        let (finding, (line, _)) = refused(&text);
        assert_eq!(line, 5, "{text}");
        assert!(help(&finding).contains("`'d: e'`"), "{text}");
    }
}

#[test]
fn a_comma_or_a_bracket_too_many_is_to_be_removed() {
    for (text, place, written) in [
        ("a: [b,, c]\n", (1, 7), "remove one comma"),
        ("a: {b: 1,, c: 2}\n", (1, 10), "remove one comma"),
        ("a:\n  b: c\n  ]\n", (3, 3), "remove the bracket"),
    ] {
        let (finding, found) = refused(text);
        assert_eq!(found, place, "{text}");
        assert!(help(&finding).starts_with(written), "{text}");
    }
}
