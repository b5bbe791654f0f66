//! What the rules of all checks have in common.

/// A rule: what its findings are called, and what it asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Its name, in kebab-case: [`crate::document::Diagnostic::code`] of its findings.
    pub id: &'static str,
    /// What a document has to do, in a sentence.
    pub asks: &'static str,
}
