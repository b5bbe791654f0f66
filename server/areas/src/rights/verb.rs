//! The verbs of grants.

/// The permission of a principal. Each verb includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verb {
    /// List API keys or patterns.
    Inspect,
    /// Read one API key or pattern.
    Read,
    /// Change name, description and tags of API keys; create patterns.
    Use,
    /// Everything else with API keys; delete patterns.
    Manage,
}

impl Verb {
    /// Every verb, the weakest first.
    pub const ALL: [Verb; 4] = [Verb::Inspect, Verb::Read, Verb::Use, Verb::Manage];

    /// The verb's name in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Verb::Inspect => "inspect",
            Verb::Read => "read",
            Verb::Use => "use",
            Verb::Manage => "manage",
        }
    }

    /// Parses the verb's name in the database.
    pub fn parse(text: &str) -> Option<Verb> {
        Verb::ALL.into_iter().find(|verb| verb.as_str() == text)
    }
}
