//! Checks that each link leads to an operation (OpenAPI 3.0.3, "Link Object").
//!
//! No code is generated from links, so a link that leads nowhere is a warning.

use super::link_values;
use super::slot::Slot;
use super::tables;
use super::walk::Walk;
use crate::document::{Diagnostic, Node};

impl Walk<'_> {
    /// Checks the links of the document, after all operations are known.
    pub(super) fn links(&mut self) {
        let links = std::mem::take(&mut self.links);
        if links.is_empty() {
            return;
        }
        let parameters = link_values::parameters(self.document);
        for link in links {
            let found = [self.operation_id_of(link), self.operation_ref_of(link)];
            self.diagnostics.extend(found.into_iter().flatten());
            let found = link_values::check(link, &parameters, &self.proposals);
            self.diagnostics.extend(found);
        }
    }

    fn operation_id_of(&self, link: &Node) -> Option<Diagnostic> {
        let node = link.get("operationId")?;
        let id = node
            .as_str()
            .filter(|id| !self.operations.contains_key(id))?;
        let message = format!("no operation has the operationId `{id}`");
        let finding = Diagnostic::warning("unknown-operation", node.span, message);
        let known = self.operations.keys().copied();
        Some(finding.did_you_mean_or(
            self.proposals.nearest_name(known, id),
            "write the operationId of an operation of this document",
        ))
    }

    /// The finding about a reference into the document. Those into other documents are not followed.
    fn operation_ref_of(&self, link: &Node) -> Option<Diagnostic> {
        let node = link.get("operationRef")?;
        let text = node.as_str().filter(|text| text.starts_with('#'))?;
        let target = self.document.target(node);
        let is_operation = target.is_some_and(|(pointer, _)| {
            let slot = Slot::at(&pointer, self.version);
            let object = slot.and_then(Slot::object);
            object.is_some_and(|object| object.is(&tables::OPERATION))
        });
        let message = format!("`{text}` does not lead to an operation");
        (!is_operation).then(|| {
            Diagnostic::warning("unknown-operation", node.span, message)
                .help("write its JSON Pointer, as in `#/paths/~1users~1{id}/get`, or `operationId`")
        })
    }
}
