//! Who can object to a mutant, and what became of it.

/// A check that can object.
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

/// All of them, with their names, in the order in which they are asked.
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

/// What became of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// A check objected, and what it said.
    Noticed(Check, String),
    /// Nobody can notice it, and why.
    Equivalent(String),
    /// Nobody has noticed it.
    Alive,
}
