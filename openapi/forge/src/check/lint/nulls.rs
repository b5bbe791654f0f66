//! The rule about `null` where nothing can write it.

use std::collections::HashSet;

use crate::check::document_index::{Direction, DocumentIndex, LocatedNode, properties};
use crate::document::{Diagnostic, Diagnostics};
use crate::ir::essence;

/// Parameters and the fields of forms are text. Only JSON has `null`.
pub(super) fn check(index: &DocumentIndex<'_>, findings: &mut Diagnostics) {
    let mut nullable = Nullable {
        index,
        reported: HashSet::new(),
        findings,
    };
    for parameter in &index.parameters {
        if let Some(schema) = parameter.get("schema") {
            nullable.check(&schema);
        }
    }
    let forms = index.contents.iter().filter(|content| {
        content.direction == Direction::Request
            && essence(content.media_type) == "application/x-www-form-urlencoded"
    });
    for form in forms {
        if let Some(schema) = form.place.get("schema") {
            nullable.form(&schema, &mut HashSet::new());
        }
    }
}

struct Nullable<'a, 'd> {
    index: &'a DocumentIndex<'d>,
    /// Pointers of the schemas with a finding.
    reported: HashSet<String>,
    findings: &'a mut Diagnostics,
}

impl<'d> Nullable<'_, 'd> {
    fn check(&mut self, schema: &LocatedNode<'d>) {
        let Some(schema) = self.index.resolve(schema) else {
            return;
        };
        if let Some(nullable) = schema.get("nullable")
            && nullable.node.as_bool() == Some(true)
            && self.reported.insert(schema.pointer.clone())
        {
            self.findings.push(
                Diagnostic::error(
                    "null-outside-json",
                    nullable.span,
                    "a parameter or the field of a form cannot be null",
                )
                .help("remove `nullable`: only JSON has null"),
            );
        }
    }

    /// The schema of a form, its parts, and its fields. `open` has the schemas that are being checked.
    fn form(&mut self, schema: &LocatedNode<'d>, open: &mut HashSet<String>) {
        self.check(schema);
        let Some(schema) = self.index.resolve(schema) else {
            return;
        };
        if !open.insert(schema.pointer.clone()) {
            return;
        }
        for (_, field) in properties(&schema) {
            self.check(&field);
        }
        for key in ["allOf", "anyOf", "oneOf"] {
            for part in schema.elements_of(key) {
                self.form(&part, open);
            }
        }
    }
}
