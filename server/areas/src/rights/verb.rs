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

crate::names! {
    /// The verb's name in the database.
    Verb {
        Inspect = "inspect",
        Read = "read",
        Use = "use",
        Manage = "manage",
    }
}
