//! The permission to manage the keys of a compartment, by the grants of [`rights`].
//!
//! The response to a principal without a right is the one for a compartment or key that does not
//! exist.

use serde::Serialize;

use crate::audit::{Actor, AuditContext};
use crate::inference::Inference;
use crate::rights::{self, Resource};
use crate::store::{StoreError, Tx};

pub use crate::rights::Verb;

use super::error::KeyError;
use super::retry::RetryToken;

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
    /// Takes one call from the allowance of the principal.
    ///
    /// # Errors
    ///
    /// [`KeyError::TooManyRequests`] when nothing is left.
    pub async fn take_call(&self, inference: &Inference) -> Result<(), KeyError> {
        let admission = &inference.admission;
        admission
            .take_management(inference, &self.principal)
            .await
            .map_err(KeyError::TooManyRequests)
    }

    /// Binds a retry token to this principal, the region and the request.
    ///
    /// # Errors
    ///
    /// When the request cannot be serialized, which does not happen in practice.
    pub fn retry_token(
        &self,
        inference: &Inference,
        token: &str,
        request: &impl Serialize,
    ) -> Result<RetryToken, KeyError> {
        let (server_keys, random) = (&inference.server_keys, &*inference.random);
        let request = (&self.region, request);
        RetryToken::new(server_keys, random, &self.principal, token, &request)
    }

    /// Records a change of a key in the audit trail, in the transaction that makes it.
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

/// The compartments that a principal has a grant on, by their ids, with the verb.
pub async fn compartments(
    inference: &Inference,
    principal: &str,
) -> Result<Vec<(String, Verb)>, StoreError> {
    let principal = principal.to_owned();
    let read = move |tx: &mut Tx<'_>| rights::compartments(tx, &principal);
    inference.store.read(read).await
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
