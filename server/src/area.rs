//! The four areas, as listeners and publishers see them.

use dropforge_runtime::table::{self, Operation};

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
        self.document().area
    }

    /// The area that an operation belongs to.
    pub fn of(operation: &'static Operation) -> Option<Area> {
        let is_it = |one: &&'static Operation| std::ptr::eq(*one, operation);
        Area::ALL
            .into_iter()
            .find(|area| area.table().operations.iter().any(is_it))
    }

    /// The generated table of its document.
    pub fn table(self) -> &'static table::Api {
        match self {
            Area::Accounts => &accord::accounts::server::API,
            Area::Identity => &accord::identity::server::API,
            Area::Inference => &accord::inference::server::API,
            Area::Patterns => &accord::patterns::server::API,
        }
    }

    /// Its document.
    pub fn document(self) -> &'static accord::Document {
        match self {
            Area::Accounts => &accord::accounts::DOCUMENT,
            Area::Identity => &accord::identity::DOCUMENT,
            Area::Inference => &accord::inference::DOCUMENT,
            Area::Patterns => &accord::patterns::DOCUMENT,
        }
    }
}
