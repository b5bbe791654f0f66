//! Mutants that no check can notice, because they change nothing that is sent.

use dropforge::check::compatibility::{Change, Class};

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
