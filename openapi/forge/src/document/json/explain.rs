//! Explains syntax errors: the place of the mistake, and what to write instead.

use jsonc_parser::ParseStringErrorKind;
use jsonc_parser::common::Range;
use jsonc_parser::errors::ParseErrorKind;

use crate::document::{Diagnostic, Span, characters, conflict, similar};

/// The code of all syntax errors.
const CODE: &str = "json-syntax";

const COMMENT: &str = "remove the comment: JSON has none";

/// The finding about the parser's error at a range of a text, which begins at `offset`.
pub(super) fn finding(
    text: &str,
    offset: usize,
    range: Range,
    kind: &ParseErrorKind,
) -> Diagnostic {
    if let Some(finding) = conflict::find(text, offset, CODE) {
        return finding;
    }
    let error = |start: usize, end: usize, message: String| {
        Diagnostic::error(CODE, Span::new(offset + start, offset + end), message)
    };
    if let Some((start, name)) = unclosed_key(text, range.start, kind) {
        let message = "the key that begins here has no closing quote".to_owned();
        return error(start, start + 1, message)
            .help(format!("write `\"` before the colon: `\"{name}\":`"));
    }
    if let Some(start) = unclosed_string(text, range.start) {
        let message = "the text that begins here has no closing quote".to_owned();
        return error(start, start + 1, message)
            .help("write `\"` at the end of the text, and a line break within it as `\\n`");
    }
    let end = text.trim_end().len();
    let closing = match kind {
        ParseErrorKind::UnterminatedArray => Some(']'),
        ParseErrorKind::UnterminatedObject => Some('}'),
        _ => None,
    };
    if closing.is_some() || range.start >= end {
        let finding = error(end, end, "the file ends too early".to_owned());
        let Some(closing) = closing else {
            return finding.help(at_the_end(kind));
        };
        let line = 1 + text[..range.start].matches('\n').count();
        let bracket = Span::new(offset + range.start, offset + range.start + 1);
        return finding
            .related(bracket, "this bracket is not closed")
            .help(format!("close the bracket of line {line} with `{closing}`"));
    }
    let written = text.get(range.start..range.end).unwrap_or_default();
    if matches!(kind, ParseErrorKind::UnexpectedToken)
        && let Some(unusual) = characters::unusual(&text[range.start..]).next()
        && unusual.at <= written.len()
    {
        let span = unusual.span(range.start);
        let message = format!("this character is {}", unusual.describe());
        return error(span.start, span.end, message).help(unusual.help());
    }
    let message = lowercase_first(&kind.to_string());
    let (before, behind) = text.split_at(range.start);
    let help = number(kind, before, behind);
    let help = help.unwrap_or_else(|| help_for(kind, written, before.trim_end()));
    error(range.start, range.end, message).help(help)
}

/// The offset and the name of a key whose closing quote is missing, as in `"info: {"title": "T"}`: the next quote closes
/// the key, and the parser's error at `end` is behind that quote.
fn unclosed_key<'t>(text: &'t str, end: usize, kind: &ParseErrorKind) -> Option<(usize, &'t str)> {
    if !matches!(
        kind,
        ParseErrorKind::ExpectedColonAfterObjectKey
            | ParseErrorKind::UnexpectedToken
            | ParseErrorKind::UnexpectedWord
    ) {
        return None;
    }
    let (mut open, mut last) = (None, None);
    let mut chars = text.get(..end)?.char_indices();
    while let Some((at, c)) = chars.next() {
        match (c, open) {
            ('"', None) => open = Some(at),
            ('"', Some(start)) => (open, last) = (None, Some((start, at))),
            ('\\', Some(_)) => _ = chars.next(),
            _ => {}
        }
    }
    let (start, close) = last?;
    let is_last = open.is_none() && text[close + 1..end].trim().is_empty();
    let is_key = text[..start].trim_end().ends_with(['{', ',']);
    let (name, value) = text[start + 1..close].split_once(':')?;
    let has_value = value.is_empty() || value.starts_with(['{', '[', ' ', '\t', '\r', '\n']);
    let is_name = !name.is_empty() && !name.contains('\n');
    (is_last && is_key && has_value && is_name).then_some((start, name))
}

/// The offset of the first string with a line break, which has to be escaped in JSON: its closing
/// quote is missing. Only strings that begin at `end` or before it are considered.
fn unclosed_string(text: &str, end: usize) -> Option<usize> {
    let mut start = None;
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            _ if start.is_none() && at > end => return None,
            '"' if start.is_none() => start = Some(at),
            '"' => start = None,
            '\\' if start.is_some() => _ = chars.next(),
            '\n' if start.is_some() => return start,
            _ => {}
        }
    }
    start
}

