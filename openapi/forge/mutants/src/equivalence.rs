//! Mutants that no check can notice, because they do not change the wire.

use dropforge::check::compatibility::{Change, Class};

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
