//! Checks the default of a server variable against its values (OpenAPI 3.0.3, "Server Variable Object").

use crate::document::{Diagnostic, Node, similar};

/// Warns of a default that is not one of the values of `enum`.
pub(super) fn check(variable: &Node) -> Option<Diagnostic> {
    let (default, values) = (variable.get("default")?, variable.get("enum")?.as_array()?);
    let text = default.as_str()?;
    let known = values.iter().filter_map(Node::as_str);
    if values.iter().any(|value| value.as_str() == Some(text)) {
        return None;
    }
    let message = format!("`enum` of the server variable does not list its default `{text}`");
    let finding = Diagnostic::warning("server-variable", default.span, message);
    let finding = finding.did_you_mean_or(
        similar::nearest_name(known, text),
        "write one of the values, or add it to `enum`",
    );
    Some(finding.related(variable.key_span("enum"), "the values"))
}
