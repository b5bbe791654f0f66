//! Mutants: edits of a document in one place, as an author might make by accident.
//!
//! Mutants measure the checks of a contract as mutation testing measures the tests of code:
//! change one place, and see which check fails. This crate has the edits and the effect of
//! each on clients and servers. Its caller decides which checks run, and in which order.
//!
//! [`equivalence_reason`] finds equivalent mutants, which no check can notice because they
//! change nothing that is sent. It decides by the rules of
//! [`compatibility`](dropforge::check::compatibility) and by the generated code, and not by a
//! list. [`replay`] shows a mutant the requests that were recorded while tests ran.

mod edit;
mod equivalence;
mod examples;
mod messages;
mod mutant;
mod operations;
mod operator;
pub mod recording;
pub mod replay;
mod schemas;
mod security;
pub mod typos;

pub use equivalence::{equivalence_reason, is_implied_by_pattern};
pub use mutant::Mutant;
pub use operator::Operator;

use dropforge::check::document_index::DocumentIndex;
use dropforge::document::Document;

/// Every edit that the operators make of a document, in its order.
pub fn mutants(document: &Document) -> Vec<Mutant> {
    let index = DocumentIndex::new(document);
    let mut mutants = mutant::Mutants::default();
    operations::add(&index, &mut mutants);
    messages::add(&index, &mut mutants);
    schemas::add(&index, &mut mutants);
    // Some edits are impossible, such as a new name that another member has.
    let json = document.to_json();
    let mut found = mutants.0;
    found.retain(|mutant| mutant.apply(&json).is_some());
    found.sort_by_key(|mutant| document.key_span(&mutant.pointer).map(|span| span.start));
    found
}

#[cfg(test)]
mod tests;
