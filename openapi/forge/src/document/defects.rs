//! The findings that both notations share.

use super::{Diagnostic, Span};

/// The maximum nesting of a document. Real documents are nested far less deeply, and the
/// limit of `serde_json`, which reads documents in servers and tests, is 128.
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
    .help("parsers disagree about which of them is used: keep one")
}

/// The finding about nodes that are nested deeper than [`MAX_DEPTH`].
pub(super) fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error(
        "too-deep",
        span,
        format!("the document is nested deeper than {MAX_DEPTH} levels"),
    )
    .label("one level too many")
}