/// The help for an error at the end of a text.
fn at_the_end(kind: &ParseErrorKind) -> &'static str {
    match kind {
        ParseErrorKind::ExpectedColonAfterObjectKey => {
            "write a colon and a value behind the last key"
        }
        ParseErrorKind::ExpectedObjectValue => "write a value behind the last colon",
        _ => "write the rest of the value",
    }
}

/// The help for a number of which JSON reads only the first digits.
fn number(kind: &ParseErrorKind, before: &str, behind: &str) -> Option<String> {
    let is_behind_number = matches!(
        kind,
        ParseErrorKind::ExpectedComma | ParseErrorKind::UnexpectedToken
    ) && before.ends_with(|c: char| c.is_ascii_digit());
    let help = match behind.chars().next().filter(|_| is_behind_number)? {
        '0'..='9' => "remove the zeros before the number",
        '_' => "write the number without separators",
        next if next.is_ascii_alphabetic() => "write the number in decimal digits",
        _ => return None,
    };
    Some(help.to_owned())
}

/// The help for another error. `written` is the text that the parser reports, and `before` the text
/// before it.
fn help_for(kind: &ParseErrorKind, written: &str, before: &str) -> String {
    let help = match kind {
        ParseErrorKind::UnexpectedWord => return word(written),
        ParseErrorKind::UnexpectedToken => match written.chars().next() {
            Some('#' | '/') => COMMENT,
            Some('=') => "write a colon between the key and its value",
            Some(first) if first.is_alphabetic() => return word(written),
            _ => "remove this character, or put a text in double quotes",
        },
        ParseErrorKind::ExpectedStringObjectProperty => {
            return format!("put the key in double quotes: `\"{written}\"`");
        }
        ParseErrorKind::SingleQuotedStringsNotAllowed => "write strings in double quotes",
        ParseErrorKind::CommentsNotAllowed | ParseErrorKind::UnterminatedCommentBlock => COMMENT,
        ParseErrorKind::TrailingCommasNotAllowed => "remove the comma",
        ParseErrorKind::ExpectedComma => "put a comma between the two",
        ParseErrorKind::ExpectedColonAfterObjectKey => {
            "write a colon between the key and its value"
        }
        ParseErrorKind::MultipleRootJsonValues => {
            "remove the text behind the bracket that closes the document"
        }
        ParseErrorKind::UnexpectedComma
        | ParseErrorKind::UnexpectedCloseBrace
        | ParseErrorKind::UnexpectedCloseBracket
            if before.ends_with(':') =>
        {
            "write a value behind the colon"
        }
        ParseErrorKind::UnexpectedComma => "remove one comma",
        ParseErrorKind::UnexpectedCloseBrace => "close the list with `]` before the object",
        ParseErrorKind::UnexpectedCloseBracket => "remove the bracket",
        ParseErrorKind::UnexpectedColon => "put a key with its value in braces: `{\"key\": …}`",
        ParseErrorKind::UnexpectedTokenInObject => match written {
            "," => "remove one comma",
            "]" => "close the object with `}` before the list",
            _ => "write a key in double quotes, and a colon behind it",
        },
        ParseErrorKind::HexadecimalNumbersNotAllowed => "write the number in decimal digits",
        ParseErrorKind::UnaryPlusNumbersNotAllowed => "remove the plus sign",
        ParseErrorKind::BareDecimalPointNumbersNotAllowed => {
            "write a digit on both sides of the decimal point"
        }
        ParseErrorKind::NonFiniteNumbersNotAllowed => "write a number: JSON has no such value",
        ParseErrorKind::String(ParseStringErrorKind::ExpectedFourHexDigits) => {
            "write four hexadecimal digits behind `\\u`"
        }
        ParseErrorKind::String(ParseStringErrorKind::InvalidUnicodeEscapeSequence(_)) => {
            "write both halves of the character, as in `\\ud83d\\ude00`, or the character itself"
        }
        ParseErrorKind::String(ParseStringErrorKind::InvalidEscapeInDoubleQuoteString) => {
            "remove the backslash before the `'`"
        }
        ParseErrorKind::String(_) => "write a backslash as two: `\\\\`",
        // Digits are missing.
        _ => "write a number, such as `1`, `-0.5` or `1e3`",
    };
    help.to_owned()
}

