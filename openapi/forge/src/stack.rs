//! Stacks that are deep enough for every document.

/// Runs what reads documents or code by descent. Libraries take many frames for each level of a type, and documents
/// may have [`MAX_DEPTH`](crate::document::MAX_DEPTH) levels.
pub(crate) fn on_deep_stack<T>(run: impl FnOnce() -> T) -> T {
    const BYTES: usize = 64 << 20;
    stacker::grow(BYTES, run)
}
