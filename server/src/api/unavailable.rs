//! The 503 of accounts, inference and patterns: one wait, and one wording.

use crate::kernel::texts;

/// Seconds until a repetition may succeed.
pub(super) const UNAVAILABLE_SECONDS: i32 = 1;

/// The message of a temporary failure.
pub(super) fn unavailable_text() -> String {
    texts::unavailable(UNAVAILABLE_SECONDS.into())
}
