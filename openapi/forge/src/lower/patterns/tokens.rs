//! The tokens of a regular expression of ECMA 262.

/// A token, with its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'p> {
    /// What matches one character: a character, an escape or a class.
    Atom(&'p str),
    /// `*`, `+`, `?` or a count. The `?` of a lazy quantifier is a token of its own.
    Quantifier(&'p str),
    /// `(`, with the kind of the group, as in `(?:`.
    Open(&'p str),
    /// `)`
    Close,
    /// `|`
    Or,
    /// `^`
    Start,
    /// `$`
    End,
    /// What may match no character: a boundary of a word, or a back reference.
    Empty,
}

/// The tokens of an expression, which may be invalid.
pub(super) fn tokens(pattern: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut rest = pattern;
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '\\' => escape_end(rest),
            '[' => class_end(rest),
            '(' => group_end(rest),
            '{' => count_end(&rest[1..]).map_or(1, |end| 1 + end),
            other => other.len_utf8(),
        };
        let (text, behind) = rest.split_at(end);
        found.push(match first {
            '\\' => match text.as_bytes().get(1) {
                Some(b'b' | b'B' | b'k' | b'1'..=b'9') => Token::Empty,
                _ => Token::Atom(text),
            },
            '*' | '+' | '?' => Token::Quantifier(text),
            '{' if end > 1 => Token::Quantifier(text),
            '(' => Token::Open(text),
            ')' => Token::Close,
            '|' => Token::Or,
            '^' => Token::Start,
            '$' => Token::End,
            _ => Token::Atom(text),
        });
        rest = behind;
    }
    found
}

/// The least and the greatest number of repetitions.
pub(super) fn bounds(quantifier: &str) -> (u64, Option<u64>) {
    let number = |text: &str| text.parse().unwrap_or(u64::MAX);
    match quantifier {
        "*" => (0, None),
        "+" => (1, None),
        "?" => (0, Some(1)),
        count => {
            let inner = count.trim_matches(['{', '}']);
            match inner.split_once(',') {
                Some((least, "")) => (number(least), None),
                Some((least, most)) => (number(least), Some(number(most))),
                None => (number(inner), Some(number(inner))),
            }
        }
    }
}

/// The end of an escape, with its digits or its name.
fn escape_end(rest: &str) -> usize {
    let Some(letter) = rest.chars().nth(1) else {
        return rest.len();
    };
    let end = 1 + letter.len_utf8();
    let behind = &rest[end..];
    let named = match letter {
        'p' | 'P' | 'u' if behind.starts_with('{') => behind.find('}'),
        'k' if behind.starts_with('<') => behind.find('>'),
        _ => None,
    };
    let digits = match letter {
        'c' => 1,
        'x' => 2,
        'u' => 4,
        _ => 0,
    };
    let digits = behind
        .bytes()
        .take(digits)
        .take_while(|byte| byte.is_ascii_hexdigit() || letter == 'c' && byte.is_ascii_alphabetic());
    end + named.map_or_else(|| digits.count(), |at| at + 1)
}

/// The end of a class. A bracket in it begins no other class.
fn class_end(rest: &str) -> usize {
    let mut is_escaped = false;
    for (at, byte) in rest.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b']' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The end of the kind of a group: `(`, `(?:`, `(?<!` or `(?<name>`.
fn group_end(rest: &str) -> usize {
    let Some(kind) = rest.strip_prefix("(?") else {
        return 1;
    };
    let is_named = kind.starts_with('<') || kind.starts_with("P<");
    let length = match is_named {
        _ if kind.starts_with("<=") || kind.starts_with("<!") => 2,
        true => kind.find('>').map_or(1, |at| at + 1),
        false => kind.chars().next().map_or(0, char::len_utf8),
    };
    2 + length
}

/// The end of the count that an opening brace before this text begins, such as `2}` or `2,}`.
pub(super) fn count_end(behind: &str) -> Option<usize> {
    let end = behind.find(|char: char| !char.is_ascii_digit() && char != ',')?;
    let (count, rest) = behind.split_at(end);
    let (least, most) = count.split_once(',').unwrap_or((count, ""));
    let is_count = rest.starts_with('}') && !least.is_empty() && !most.contains(',');
    is_count.then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::Token::{Atom, Close, Empty, End, Open, Or, Quantifier, Start};
    use super::*;

    #[test]
    fn each_kind_of_token_is_read() {
        let cases: [(&str, &[Token<'_>]); 7] = [
            (
                r"^[^\]a]\d{2,}?$",
                &[
                    Start,
                    Atom(r"[^\]a]"),
                    Atom(r"\d"),
                    Quantifier("{2,}"),
                    Quantifier("?"),
                    End,
                ],
            ),
            (
                r"(?<a>b|\$)\k<a>\1",
                &[
                    Open("(?<a>"),
                    Atom("b"),
                    Or,
                    Atom(r"\$"),
                    Close,
                    Empty,
                    Empty,
                ],
            ),
            (
                r"(?<!a)(?:b)(?P<c>",
                &[
                    Open("(?<!"),
                    Atom("a"),
                    Close,
                    Open("(?:"),
                    Atom("b"),
                    Close,
                    Open("(?P<c>"),
                ],
            ),
            (
                r"\p{L}\u{41}\u0041\x41\cJ\b",
                &[
                    Atom(r"\p{L}"),
                    Atom(r"\u{41}"),
                    Atom(r"\u0041"),
                    Atom(r"\x41"),
                    Atom(r"\cJ"),
                    Empty,
                ],
            ),
            (
                "{,2}é",
                &[Atom("{"), Atom(","), Atom("2"), Atom("}"), Atom("é")],
            ),
            (r"\", &[Atom(r"\")]),
            ("[a", &[Atom("[a")]),
        ];
        for (pattern, expected) in cases {
            assert_eq!(tokens(pattern), expected, "{pattern}");
        }
    }

    #[test]
    fn quantifiers_have_bounds() {
        for (quantifier, expected) in [
            ("*", (0, None)),
            ("+", (1, None)),
            ("?", (0, Some(1))),
            ("{3}", (3, Some(3))),
            ("{3,}", (3, None)),
            ("{3,4}", (3, Some(4))),
            ("{99999999999999999999}", (u64::MAX, Some(u64::MAX))),
        ] {
            assert_eq!(bounds(quantifier), expected, "{quantifier}");
        }
    }
}
