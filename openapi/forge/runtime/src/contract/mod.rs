//! Tests that follow from a document, for whoever implements its trait.
//!
//! The generator writes a macro for each document, `accounts_contract_tests!`
//! and the like: a `#[test]` for each operation and each [`Case`] that applies
//! to it. Each is one line that calls [`run`], which makes requests out of the
//! operation's table and its examples and judges the answers by the table. An
//! implementer supplies a [`Subject`]: a way to send a request, and credentials.
//!
//! What is asked of every answer: its status is listed, and headers, media type
//! and body are what the document says. What a case asks beside that is said at
//! the case.

mod cases;
mod local;
mod sample;
mod subject;
mod trial;
mod variants;

pub use local::LocalServer;
pub use subject::{Case, Secret, Subject};

use crate::table::Api;
use trial::Trial;

/// Tries a case with the operation of this id.
///
/// # Panics
///
/// With everything that was not as the document says; also when the document has
/// no such operation, which the generator rules out.
pub fn run<S: Subject + ?Sized>(api: &'static Api, operation: &str, case: Case, subject: &S) {
    let found = api.operations.iter().find(|known| known.id == operation);
    let Some(operation) = found else {
        panic!("{} has no operation {operation}", api.name);
    };
    let mut trial = Trial {
        api,
        operation,
        subject,
        requests: 0,
        is_unwritten: false,
        problems: Vec::new(),
    };
    trial.case(case);
    let remark = match trial.is_unwritten {
        true => ", and its method is not written yet",
        false => "",
    };
    println!(
        "{}: {case:?}: {} requests{remark}",
        operation.id, trial.requests
    );
    assert!(
        trial.problems.is_empty(),
        "{} of {}:\n  {}",
        operation.id,
        operation.pointer,
        trial.problems.join("\n  ")
    );
}
