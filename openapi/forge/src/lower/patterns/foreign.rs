//! Constructs of other engines that are errors in ECMA 262, with the right form.

use super::tokens::Token;
use crate::document::{Diagnostic, Span};

/// The error about the first such construct.
pub(super) fn check(tokens: &[Token<'_>], span: Span) -> Option<Diagnostic> {
    let groups = tokens.iter().find_map(|token| match token {
        Token::Open(group) => named_group(group),
        _ => None,
    });
    let (problem, help) = groups.or_else(|| {
        tokens.windows(2).find_map(|pair| match pair {
            [Token::Quantifier(quantifier), Token::Quantifier("+")] => Some((
                format!("`{quantifier}+` is a possessive quantifier, which ECMA 262 does not have"),
                "remove the last `+`".to_owned(),
            )),
            _ => None,
        })
    })?;
    Some(Diagnostic::error("pattern", span, problem).help(help))
}

/// The problem of a group with a name as in Python, and its correction.
fn named_group(group: &str) -> Option<(String, String)> {
    let name = group.strip_prefix("(?P")?;
    name.starts_with('<').then(|| {
        (
            format!("`{group}` does not begin a group in ECMA 262"),
            format!("write `(?{name}`"),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    fn help(pattern: &str) -> Option<String> {
        check(&tokens(pattern), Span::default())?.help
    }

    #[test]
    fn constructs_of_other_engines_have_a_correction() {
        for (pattern, expected) in [
            ("^(?P<year>[0-9]{4})$", "write `(?<year>`"),
            ("^a++$", "remove the last `+`"),
            ("^a*+$", "remove the last `+`"),
            ("^[a-z]?+$", "remove the last `+`"),
            ("^(a){2}+$", "remove the last `+`"),
        ] {
            assert_eq!(help(pattern).as_deref(), Some(expected), "{pattern}");
        }
    }

    #[test]
    fn constructs_of_ecma_are_not_noticed() {
        for pattern in [
            "^(?<year>[0-9]{4})$",
            r"^\++$",
            r"^\*+\?+$",
            "^[+]+$",
            "^a+?b*?c??d{2}?$",
            "^a+(b)+$",
        ] {
            assert_eq!(help(pattern), None, "{pattern}");
        }
    }
}
