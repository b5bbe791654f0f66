//! Ranges of characters that have more characters than their author means.

use super::tokens::{Token, tokens};
use crate::document::{Diagnostic, Span};

/// The warning about `A-z`, which has the signs between the upper-case and the lower-case letters.
pub(in crate::lower) fn wide_range(pattern: &str, span: Span) -> Option<Diagnostic> {
    let is_wide = |token: &Token<'_>| match token {
        Token::Atom(atom) => atom.starts_with('[') && atom.contains("A-z"),
        _ => false,
    };
    tokens(pattern).iter().any(is_wide).then(|| {
        let message = "`A-z` also matches `[`, `\\`, `]`, `^`, `_` and the grave accent";
        Diagnostic::warning("pattern-range", span, message).help("write `A-Za-z`")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_across_both_cases_is_noticed() {
        for (pattern, expected) in [
            ("^[A-z]+$", true),
            ("^[0-9A-z_]+$", true),
            ("^[A-Za-z]+$", false),
            ("^A-z$", false),
            ("^[a-z]+[A-Z]$", false),
        ] {
            let is_found = wide_range(pattern, Span::default()).is_some();
            assert_eq!(is_found, expected, "{pattern}");
        }
    }
}
