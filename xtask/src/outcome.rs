//! How commands end.

/// How a command ended that could do its work.
pub(crate) enum Outcome {
    /// All is well.
    Success,
    /// What was looked at is not as it should be; why has been printed.
    Failure,
}
