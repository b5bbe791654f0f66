//! A document with one edit.

use serde_json::Value;

use crate::edit::Edit;
use crate::operator::Operator;

/// A document with one edit.
#[derive(Debug, Clone)]
pub struct Mutant {
    /// The kind of edit.
    pub operator: Operator,
    /// The place, as a JSON Pointer into the original document.
    pub pointer: String,
    /// The edit, in words.
    pub what: String,
    edit: Edit,
}

impl Mutant {
    /// The document with the edit. `None` if the edit does not change it.
    pub fn apply(&self, document: &Value) -> Option<Value> {
        let mut mutated = document.clone();
        self.edit.apply(&mut mutated)?;
        // The comparison of maps ignores their order, which has no meaning.
        (mutated != *document).then_some(mutated)
    }
}

/// The mutants of a document.
#[derive(Default)]
pub(crate) struct Mutants(pub(crate) Vec<Mutant>);

impl Mutants {
    /// Adds a mutant at a place with an edit, which may concern another place.
    pub(crate) fn add(
        &mut self,
        operator: Operator,
        at: &str,
        what: impl Into<String>,
        edit: Edit,
    ) {
        self.0.push(Mutant {
            operator,
            pointer: at.to_owned(),
            what: what.into(),
            edit,
        });
    }

    /// Adds a mutant without the value at a place.
    pub(crate) fn remove(&mut self, operator: Operator, at: &str, what: impl Into<String>) {
        self.add(operator, at, what, Edit::Remove(at.to_owned()));
    }

    /// Adds a mutant with another value at a place.
    pub(crate) fn set(&mut self, operator: Operator, at: &str, what: impl Into<String>, to: Value) {
        self.add(operator, at, what, Edit::Set(at.to_owned(), to));
    }
}
