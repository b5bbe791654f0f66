//! Regular expressions of documents: their mistakes, and what servers match in place of them.

mod anchors;
mod counts;
mod dialects;
mod escapes;
mod expressions;
mod foreign;
mod ranges;
mod tokens;
mod translation;

#[cfg(feature = "check")]
pub(crate) use counts::counted;
pub(super) use escapes::doubled_backslash;
pub(super) use expressions::{Expressions, Problem};
pub(super) use ranges::wide_range;

use crate::document::{Diagnostic, Span};

/// The finding about an expression in another dialect than that of ECMA 262.
pub(super) fn check_dialect(pattern: &str, span: Span) -> Option<Diagnostic> {
    dialects::check(pattern, span).or_else(|| foreign::check(&tokens::tokens(pattern), span))
}

/// The finding about a valid expression that does not match the texts that its author means.
pub(super) fn check_meaning(pattern: &str, span: Span) -> Option<Diagnostic> {
    let tokens = tokens::tokens(pattern);
    escapes::check(&tokens, span).or_else(|| anchors::check(&tokens, span))
}
