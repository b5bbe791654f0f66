//! Patterns in other dialects of regular expressions than that of ECMA 262.
//!
//! Without the flag `u`, ECMA 262 takes an unknown escape for the letter itself, and a brace without an end for a
//! character (Annex B). So `\A[a-z]+\z` requires the letters `A` and `z`, and rejects every text that its author means.
//! JSON Schema asks for patterns that are valid with the flag, which makes both an error. Escaped punctuation, such as
//! `\-`, has one meaning in all dialects, and is allowed here.

use super::tokens::count_end;
use crate::document::{Diagnostic, Span};

/// The classes of POSIX, as in `[[:alpha:]]`.
const POSIX: [&str; 13] = [
    "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
    "upper", "word", "xdigit",
];

/// The finding about a part of a pattern that has another meaning in ECMA 262 than in the dialect of its author.
pub(super) fn check(pattern: &str, span: Span) -> Option<Diagnostic> {
    if is_delimited(pattern) {
        return Some(not_checked(
            span,
            "no text matches the slashes around the pattern, which ECMA 262 takes for characters",
            "remove the slashes and the flags behind them; in place of `i`, write the letters of both cases, as in `[aA]`",
        ));
    }
    let mut is_class = false;
    let mut rest = pattern.chars();
    while let Some(char) = rest.next() {
        match char {
            '\\' => {
                let letter = rest.next()?;
                if is_foreign_escape(letter, rest.as_str(), is_class) {
                    let message = format!("`\\{letter}` is not an escape of ECMA 262");
                    return Some(not_checked(span, &message, remedy(letter)));
                }
            }
            '[' if is_class => {
                if let Some(name) = posix_class(rest.as_str()) {
                    let message = format!("`[:{name}:]` is not a class of ECMA 262");
                    let help = "list the characters, as in `[A-Za-z]`";
                    return Some(not_checked(span, &message, help));
                }
            }
            '[' => is_class = true,
            '(' if !is_class && sets_flags(rest.as_str()) => {
                return Some(not_checked(
                    span,
                    "`(?…)` sets flags, which ECMA 262 does not have",
                    "write the letters of both cases, as in `[aA]`",
                ));
            }
            ']' => is_class = false,
            '{' if !is_class => {
                if let Some(count) = malformed_count(rest.as_str()) {
                    let message = format!(
                        "`{{{count}` is not a count, and ECMA 262 takes its brace for a character"
                    );
                    return Some(Diagnostic::error("pattern", span, message).help(
                        "write a count as in `{2}`, `{2,}` or `{0,2}`, and the character as `\\{`",
                    ));
                }
            }
            _ => {}
        }
    }
    None
}

pub(super) fn not_checked(span: Span, problem: &str, help: &str) -> Diagnostic {
    let message = format!("{problem}: the pattern is not checked");
    Diagnostic::warning("pattern-not-checked", span, message).help(help)
}

/// Whether flags begin behind a parenthesis, such as `(?i)`.
fn sets_flags(behind: &str) -> bool {
    let flags = behind.strip_prefix('?');
    let flags = flags.and_then(|rest| rest.split_once(')'));
    flags.is_some_and(|(flags, _)| {
        !flags.is_empty()
            && flags
                .chars()
                .all(|flag| matches!(flag, 'i' | 'm' | 's' | 'u' | 'x'))
    })
}

/// Whether slashes delimit a pattern, as in `/^a$/i`. Without an anchor beside them, they may be characters of a path.
fn is_delimited(pattern: &str) -> bool {
    let inner = pattern.strip_prefix('/');
    inner
        .and_then(|inner| inner.rsplit_once('/'))
        .is_some_and(|(inner, flags)| {
            let is_anchored =
                inner.starts_with('^') || inner.ends_with('$') && !inner.ends_with("\\$");
            is_anchored && flags.chars().all(|flag| "dgimsuvxy".contains(flag))
        })
}

/// Whether ECMA 262 takes an escaped letter for the letter itself. `behind` is the text behind the letter.
fn is_foreign_escape(letter: char, behind: &str, is_class: bool) -> bool {
    let digits = behind.bytes().take_while(u8::is_ascii_hexdigit).count();
    match letter {
        'b' | 'd' | 'D' | 'f' | 'n' | 'r' | 's' | 'S' | 't' | 'v' | 'w' | 'W' => false,
        'B' => is_class,
        'c' => !behind.starts_with(|next: char| next.is_ascii_alphabetic()),
        'k' => is_class || !behind.starts_with('<'),
        'p' | 'P' => !behind.starts_with('{'),
        'u' => digits < 4 && !behind.starts_with('{'),
        'x' => digits < 2,
        letter => letter.is_ascii_alphabetic(),
    }
}