/// The help for a word without quotes.
fn word(written: &str) -> String {
    let known = similar::nearest(["true", "false", "null"], written, 1);
    match (known, written) {
        (Some(known), _) => format!("write `{known}`"),
        (None, "None" | "nil" | "undefined") => "write `null`".to_owned(),
        (None, "NaN" | "Infinity") => "write a number: JSON has no such value".to_owned(),
        _ => format!("put a text in double quotes: `\"{written}\"`"),
    }
}

fn lowercase_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(chars).collect()
    })
}

#[cfg(test)]
mod tests {
    use crate::document::Document;

    #[test]
    fn each_error_has_its_place_and_says_what_to_write() {
        for (text, place, help) in [
            (r#"{"a": True}"#, (1, 7), "write `true`"),
            (r#"{"a": None, "b": 1}"#, (1, 7), "write `null`"),
            (r#"{"a": text}"#, (1, 7), "double quotes: `\"text\"`"),
            ("{a: 1}", (1, 2), "put the key in double quotes: `\"a\"`"),
            ("{'a': 1}", (1, 2), "write strings in double quotes"),
            (r#"{"a": 'b'}"#, (1, 7), "write strings in double quotes"),
            (r#"{"a": 1,}"#, (1, 8), "remove the comma"),
            (r#"{"a": [1,, 2]}"#, (1, 10), "remove one comma"),
            (r#"{"a": 1,, "b": 2}"#, (1, 9), "remove one comma"),
            (r#"{"a": 1 "b": 2}"#, (1, 8), "put a comma between"),
            (r#"{"a" 1}"#, (1, 6), "write a colon"),
            (r#"{"a"= 1}"#, (1, 5), "write a colon"),
            (r#"{"a": }"#, (1, 7), "write a value"),
            (r#"{"a": [1}"#, (1, 9), "close the list with `]`"),
            (r#"{"a": 1]"#, (1, 8), "close the object with `}`"),
            (r#"{"a": 1} x"#, (1, 10), "remove the text behind"),
            (r#"{"a": "\d+"}"#, (1, 8), "a backslash as two: `\\\\`"),
            (r#"{"a": "\u12"}"#, (1, 8), "four hexadecimal digits"),
            ("{\"a\": 1 // b\n}", (1, 9), "remove the comment"),
            ("{\"a\": 1 # b\n}", (1, 9), "remove the comment"),
            (r#"{"a": 01}"#, (1, 8), "remove the zeros"),
            (r#"{"a": 1_000}"#, (1, 8), "without separators"),
            (r#"{"a": 0o10}"#, (1, 8), "in decimal digits"),
            (r#"{"a": 0x10}"#, (1, 7), "in decimal digits"),
            (r#"{"a": .5}"#, (1, 7), "on both sides"),
            (
                "{\"a\"\u{ff1a} 1}",
                (1, 5),
                "write a colon and a space in its place",
            ),
            (
                "{\"a\": \u{201c}b\u{201d}}",
                (1, 7),
                "write `\"` in its place",
            ),
            (
                "{\n\"a\": \"b,\n\"c\": 1}",
                (2, 6),
                "write `\"` at the end of the text",
            ),
            (
                r#"{"a": 1, "info: {"b": 1}}"#,
                (1, 10),
                r#"write `"` before the colon: `"info":`"#,
            ),
            (
                "{\n\"info: {\n  \"b\": 1}}",
                (2, 1),
                r#"write `"` before the colon: `"info":`"#,
            ),
            (
                r#"{"openapi: "3.0.3"}"#,
                (1, 2),
                r#"write `"` before the colon: `"openapi":`"#,
            ),
            (r#"{"a:b" 1}"#, (1, 8), "write a colon"),
            (r#"{"a": "b: "c"}"#, (1, 12), r#"`"c"`"#),
            (
                "{\"a\": [1,\n  2\n\n",
                (2, 4),
                "close the bracket of line 1 with `]`",
            ),
            (
                "{\"a\":\n{\"b\": 1",
                (2, 8),
                "close the bracket of line 2 with `}`",
            ),
            ("{\"a\": \n", (1, 6), "write a value behind"),
            ("{\"a\": \"b", (1, 7), "at the end of the text"),
            (
                "{\"a\": 1,\n<<<<<<< HEAD\n\"b\": 1}",
                (2, 1),
                "keep one of the two versions",
            ),
        ] {
            let refused = Document::load("x.json", text).expect_err(text);
            let found = refused.iter().next().expect("a finding");
            assert_eq!(found.code, "json-syntax", "{text}");
            let written = found.help.as_deref().unwrap_or_default();
            assert!(written.contains(help), "{text}: {written}");
            let source = crate::document::Source::new("x.json", text);
            assert_eq!(source.line_column(found.span.start), place, "{text}");
        }
    }
}
