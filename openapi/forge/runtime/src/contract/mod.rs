//! Contract tests: tests for the implementer of a document's trait, derived from the document.
//!
//! The generator writes a macro for each document, such as `accounts_contract_tests!`, with a
//! `#[test]` for each operation and each [`Case`] that applies to it. Each test calls [`run`],
//! which makes requests from the operation's table and examples, and compares the responses
//! with the table. An implementer supplies a [`Subject`], which sends requests and has
//! credentials.
//!
//! Every response must have a status that the document lists, and headers, a media type and a
//! body that are valid. Each case says what else it requires.

mod cases;
mod local;
mod sample;
mod subject;
mod trial;
mod variants;

pub use local::LocalServer;
pub use subject::{Case, Secret, Subject};

use serde_json::Value;

use crate::table::Api;
use trial::Trial;

/// Runs a case with the operation of this id. `document` is the document as JSON, for its examples.
///
/// # Panics
///
/// With every response that violates the document. Also if the document is not JSON or has no such
/// operation, which generated tests exclude.
pub fn run<S: Subject + ?Sized>(
    api: &'static Api,
    document: &str,
    operation: &str,
    case: Case,
    subject: &S,
) {
    let document: Value = serde_json::from_str(document).expect("the build has written JSON");
    let found = api.operations.iter().find(|known| known.id == operation);
    let Some(operation) = found else {
        panic!("{} has no operation {operation}", api.name);
    };
    let mut trial = Trial {
        api,
        document: &document,
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