/// How to write what an escaped letter means in other dialects.
fn remedy(letter: char) -> &'static str {
    match letter {
        'A' => "write `^` for the beginning of the text",
        'z' | 'Z' => "write `$` for the end of the text",
        'h' => "write `[ \\t]` for a space or a tab",
        'R' => "write `\\r?\\n` for the end of a line",
        'p' | 'P' => "write the property in braces, as in `\\p{L}`",
        'u' | 'x' => "write the digits of the character, as in `\\x41` or `\\u0041`",
        _ => "write the characters that it represents, or the letter without the backslash",
    }
}

/// The name of the class of POSIX that begins behind a bracket.
fn posix_class(behind: &str) -> Option<&'static str> {
    let (name, _) = behind.strip_prefix(':')?.split_once(":]")?;
    POSIX.into_iter().find(|known| *known == name)
}

/// The text behind a brace if it begins as a count, and is not one: `1,3` without an end, `,3}` or `1, 3}`. Braces
/// around another text are characters. `1-3}` and `1.3}` begin as counts, too.
fn malformed_count(behind: &str) -> Option<&str> {
    let is_part = |char: char| char.is_ascii_digit() || matches!(char, ',' | ' ');
    let end = behind.find(|char| !is_part(char)).unwrap_or(behind.len());
    let (count, rest) = behind.split_at(end);
    if !count.contains(|char: char| char.is_ascii_digit()) {
        return None;
    }
    // Another sign may be in place of the comma.
    if let Some(most) = rest.strip_prefix(['-', '.', ';', ':']) {
        let end = most.find(|char: char| !char.is_ascii_digit());
        let end = end.unwrap_or(most.len());
        if end > 0 && most[end..].starts_with('}') {
            return Some(&behind[..=behind.len() - most.len() + end]);
        }
    }
    if rest.starts_with('}') {
        return count_end(behind).is_none().then(|| &behind[..=end]);
    }
    let next = rest.chars().find(|char| matches!(char, '{' | '}'));
    (next != Some('}')).then_some(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Severity;

    fn severity(pattern: &str) -> Option<Severity> {
        check(pattern, Span::default()).map(|finding| finding.severity)
    }

    #[test]
    fn constructs_of_other_dialects_are_noticed() {
        for pattern in [
            r"\A[a-z]+\z",
            r"^[a-z]+\Z",
            r"^\h*$",
            r"^[\h]$",
            r"^[\B]$",
            r"^\pL$",
            r"^\x{41}$",
            r"^\u41$",
            r"^\i\c*$",
            r"^\Qa.b\E$",
            r"(a)\k{a}",
            r"^[[:alpha:]]+$",
            r"^[a[:digit:]]$",
            "/^[a-z]+$/",
            "/^[a-z]+$/i",
            "/^a/",
            "/a$/g",
            "(?i)^a$",
            "^(?i)a$",
            r"^a(\.(?i)(jpg|png))$",
        ] {
            assert_eq!(severity(pattern), Some(Severity::Warning), "{pattern}");
        }
    }

    #[test]
    fn counts_that_are_not_counts_are_errors() {
        for pattern in [
            "^[0-9]{1,3$",
            "^[0-9]{1,3]$",
            "^[0-9]{1,3$|^[a-z]{2}$",
            "^a{,3}$",
            "^a{1, 3}$",
            "^a{1,2,3}$",
            "^a{1-3}$",
            "^a{1.3}$",
            "^a{1-3",
            "a{2",
        ] {
            assert_eq!(severity(pattern), Some(Severity::Error), "{pattern}");
        }
    }

    #[test]
    fn patterns_of_ecma_are_not_noticed() {
        for pattern in [
            r"^\d\D\w\W\s\S\b\B\t\n\r\f\v\0$",
            r"^[\b\-\_\@\.\/]\_\-\/\@\ $",
            r"^\cJ\x41\u0041\u{1F980}\p{L}\P{L}$",
            r"^(?<a>b)\k<a>\1$",
            r"^\\A$",
            r"^[{1,3]$",
            r"^a\{1,3$",
            "^a{1}b{1,}c{1,2}$",
            "^{a}$",
            "^{$",
            "^}$",
            "^{.*$",
            "^{1a}$",
            "^{1-a}$",
            "^{1.}$",
            "^a{,}$",
            "/a/",
            "/users/i",
            "^/a/$",
            r"/a\$/",
            "[:alpha:]",
            "^(?:a|b)(?=c)(?!d)$",
            r"^[(?i)]\(?i\)$",
            "é\\é",
        ] {
            assert_eq!(severity(pattern), None, "{pattern}");
        }
    }
}
