//! Sets and removes grants.

use super::{Resource, Verb};
use crate::params;
use crate::store::{StoreError, Tx};

/// Sets the verb of a principal on a resource, and replaces the previous one.
pub fn grant(
    tx: &mut Tx<'_>,
    resource: &Resource,
    principal: &str,
    verb: Verb,
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO grants (kind, resource, principal, verb) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (kind, resource, principal) DO UPDATE SET verb = excluded.verb",
        params![resource.kind(), resource.id(), principal, verb.as_str()],
    )?;
    Ok(())
}

/// Removes the grant that a principal has on a resource. Returns whether there was one.
pub fn remove(tx: &mut Tx<'_>, resource: &Resource, principal: &str) -> Result<bool, StoreError> {
    let removed = tx.execute(
        "DELETE FROM grants WHERE kind = $1 AND resource = $2 AND principal = $3",
        params![resource.kind(), resource.id(), principal],
    )?;
    Ok(removed > 0)
}

/// Removes all grants of a principal. Returns their number.
pub fn remove_all(tx: &mut Tx<'_>, principal: &str) -> Result<u64, StoreError> {
    let sql = "DELETE FROM grants WHERE principal = $1";
    tx.execute(sql, params![principal])
}
