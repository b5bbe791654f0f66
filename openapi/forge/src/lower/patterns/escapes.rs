//! Backslashes that the notation of the document has removed, or that are written twice.
//!
//! In double quotes, YAML and JSON read `\b` as a control character. In single quotes, YAML reads
//! `\\` as two backslashes.

use super::dialects::not_checked;
use super::tokens::{Token, tokens};
use crate::document::{Diagnostic, Span};

/// Escapes of YAML that have another meaning than in ECMA 262, with their characters.
const CHANGED: [(char, char); 6] = [
    ('\u{7}', 'a'),
    ('\u{8}', 'b'),
    ('\u{1B}', 'e'),
    ('\u{85}', 'N'),
    ('\u{2028}', 'L'),
    ('\u{2029}', 'P'),
];

/// The escapes of classes, and the boundaries of words.
const LETTERS: &str = "dDwWsSbB";

/// The finding about a character that an escape in double quotes made. Within a class, such
/// characters may be the ends of a range.
pub(super) fn check(tokens: &[Token<'_>], span: Span) -> Option<Diagnostic> {
    let (char, letter) = tokens.iter().find_map(|token| match token {
        Token::Atom(atom) => CHANGED
            .into_iter()
            .find(|(char, _)| atom.starts_with(*char)),
        _ => None,
    })?;
    let problem = format!(
        "the pattern has the character U+{:04X}, which is `\\{letter}` in double quotes",
        u32::from(char)
    );
    let help = format!("write the pattern in single quotes, or `\\\\{letter}` in double quotes");
    Some(not_checked(span, &problem, &help))
}

/// The warning about a backslash before the letter of an escape, such as `\\d+`.
pub(in crate::lower) fn doubled_backslash(pattern: &str, span: Span) -> Option<Diagnostic> {
    // Such an expression is about backslashes.
    if pattern.contains(r"\\\\") {
        return None;
    }
    let tokens = tokens(pattern);
    let letter = (0..tokens.len()).find_map(|at| match tokens[at] {
        Token::Atom("\\\\") => letter(&tokens[at + 1..]),
        Token::Atom(class) if class.starts_with('[') => letter_in_class(class),
        _ => None,
    })?;
    let message = format!("`\\\\{letter}` matches a backslash and the letter `{letter}`");
    Some(
        Diagnostic::warning("pattern-backslash", span, message).help(format!(
            "write `\\{letter}` for the escape: only double quotes need two backslashes"
        )),
    )
}

/// The letter of an escape at the beginning, unless another character follows it, as in a word.
fn letter(behind: &[Token<'_>]) -> Option<char> {
    let (first, rest) = behind.split_first()?;
    let Token::Atom(text) = first else {
        return None;
    };
    let letter = text.chars().next().filter(|_| text.len() == 1)?;
    let is_word = match rest.first() {
        Some(Token::Atom(next)) => !matches!(*next, "-"),
        Some(Token::Open(_) | Token::Empty) => true,
        _ => false,
    };
    (LETTERS.contains(letter) && !is_word).then_some(letter)
}

/// The letter behind an escaped backslash of a class, unless another letter follows it.
fn letter_in_class(class: &str) -> Option<char> {
    let mut rest = class.chars();
    while let Some(char) = rest.next() {
        if char != '\\' || rest.next()? != '\\' {
            continue;
        }
        let mut ahead = rest.clone();
        let letter = ahead.next()?;
        if LETTERS.contains(letter) && ahead.next().is_some_and(|next| !next.is_alphanumeric()) {
            return Some(letter);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(pattern: &str) -> Option<String> {
        check(&tokens(pattern), Span::default()).map(|finding| finding.message)
    }

    #[test]
    fn characters_of_escapes_in_double_quotes_are_noticed() {
        let expected = "the pattern has the character U+0008, which is `\\b` in double quotes: the pattern is not checked";
        assert_eq!(message("\u{8}foo\u{8}").as_deref(), Some(expected));
        for pattern in ["\u{1B}", "^\u{2029}{L}+$", "a\u{2028}", "(\u{7})"] {
            assert!(message(pattern).is_some(), "{pattern:?}");
        }
        for pattern in [
            "^[^\0-\u{1F}\u{8}\u{2028}]*$",
            "^a\tb\nc\r\u{B}\u{C}\0$",
            r"\bfoo\b",
            "\u{A0}é",
        ] {
            assert_eq!(message(pattern), None, "{pattern:?}");
        }
    }

    #[test]
    fn doubled_backslashes_are_noticed() {
        for (pattern, letter) in [
            (r"^\\d+$", 'd'),
            (r"^\\d\\d$", 'd'),
            (r"^\\d{3}-\\d{4}$", 'd'),
            (r"^(\\w|a)$", 'w'),
            (r"^[^\\s]+$", 's'),
            (r"^[\\w.-]+$", 'w'),
            (r"^[a-z\\d]$", 'd'),
        ] {
            let finding = doubled_backslash(pattern, Span::default()).expect(pattern);
            let expected = format!("the letter `{letter}`");
            assert!(finding.message.contains(&expected), "{pattern}");
        }
        for pattern in [
            r"^\d+$",
            r"^[\w.-]+$",
            r"^[A-Z]:\\$",
            r"^\\\\server\\share$",
            r"^\\\d+$",
            r"^[\\/]+$",
            r"^[^\\]+\\[^\\]+$",
            r"^C:\\(\w+\\)*$",
            r"^\\bin\\data$",
            r"^[\\da]$",
        ] {
            assert_eq!(
                doubled_backslash(pattern, Span::default()),
                None,
                "{pattern}"
            );
        }
    }
}
