//! Checks the regular expressions for the names of properties.
//!
//! OpenAPI 3.0 does not have their keywords, so later stages do not read them.

use crate::document::{Diagnostic, Node, Object, Span, expression};

/// The errors about `patternProperties` and about `pattern` in `propertyNames`.
pub(super) fn check(schema: &Object) -> Vec<Diagnostic> {
    let patterns = schema.get("patternProperties").into_iter();
    let keys = patterns
        .flat_map(Node::members)
        .map(|(pattern, entry)| (pattern, entry.key_span));
    let names = schema.get("propertyNames");
    let names = names.and_then(|names| names.get("pattern"));
    let of_names = names.and_then(|node| Some((node.as_str()?, node.span)));
    keys.chain(of_names)
        .filter_map(|(pattern, span)| error(pattern, span))
        .collect()
}

/// The error about a text that is not a regular expression.
fn error(pattern: &str, span: Span) -> Option<Diagnostic> {
    let error = expression::compile(pattern).err()?;
    let message = format!("this pattern is not a regular expression of ECMA 262: {error}");
    Some(
        Diagnostic::error("pattern", span, message)
            .help("OpenAPI's patterns are those of JavaScript"),
    )
}
