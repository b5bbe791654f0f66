//! Finds an `example` that is a reference: it is a value, and only the entries of `examples` may refer to components.

use super::tables::REFERENCE;
use crate::document::{Diagnostic, Node, names_file};

/// Checks the example of a media type, a parameter or a header.
pub(super) fn check(owner: &Node) -> Option<Diagnostic> {
    let example = owner.get("example")?;
    let text = example.get(REFERENCE)?.as_str()?;
    // A value may have a member of this name, as a JSON Schema has.
    let is_alone = example.members().count() == 1;
    let is_component = text.contains("#/components/");
    if !is_alone || !is_component && !names_file(text) {
        return None;
    }
    let message = "`example` is a value: the reference in it is not followed";
    Some(
        Diagnostic::warning("example-reference", owner.key_span("example"), message).help(format!(
            "write `examples`, and the reference under a name: `examples: {{usual: {{$ref: '{text}'}}}}`"
        )),
    )
}
