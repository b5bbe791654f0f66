//! Who may do what. There is one right, hub administrator, and it is held per
//! organization.

use std::collections::BTreeSet;

use crate::params;
use crate::store::{StoreError, Tx};

/// The organizations of which one user is hub administrator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Administrator {
    organizations: BTreeSet<i64>,
}

impl Administrator {
    /// What a user administers, or nothing for a user who administers nothing.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn find(tx: &mut Tx<'_>, user_id: &str) -> Result<Option<Self>, StoreError> {
        let organizations = tx
            .query(
                "SELECT organization_id FROM hub_administrators WHERE user_id = $1",
                params![user_id],
            )?
            .iter()
            .map(|row| row.get(0))
            .collect::<Result<BTreeSet<i64>, _>>()?;
        Ok((!organizations.is_empty()).then_some(Administrator { organizations }))
    }

    /// Whether the user administers this hub organization.
    pub fn administers(&self, organization_id: i64) -> bool {
        self.organizations.contains(&organization_id)
    }
}
