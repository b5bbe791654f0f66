//! The checks of mutants, and the outcomes of mutants.

/// A check of mutants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Check {
    Lint,
    Examples,
    Compatibility,
    Generation,
    Interface,
    Compiler,
    Tests,
    ContractTests,
}

/// All checks with their names, in the order in which they run.
pub(super) const CHECKS: [(Check, &str); 8] = [
    (Check::Lint, "lint"),
    (Check::Examples, "examples"),
    (Check::Compatibility, "compatibility"),
    (Check::Generation, "generation"),
    (Check::Interface, "interface"),
    (Check::Compiler, "compiler"),
    (Check::Tests, "tests"),
    (Check::ContractTests, "published tests"),
];

impl Check {
    pub(super) fn name(self) -> &'static str {
        let found = CHECKS.iter().find(|(check, _)| *check == self);
        found.map_or("", |(_, name)| name)
    }
}

/// The outcome of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// A check noticed it, with this message.
    Noticed(Check, String),
    /// No check can notice it, for this reason.
    Equivalent(String),
    /// No check noticed it.
    Alive,
}
