//! Mutants that no check can notice, because they do not change the wire.

use dropforge::check::compatibility::{Change, Class};
use regress::Regex;
use serde_json::Value;

use crate::mutant::Mutant;

/// Why no check can notice a mutant: all of its changes are words, and its generated code is the
/// same but for them. `None` if a check can. `same_code` compares the generated code.
pub fn equivalence_reason(
    changes: &[Change],
    same_code: impl FnOnce() -> bool,
) -> Option<&'static str> {
    if changes.is_empty() {
        return same_code().then_some("it has the same meaning in other words");
    }
    let words = changes
        .iter()
        .all(|change| change.class == Class::Documentation);
    (words && same_code())
        .then_some("only words change: they are not sent, and the generated code is the same")
}

/// Whether a mutant only loosens `minLength: 1` beside a `pattern` that does not match the empty text.
pub fn is_implied_by_pattern(document: &Value, mutated: &Value, mutant: &Mutant) -> bool {
    let Some(schema) = mutant.pointer.strip_suffix("/minLength") else {
        return false;
    };
    let bound = |document: &Value| document.pointer(&mutant.pointer).and_then(Value::as_u64);
    let pattern = document
        .pointer(schema)
        .and_then(|schema| schema["pattern"].as_str());
    let rejects_empty = |pattern: &str| {
        Regex::with_flags(pattern, "u").is_ok_and(|pattern| pattern.find("").is_none())
    };
    bound(document) == Some(1)
        && bound(mutated).unwrap_or(0) == 0
        && pattern.is_some_and(rejects_empty)
}
