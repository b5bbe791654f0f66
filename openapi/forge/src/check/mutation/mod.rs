//! Mutants: edits of a document in one place, as an author might make by accident.
//!
//! Mutants measure the checks of a contract as mutation testing measures the tests of code:
//! change one place, and see which check fails. This module has the edits and the effect of
//! each on clients and servers. Its caller decides which checks run, and in which order.
//!
//! [`changes_nothing`] finds equivalent mutants, which no check can notice because they
//! change nothing that is sent. It decides by the rules of
//! [`compatibility`](super::compatibility) and by the generated code, and not by a list.

mod edit;
mod operations;
mod schemas;
pub mod typos;

use std::fmt;

use serde_json::Value;

use super::compatibility::{Change, Class};
use super::document_index::DocumentIndex;
use crate::document::Document;

use edit::Edit;

/// A kind of edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Operator {
    RequiredDropped,
    RequiredAdded,
    TypeChanged,
    FormatChanged,
    BoundChanged,
    PatternChanged,
    EnumChanged,
    DefaultChanged,
    NullableFlipped,
    PropertyRenamed,
    ParameterRenamed,
    PathRenamed,
    OperationIdRenamed,
    HeaderRenamed,
    HeaderDropped,
    StatusDropped,
    StatusChanged,
    MediaTypeDropped,
    MediaTypeChanged,
    ExampleDropped,
    ExampleChanged,
    SecurityDropped,
    ScopeChanged,
    SchemasSwapped,
    BodyFlipped,
    ServerChanged,
}

/// An operator, what it is called, and why a mutant of it that nobody notices
/// matters.
const OPERATORS: &[(Operator, &str, &str)] = &[
    (
        Operator::RequiredDropped,
        "required dropped",
        "a member that callers rely on may be missing",
    ),
    (
        Operator::RequiredAdded,
        "required added",
        "valid requests are rejected, or responses promise too much",
    ),
    (
        Operator::TypeChanged,
        "type changed",
        "values of another type pass, and right ones do not",
    ),
    (
        Operator::FormatChanged,
        "format changed",
        "values of another form pass, or right ones do not",
    ),
    (
        Operator::BoundChanged,
        "bound changed",
        "values at the edge are judged otherwise",
    ),
    (
        Operator::PatternChanged,
        "pattern changed",
        "values of another form pass, or right ones do not",
    ),
    (
        Operator::EnumChanged,
        "enum changed",
        "a value is added or removed without its meaning",
    ),
    (
        Operator::DefaultChanged,
        "default changed",
        "an absent value means something else",
    ),
    (
        Operator::NullableFlipped,
        "nullable flipped",
        "an unexpected null arrives, or null is rejected",
    ),
    (
        Operator::PropertyRenamed,
        "property renamed",
        "one side writes what the other does not read",
    ),
    (
        Operator::ParameterRenamed,
        "parameter renamed",
        "one side writes what the other does not read",
    ),
    (
        Operator::PathRenamed,
        "path segment renamed",
        "requests reach nothing",
    ),
    (
        Operator::OperationIdRenamed,
        "operationId renamed",
        "callers call an operation that does not exist",
    ),
    (
        Operator::HeaderRenamed,
        "header renamed",
        "callers read a header that is not sent",
    ),
    (
        Operator::HeaderDropped,
        "header dropped",
        "callers cannot read a header that is sent",
    ),
    (
        Operator::StatusDropped,
        "status dropped",
        "callers get an undocumented response",
    ),
    (
        Operator::StatusChanged,
        "status changed",
        "callers get an undocumented response",
    ),
    (
        Operator::MediaTypeDropped,
        "media type dropped",
        "an offered media type is removed",
    ),
    (
        Operator::MediaTypeChanged,
        "media type changed",
        "bodies come under another name",
    ),
    (
        Operator::ExampleDropped,
        "example dropped",
        "readers have less to copy",
    ),
    (
        Operator::ExampleChanged,
        "example changed",
        "readers copy something wrong",
    ),
    (
        Operator::SecurityDropped,
        "security dropped",
        "access without credentials, or a scheme is removed",
    ),
    (
        Operator::ScopeChanged,
        "scope changed",
        "tokens grant more or less than they should",
    ),
    (
        Operator::SchemasSwapped,
        "schemas swapped",
        "one thing is sent where another is expected",
    ),
    (
        Operator::BodyFlipped,
        "body optional or required",
        "a body may be missing, or must not",
    ),
    (
        Operator::ServerChanged,
        "server path changed",
        "requests reach nothing",
    ),
];

impl Operator {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Operator> {
        OPERATORS.iter().map(|(operator, _, _)| *operator)
    }

    /// What goes wrong where nobody notices.
    pub fn matters(self) -> &'static str {
        self.entry().2
    }

    fn entry(self) -> (Operator, &'static str, &'static str) {
        let found = OPERATORS.iter().find(|(operator, _, _)| *operator == self);
        found.copied().unwrap_or((self, "", ""))
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.entry().1)
    }
}

/// A document with one edit.
#[derive(Debug, Clone)]
pub struct Mutant {
    /// The kind of edit.
    pub operator: Operator,
    /// Where, as a JSON Pointer into the document as it was.
    pub pointer: String,
    /// What was done there.
    pub what: String,
    edit: Edit,
}

impl Mutant {
    /// The document with the edit; none where the edit leaves it as it was.
    pub fn apply(&self, document: &Value) -> Option<Value> {
        let mut mutated = document.clone();
        self.edit.apply(&mut mutated)?;
        // Maps compare without their order, and order means nothing.
        (mutated != *document).then_some(mutated)
    }
}

/// Every edit that the operators make of a document, in its order.
pub fn mutants(document: &Document) -> Vec<Mutant> {
    let index = DocumentIndex::new(document);
    let mut found = Vec::new();
    operations::mutants(&index, &mut found);
    schemas::mutants(&index, &mut found);
    // A name that is taken, for one, cannot be given.
    let json = document.to_json();
    found.retain(|mutant| mutant.apply(&json).is_some());
    found.sort_by_key(|mutant| document.key_span(&mutant.pointer).map(|span| span.start));
    found
}

/// Why nobody can notice a mutant, if that is so: all its changes are words, and
/// the code that is generated of it is the same but for them. `same_code` says
/// whether it is.
pub fn changes_nothing(
    changes: &[Change],
    same_code: impl FnOnce() -> bool,
) -> Option<&'static str> {
    if changes.is_empty() {
        return same_code().then_some("it says the same in other words");
    }
    let words = changes
        .iter()
        .all(|change| change.class == Class::Documentation);
    (words && same_code())
        .then_some("only words change: nothing of them is sent, and the generated code is the same")
}

#[cfg(test)]
mod tests;
