//! Anchors at places where no text matches: behind a character, or before one.
//!
//! A pattern has no flag `m`, so `^` and `$` match the beginning and the end of the whole text only.

use super::dialects::not_checked;
use super::tokens::{Token, bounds};
use crate::document::{Diagnostic, Span};

/// The finding about the first such anchor.
pub(super) fn check(tokens: &[Token<'_>], span: Span) -> Option<Diagnostic> {
    // Whether a character is before the next token, and whether one was before the last atom. Groups
    // may match no character.
    let (mut is_behind, mut was_behind) = (false, false);
    for (at, token) in tokens.iter().enumerate() {
        let rest = &tokens[at + 1..];
        match token {
            Token::End if begins_with_character(rest) => {
                return Some(not_checked(
                    span,
                    "no text has a character behind its end, which `$` matches",
                    "remove the `$`, or write `\\$` for the character",
                ));
            }
            Token::Start if is_behind && !is_optional(rest) => {
                return Some(not_checked(
                    span,
                    "no text has a character before its beginning, which `^` matches",
                    "remove the `^`, or write `\\^` for the character",
                ));
            }
            Token::Atom(_) => (was_behind, is_behind) = (is_behind, true),
            Token::Quantifier(quantifier) => {
                if bounds(quantifier).0 == 0 {
                    is_behind = was_behind;
                }
                // The `?` of a lazy quantifier changes nothing.
                was_behind = is_behind;
            }
            Token::Open(_) | Token::Close | Token::Or => (was_behind, is_behind) = (false, false),
            Token::Start | Token::End | Token::Empty => was_behind = is_behind,
        }
    }
    None
}

/// Whether the first token matches a character.
fn begins_with_character(tokens: &[Token<'_>]) -> bool {
    matches!(tokens, [Token::Atom(_), rest @ ..] if !is_optional(rest))
}

/// Whether the token before these need not match, because a quantifier follows it.
fn is_optional(behind: &[Token<'_>]) -> bool {
    matches!(behind, [Token::Quantifier(quantifier), ..] if bounds(quantifier).0 == 0)
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    fn is_noticed(pattern: &str) -> bool {
        check(&tokens(pattern), Span::default()).is_some()
    }

    #[test]
    fn anchors_that_no_text_matches_are_noticed() {
        for pattern in [
            "^a$b",
            "^[a-z]+$[0-9]",
            r"^a$\n",
            "^#/$defs/a$",
            "a^b",
            "a+?^b",
            "^[a-z]^[0-9]$",
            r"^\d+^$",
            "(a|b^c)",
            "x|a$b",
        ] {
            assert!(is_noticed(pattern), "{pattern}");
        }
    }

    #[test]
    fn anchors_at_their_places_are_not_noticed() {
        for pattern in [
            "^a$",
            "^$",
            "^a$|^b$",
            "(^a$)",
            "(?:^a|b$)c?",
            "^(?!a$)^[a-z]*$",
            "^(?=.*a$)b",
            r"^a$\n?",
            "^a$[0-9]*",
            r"^\$ref\^$",
            "^[$^]a[^$]$",
            "a?^b",
            "a*?^b",
            "a{0,3}^b",
            r"^a\b$",
            "$^",
            "^$$",
            "^ssh-(rsa|dss) |^ecdsa ",
        ] {
            assert!(!is_noticed(pattern), "{pattern}");
        }
    }
}
