//! What is wrong in both notations.

use super::{Diagnostic, Span};

/// How deep a document may be nested. Real ones stay far below, and `serde_json`, which
/// reads documents in servers and tests, stops at 128.
pub const MAX_DEPTH: usize = 120;

/// The finding about a key that an object has twice.
pub(super) fn duplicate_key(key: &str, second: Span, first: Span) -> Diagnostic {
    Diagnostic::error(
        "duplicate-key",
        second,
        format!("the key `{key}` is here twice"),
    )
    .label("again here")
    .related(first, "first here")
    .help("readers disagree about which of them counts: keep one")
}

/// The finding about what is nested deeper than [`MAX_DEPTH`].
pub(super) fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error(
        "too-deep",
        span,
        format!("the document is nested deeper than {MAX_DEPTH} levels"),
    )
    .label("one level too many")
}
