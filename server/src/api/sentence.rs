//! Reasons of rejections as sentences.

use dropforge_runtime::{Location, Violation};

/// A reason as a sentence.
pub(super) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).chain(['.']).collect()
}

/// A violation as a sentence. A member of a body keeps its case.
pub(super) fn sentence(violation: &Violation) -> String {
    let text = violation.to_string();
    match violation.location {
        Location::Body => text + ".",
        _ => capitalized(&text),
    }
}
