//! Violations as sentences.

use dropforge_runtime::{Location, Violation};

use crate::kernel::texts;

/// A violation as a sentence. A member of a body keeps its case.
pub(super) fn sentence(violation: &Violation) -> String {
    let text = violation.to_string();
    match violation.location {
        Location::Body => text + ".",
        _ => texts::sentence(&text),
    }
}
