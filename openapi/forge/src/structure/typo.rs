//! Unknown keys that hold more than a key, because a character is missing or another one.

use super::unknown_key::UnknownKey;
use crate::document::{Diagnostic, characters};

/// The finding about a key that consists of a known key and something else.
pub(super) fn check(unknown: &UnknownKey<'_>) -> Option<Diagnostic> {
    unusual_character(unknown)
        .or_else(|| without_space(unknown))
        .or_else(|| without_colon(unknown))
        .or_else(|| dash(unknown))
}

fn error(unknown: &UnknownKey<'_>) -> Diagnostic {
    Diagnostic::error("unknown-key", unknown.entry.key_span, unknown.message())
}

/// A key such as `type：array`, whose colon is another character.
fn unusual_character(unknown: &UnknownKey<'_>) -> Option<Diagnostic> {
    let (unusual, at) = unknown.source.unusual(unknown.entry.key_span)?;
    let name = characters::name(unknown.key);
    let before_colon = name.split(':').next().unwrap_or_default();
    // The author indented the key with it.
    let is_indentation = unusual.is_blank() && unusual.at == 0;
    let is_meant = is_indentation || unknown.is_known(&name) || unknown.is_known(before_colon);
    is_meant.then(|| {
        let message = format!("{}: it has {}", unknown.message(), unusual.describe());
        Diagnostic::error("unknown-key", at, message).help(unusual.help())
    })
}

/// A key and a value that YAML reads as one key, as in `{type:string}`.
fn without_space(unknown: &UnknownKey<'_>) -> Option<Diagnostic> {
    let (known, value) = unknown.key.split_once(':')?;
    if value.starts_with(' ') || !unknown.is_known(known) {
        return None;
    }
    let whole = format!("{known}: {value}");
    Some(
        error(unknown)
            .help(format!("put a space after the colon: `{whole}`"))
            .replacement(whole),
    )
}

/// A key and a value without the colon between them, as in `{type string}`.
fn without_colon(unknown: &UnknownKey<'_>) -> Option<Diagnostic> {
    let (known, value) = unknown.key.split_once(' ')?;
    let file = unknown.source.file(unknown.entry.key_span.end);
    let behind = file.text.get(unknown.entry.key_span.end - file.start..)?;
    let has_colon = behind.trim_start().starts_with(':');
    if has_colon || !unknown.entry.value.is_null() || !unknown.is_known(known) {
        return None;
    }
    Some(
        error(unknown)
            .help(format!("put a colon behind `{known}`"))
            .replacement(format!("{known}: {value}")),
    )
}

/// An item of a list whose dash has no space behind it, as in `-name: x`.
fn dash(unknown: &UnknownKey<'_>) -> Option<Diagnostic> {
    let behind = unknown.key.strip_prefix('-')?;
    let is_item = behind.starts_with(|c: char| c.is_alphabetic() || "$'\"{[".contains(c));
    is_item.then(|| error(unknown).help("put a space behind the dash"))
}

/// The finding about a part of a text in braces: a comma ends the text, as in
/// `{description: First, middle and last}`.
pub(super) fn part_of_text(unknown: &UnknownKey<'_>) -> Option<Diagnostic> {
    let span = unknown.entry.key_span;
    let file = unknown.source.file(span.start);
    let before = file.text.get(..span.start - file.start)?.trim_end();
    let behind = file.text.get(span.end.checked_sub(file.start)?..)?;
    let is_part = unknown.entry.value.is_null()
        && before.ends_with(',')
        && behind.trim_start().starts_with([',', '}']);
    is_part.then(|| error(unknown).help("put the text in quotes: without them, a comma ends it"))
}

#[cfg(test)]
mod tests {
    use crate::document::Document;
    use crate::structure::check;

    /// The findings in a schema: the code, the text that it points at, and the help.
    fn found(schema: &str) -> Vec<(&'static str, String, String)> {
        let text = format!(
            "openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths: {{}}\ncomponents:\n  \
             schemas:\n    S: {schema}\n"
        );
        let document = Document::load("x.yaml", &text).expect(schema);
        let all = check(&document).into_iter().map(|one| {
            let at = text[one.span.start..one.span.end].to_owned();
            (one.code, at, one.help.unwrap_or_default())
        });
        all.collect()
    }

    #[test]
    fn a_key_with_a_wrong_or_missing_character_says_which() {
        for (schema, at, help) in [
            ("{type string}", "type string", "put a colon behind `type`"),
            (
                "{$ref \"#/components/schemas/S\"}",
                "$ref \"#/components/schemas/S\"",
                "put a colon behind `$ref`",
            ),
            (
                "{type\u{ff1a}string}",
                "\u{ff1a}",
                "write a colon and a space in its place",
            ),
            (
                "{type:\u{a0}string}",
                "\u{a0}",
                "write a space in its place",
            ),
            ("{type\u{200b}: string}", "\u{200b}", "remove it"),
            (
                "{\u{201c}type\u{201d}: string}",
                "\u{201c}",
                "write `\"` in its place",
            ),
            (
                "\n      \u{a0}\u{a0}other: 1",
                "\u{a0}",
                "write a space in its place",
            ),
            ("{-type: string}", "-type", "put a space behind the dash"),
            (
                "{type:string}",
                "type:string",
                "put a space after the colon: `type: string`",
            ),
        ] {
            let expected = ("unknown-key", at.to_owned(), help.to_owned());
            assert_eq!(found(schema), [expected], "{schema}");
        }
    }

    #[test]
    fn a_part_of_a_text_behind_a_comma_needs_quotes() {
        let help = "put the text in quotes: without them, a comma ends it";
        let parts = found("{description: First, middle and last}");
        let expected = ("unknown-key", "middle and last".to_owned(), help.to_owned());
        assert_eq!(parts, [expected]);
        let parts = found("{description: First, second, third, type: string}");
        assert_eq!(parts.len(), 2, "{parts:?}");
        let other = found("{type: string, foreign: }");
        assert!(other.iter().all(|(_, _, found)| found != help), "{other:?}");
    }
}
