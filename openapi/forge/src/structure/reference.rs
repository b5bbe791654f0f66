//! `$ref` in the walk along the objects of a document.

use super::key::{Object, Version};
use super::key_place::KeyPlace;
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
            Ok((pointer, _)) if self.kind(&pointer).is_some_and(|kind| !kind.is(object)) => {}
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

    /// The finding about a reference to a component of another kind.
    fn other_kind(&self, place: &Place<'d>) -> Option<Diagnostic> {
        let reference = place.node.get(tables::REFERENCE)?;
        let (target, node) = self.document.target(reference)?;
        let found = self.kind(&target)?;
        if found.is(place.object) {
            return None;
        }
        let text = reference.as_str().unwrap_or_default();
        let (wanted, found) = (place.object.name, found.name);
        let message = format!("`{text}` is {found}, and {wanted} is needed here");
        let key = self.document.key_span(&target).unwrap_or(node.span);
        Some(
            Diagnostic::error("reference-to-another-kind", reference.span, message)
                .related(key, "declared here")
                .help(format!("refer to {wanted}, or write it out")),
        )
    }

    /// The kind of the component at a pointer.
    fn kind(&self, pointer: &str) -> Option<&'static Object> {
        let (kind, name) = pointer.strip_prefix("/components/")?.split_once('/')?;
        let key = tables::COMPONENTS.key(kind, self.version)?;
        (!name.contains('/')).then(|| key.value_type.object())?
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
