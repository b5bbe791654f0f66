//! The type of the rules of all checks.

/// A rule: its name and its requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Its name, in kebab-case: [`crate::document::Diagnostic::code`] of its findings.
    pub id: &'static str,
    /// Its requirement, in a sentence.
    pub asks: &'static str,
}
