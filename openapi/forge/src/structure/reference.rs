//! `$ref` in the walk along the objects of a document.

use super::key::{Object, Version};
use super::key_place::KeyPlace;
use super::slot::Slot;
use super::tables;
use super::walk::{Place, Walk};
use crate::document::{Diagnostic, pointer};

impl<'d> Walk<'d> {
    /// Handles `$ref`, and returns whether the keys beside it have an effect.
    pub(super) fn reference(&mut self, place: &Place<'d>) -> bool {
        let Place { node, object, .. } = *place;
        let span = node.key_span(tables::REFERENCE);
        if !object.is_referable {
            self.diagnostics.push(
                Diagnostic::error(
                    "misplaced-reference",
                    span,
                    format!("`$ref` cannot take the place of {}", object.name),
                )
                .help("write it out here"),
            );
            return true;
        }
        if let (Some(keys), Some(value)) = (&mut self.keys, node.get(tables::REFERENCE)) {
            keys.push(KeyPlace {
                object,
                key: None,
                pointer: pointer::join(&place.pointer, tables::REFERENCE),
                span,
                value,
            });
        }
        if let Some(finding) = self.other_kind(place) {
            self.diagnostics.push(finding);
            return false;
        }
        match self.references.resolve(node, &place.pointer) {
            // The last reference of a chain is reported at its own position.
            Ok((pointer, _)) if self.slot(&pointer, object).is_some() => {}
            Ok((pointer, target)) => self.targets.push(Place {
                pointer,
                node: target,
                span: target.span,
                object,
            }),
            // A defect in a later reference is reported there.
            Err(finding)
                if node
                    .get(tables::REFERENCE)
                    .is_some_and(|own| own.span == finding.span) =>
            {
                self.diagnostics.push(finding);
            }
            Err(_) => {}
        }
        let has_siblings = self.version == Version::V31 && object.is(&tables::SCHEMA);
        if !has_siblings {
            self.siblings(place);
        }
        has_siblings
    }

    /// The finding about a reference to another kind of object than the place needs.
    fn other_kind(&self, place: &Place<'d>) -> Option<Diagnostic> {
        let reference = place.node.get(tables::REFERENCE)?;
        let (target, node) = self.document.target(reference)?;
        let found = self.slot(&target, place.object)?.name();
        let text = reference.as_str().unwrap_or_default();
        let wanted = place.object.name;
        let message = format!("`{text}` is {found}, and {wanted} is needed here");
        let finding = Diagnostic::error("reference-to-another-kind", reference.span, message)
            .help(format!("refer to {wanted}, or write it out"));
        // The document has no key to point at.
        if target.is_empty() {
            return Some(finding);
        }
        let key = self.document.key_span(&target).unwrap_or(node.span);
        Some(finding.related(key, "declared here"))
    }

    /// The slot at a pointer if it is known, and holds something else than the object.
    fn slot(&self, pointer: &str, object: &Object) -> Option<Slot> {
        let slot = Slot::at(pointer, self.version)?;
        let is_same = slot.object().is_some_and(|found| found.is(object));
        (!is_same).then_some(slot)
    }

    /// Warns of keys beside `$ref`, which the specification ignores. In OpenAPI 3.1, `summary` and
    /// `description` replace those of the target.
    fn siblings(&mut self, place: &Place<'d>) {
        for (key, entry) in place.node.members() {
            let is_override =
                self.version == Version::V31 && matches!(key, "summary" | "description");
            if key == tables::REFERENCE || is_override {
                continue;
            }
            self.diagnostics.push(
                Diagnostic::warning(
                    "reference-siblings",
                    entry.key_span,
                    format!("`{key}` beside `$ref` is ignored"),
                )
                .help("remove it, or replace the reference by its target"),
            );
        }
    }
}
