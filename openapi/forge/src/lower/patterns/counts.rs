//! Counts in regular expressions. An engine repeats a part as often as its count says.

use super::tokens::{Token, bounds, tokens};

/// Larger counts are compared with the length of the text where this is possible.
const LARGE: u64 = 1000;

/// The size of what matches characters beyond ASCII, as multiple of the size of an ASCII class.
const WIDE: u64 = 12;

/// An expression for texts whose length is limited by a count.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Counted {
    /// The expression without the limit.
    pub(crate) expression: String,
    /// The least number of characters.
    pub(crate) least: u64,
    /// The greatest number of characters.
    pub(crate) most: Option<u64>,
}

/// Splits an expression such as `^[a-z]{0,65535}$` into `^[a-z]*$` and a length. `None` for another
/// expression, and for small counts.
pub(crate) fn counted(pattern: &str) -> Option<Counted> {
    let parts = tokens(pattern);
    let (atom, quantifier) = match parts[..] {
        [
            Token::Start,
            Token::Atom(atom),
            Token::Quantifier(quantifier),
            Token::End,
        ]
        | [
            Token::Start,
            Token::Open("(" | "(?:"),
            Token::Atom(atom),
            Token::Close,
            Token::Quantifier(quantifier),
            Token::End,
        ] => (atom, quantifier),
        _ => return None,
    };
    let (least, most) = bounds(quantifier);
    (most.unwrap_or(least) > LARGE).then(|| Counted {
        expression: format!("^{atom}*$"),
        least,
        most,
    })
}

/// The approximate size of an expression whose counts are written out.
pub(super) fn size(tokens: &[Token<'_>]) -> u64 {
    // The sizes of the open groups, and that of what a quantifier repeats.
    let mut groups = vec![0_u64];
    let mut last = 0;
    for token in tokens {
        let added = match token {
            Token::Open(_) => {
                groups.push(0);
                last = 0;
                continue;
            }
            Token::Close if groups.len() > 1 => {
                last = groups.pop().unwrap_or_default();
                last
            }
            Token::Quantifier(quantifier) => {
                let (least, most) = bounds(quantifier);
                let before = last;
                last = before.saturating_mul(most.unwrap_or(least).max(1));
                last - before
            }
            Token::Atom(atom) => {
                last = if is_wide(atom) { WIDE } else { 1 };
                last
            }
            Token::Close | Token::Or | Token::Start | Token::End | Token::Empty => {
                last = 0;
                0
            }
        };
        if let Some(group) = groups.last_mut() {
            *group = group.saturating_add(added);
        }
    }
    groups.into_iter().fold(0, u64::saturating_add)
}

/// Whether an atom matches many characters beyond ASCII.
fn is_wide(atom: &str) -> bool {
    const ESCAPES: [&str; 7] = ["\\D", "\\S", "\\W", "\\P", "\\p", "\\s", "\\u"];
    let has_escape = ESCAPES.iter().any(|escape| atom.contains(escape));
    match atom.as_bytes() {
        [b'[', b'^', ..] | [b'.'] => true,
        [b'[', ..] => has_escape || !atom.is_ascii(),
        _ => has_escape && !atom.starts_with("\\u"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_count_of_a_whole_text_is_a_length() {
        for (pattern, expression, least, most) in [
            (r"^[\s\S]{0,65000}$", r"^[\s\S]*$", 0, Some(65_000)),
            ("^.{2,65535}$", "^.*$", 2, Some(65_535)),
            (r"^\w{2000}$", r"^\w*$", 2000, Some(2000)),
            ("^([a-z]){2000,}$", "^[a-z]*$", 2000, None),
        ] {
            let expected = Counted {
                expression: expression.to_owned(),
                least,
                most,
            };
            assert_eq!(counted(pattern), Some(expected), "{pattern}");
        }
        for pattern in [
            "^[a-z]{0,100}$",
            "^[a-z]*$",
            "[a-z]{0,65535}",
            "^a[a-z]{0,65535}$",
            "^(?!a){0,65535}$",
            "^(ab){0,65535}$",
        ] {
            assert_eq!(counted(pattern), None, "{pattern}");
        }
    }

    #[test]
    fn counts_multiply_the_size() {
        for (pattern, expected) in [
            ("^abc$", 3),
            ("a{3}b", 4),
            ("a+b*c?", 3),
            ("(ab){3,5}", 10),
            ("((a{10}){10}b){10}", 1010),
            ("a{2,}?", 2),
            ("a|.{2}", 25),
            (r"[\s\S]", 12),
            ("(a{99999999999}){99999999999}", u64::MAX),
            (")a{2", 3),
        ] {
            assert_eq!(size(&tokens(pattern)), expected, "{pattern}");
        }
    }
}
