//! Erases a person: the account, and everything in the areas that names the user or gives access.
//!
//! Other objects stay, also those that the user created: API keys, agent patterns and accounts. They
//! and the audit trail have the identifier of the user, which names nobody without the account. Events
//! of the trail cannot be changed without breaking its chain. They also have network addresses and
//! the names of passkeys.

use serde::Serialize;

use crate::accounts;
use crate::audit::AuditContext;
use crate::identity;
use crate::rights::{self, Principal};
use crate::store::{StoreError, Tx};

/// The removed objects, as numbers.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Removed {
    /// Those of identity.
    #[serde(flatten)]
    pub identity: identity::erasure::Removed,
    /// Grants on compartments, service instances and projects.
    pub grants: u64,
    /// Those of accounts.
    #[serde(flatten)]
    pub accounts: accounts::erasure::Removed,
}

impl Removed {
    /// The numbers with their names, in plural.
    pub fn counts(&self) -> Vec<(&'static str, u64)> {
        let Removed {
            identity,
            grants,
            accounts,
        } = self;
        vec![
            ("sessions", identity.sessions),
            ("passkeys", identity.passkeys),
            ("device authorizations", identity.device_authorizations),
            ("connected devices", identity.approvals),
            ("tokens", identity.tokens),
            ("password links", identity.password_links),
            ("counts of failed attempts", identity.failed_attempts),
            ("grants", *grants),
            ("administrator rights", accounts.administered_organizations),
            ("operator rights", accounts.operator.into()),
            ("profiles", accounts.profiles),
            ("invitations", accounts.invitations),
            ("mails", accounts.mails.len() as u64),
            ("stored responses", accounts.stored_responses),
        ]
    }
}

/// Erases a user, and records it in the audit trail under the identifier.
///
/// # Errors
///
/// When the store fails. The transaction must then be rolled back.
pub fn erase(tx: &mut Tx<'_>, by: &AuditContext, user: &Principal) -> Result<Removed, StoreError> {
    let (id, email) = (&user.id, &user.email);
    let removed = Removed {
        identity: identity::erasure::erase(tx, by.server_keys(), id, email, by.now())?,
        grants: rights::remove_all(tx, id)?,
        accounts: accounts::erasure::erase(tx, id, email)?,
    };
    let counts = removed.counts().into_iter();
    let counts: Vec<_> = counts
        .filter(|(_, count)| *count > 0)
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    by.record(tx, "accounts.user.removed", id, &counts.join(", "))?;
    Ok(removed)
}
