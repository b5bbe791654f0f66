//! The permission to manage the keys of a compartment, by the grants of [`rights`].
//!
//! The response to a principal without a right is the one for a compartment or key
//! that does not exist.

use crate::audit::{Actor, AuditContext};
use crate::inference::Inference;
use crate::rights::{self, Resource};
use crate::store::{StoreError, Tx};

pub use crate::rights::Verb;

use super::error::KeyError;

/// The manager of keys, and the origin of the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manager {
    /// The principal of grants: the subject of an access token.
    pub principal: String,
    /// The address of the caller.
    pub origin: String,
    /// The region of the keys.
    pub region: String,
}

impl Manager {
    /// Records a change of a key in the audit trail, in the transaction that makes it.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn record(
        &self,
        tx: &mut Tx<'_>,
        inference: &Inference,
        action: &'static str,
        key_id: &str,
        detail: &str,
    ) -> Result<(), StoreError> {
        let actor = Actor::User(&self.principal);
        let now = inference.clock.now().timestamp_millis();
        AuditContext::new(&inference.server_keys, actor, &self.origin, now)
            .record(tx, action, key_id, detail)
    }
}

/// Requires that `principal` has `verb` in the compartment.
///
/// # Errors
///
/// [`KeyError::NotFound`], for every reason.
pub fn require(
    tx: &mut Tx<'_>,
    principal: &str,
    compartment_id: &str,
    verb: Verb,
) -> Result<(), KeyError> {
    let compartment = Resource::Compartment(compartment_id.to_owned());
    match rights::facts(tx, &compartment, principal)?.allow(verb) {
        true => Ok(()),
        false => Err(KeyError::NotFound),
    }
}
