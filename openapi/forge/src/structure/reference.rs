//! `$ref` in the walk along the objects of a document.

use super::key::Version;
use super::tables;
use super::walk::{KeyPlace, Place, Walk};
use crate::document::{Diagnostic, pointer};

impl<'d> Walk<'d> {
    /// Handles `$ref`, and returns whether the keys beside it count.
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
        match self.references.resolve(node, &place.pointer) {
            Ok((pointer, target)) => self.targets.push(Place {
                pointer,
                node: target,
                span: target.span,
                object,
            }),
            // A defect further on is reported there.
            Err(finding)
                if node
                    .get(tables::REFERENCE)
                    .is_some_and(|own| own.span == finding.span) =>
            {
                self.diagnostics.push(finding);
            }
            Err(_) => {}
        }
        let has_siblings = self.version == Version::V31 && std::ptr::eq(object, &tables::SCHEMA);
        if !has_siblings {
            self.siblings(place);
        }
        has_siblings
    }

    /// Warns of keys beside `$ref`, which the specification ignores. In OpenAPI 3.1, `summary` and
    /// `description` replace those of the target.
    fn siblings(&mut self, place: &Place<'d>) {
        let members = place.node.as_object().into_iter();
        for (key, entry) in members.flat_map(|members| members.iter()) {
            let counts = self.version == Version::V31 && matches!(key, "summary" | "description");
            if key == tables::REFERENCE || counts {
                continue;
            }
            self.diagnostics.push(
                Diagnostic::warning(
                    "reference-siblings",
                    entry.key_span,
                    format!("`{key}` beside `$ref` is ignored"),
                )
                .help("remove it, or replace the reference by what it refers to"),
            );
        }
    }
}
