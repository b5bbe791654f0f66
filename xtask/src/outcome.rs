//! The outcome of commands.

/// The result of a check that could run.
pub(crate) enum Outcome {
    /// The check passed.
    Success,
    /// The check failed; the command has printed why.
    Failure,
}
