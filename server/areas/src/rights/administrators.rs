//! Changes of hub administrators by operators: recorded in the audit trail.

use super::{Principal, RightsError};
use crate::accounts::administrators;
use crate::audit::AuditContext;
use crate::store::{StoreError, Tx};

/// A change of the administrators of organizations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// The user becomes an administrator.
    Add,
    /// The user is no longer one.
    Remove,
}

/// Why administrators were not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// The hub organization does not exist.
    #[error("there is no hub organization {0}; `accord-server export` lists them")]
    UnknownOrganization(i64),
    /// The user does not exist, or the store failed.
    #[error(transparent)]
    Rights(#[from] RightsError),
}

impl From<StoreError> for ChangeError {
    fn from(error: StoreError) -> Self {
        ChangeError::Rights(error.into())
    }
}

/// Adds a user, by id or email address, to the administrators of organizations, or removes the
/// user. Returns the user, and the organizations for which that was a change.
///
/// # Errors
///
/// When the user or one of the organizations does not exist, or the store fails. Nothing is changed
/// then.
pub fn change(
    tx: &mut Tx<'_>,
    by: &AuditContext,
    who: &str,
    organizations: &[i64],
    change: Change,
) -> Result<(Principal, Vec<i64>), ChangeError> {
    let user = Principal::find(tx, who)?;
    let mut changed = Vec::new();
    for organization in organizations {
        let (result, action) = match change {
            Change::Add => (
                administrators::add(tx, *organization, &user.id),
                "accounts.administrator.added",
            ),
            Change::Remove => (
                administrators::remove(tx, *organization, &user.id),
                "accounts.administrator.removed",
            ),
        };
        let is_changed = result.map_err(|error| match error {
            StoreError::Constraint { .. } => ChangeError::UnknownOrganization(*organization),
            error => error.into(),
        })?;
        if is_changed {
            let detail = format!("organization {organization}");
            by.record(tx, action, &user.id, &detail)?;
            changed.push(*organization);
        }
    }
    Ok((user, changed))
}
