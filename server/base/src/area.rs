//! The four areas, as listeners and publishers see them.

/// One of the four areas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Area {
    /// Users, organizations and application instances.
    Accounts,
    /// OAuth 2.0 device authorization and tokens.
    Identity,
    /// API keys, chat completions and responses.
    Inference,
    /// Agent patterns of a project.
    Patterns,
}

impl Area {
    /// All of them, in alphabetical order.
    pub const ALL: [Area; 4] = [
        Area::Accounts,
        Area::Identity,
        Area::Inference,
        Area::Patterns,
    ];

    /// Its name, as in `/openapi/accounts.json`.
    pub fn name(self) -> &'static str {
        match self {
            Area::Accounts => "accounts",
            Area::Identity => "identity",
            Area::Inference => "inference",
            Area::Patterns => "patterns",
        }
    }
}
