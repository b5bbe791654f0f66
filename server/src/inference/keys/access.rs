//! Who may manage the keys of a compartment.
//!
//! A grant gives a principal one verb in one compartment, and each verb holds
//! the ones before it. What a principal may not do is answered like what does
//! not exist, so that nobody can find out what there is.

use crate::audit::{self, Actor, Event};
use crate::inference::Inference;
use crate::params;
use crate::store::{StoreError, Tx};

use super::error::KeyError;

/// Who manages keys, and from where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manager {
    /// The principal of grants: the subject of an access token.
    pub principal: String,
    /// The address that the call came from.
    pub origin: String,
    /// The region whose keys it is about.
    pub region: String,
}

impl Manager {
    /// Tells the audit trail what was done to a key, in the transaction that
    /// did it.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn tell(
        &self,
        tx: &mut Tx<'_>,
        inference: &Inference,
        action: &'static str,
        key_id: &str,
        detail: &str,
    ) -> Result<(), StoreError> {
        let event = Event {
            at: inference.clock.now().timestamp_millis(),
            actor: Actor::User(&self.principal),
            action,
            subject: key_id,
            origin: &self.origin,
            detail,
        };
        audit::record(tx, &inference.pepper, &event)
    }
}

/// What a principal may do, in growing order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verb {
    /// List keys.
    Inspect,
    /// Read one key.
    Read,
    /// Change name, description and tags.
    Use,
    /// Everything else.
    Manage,
}

impl Verb {
    /// The text in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Verb::Inspect => "inspect",
            Verb::Read => "read",
            Verb::Use => "use",
            Verb::Manage => "manage",
        }
    }

    fn parse(text: &str) -> Option<Verb> {
        [Verb::Inspect, Verb::Read, Verb::Use, Verb::Manage]
            .into_iter()
            .find(|verb| verb.as_str() == text)
    }
}

/// Lets the transaction go on only when `principal` has `verb` in the
/// compartment.
///
/// # Errors
///
/// [`KeyError::NotFound`], whatever the reason.
pub fn require(
    tx: &mut Tx<'_>,
    principal: &str,
    compartment_id: &str,
    verb: Verb,
) -> Result<(), KeyError> {
    let row = tx.query_opt(
        "SELECT verb FROM inference_grants WHERE compartment_id = $1 AND principal = $2",
        params![compartment_id, principal],
    )?;
    let granted = match row {
        Some(row) => Verb::parse(&row.get::<String>(0)?),
        None => None,
    };
    match granted {
        Some(granted) if granted >= verb => Ok(()),
        _ => Err(KeyError::NotFound),
    }
}

/// Gives a principal a verb in a compartment, instead of the one it had.
///
/// # Errors
///
/// When the store fails.
pub fn grant(
    tx: &mut Tx<'_>,
    compartment_id: &str,
    principal: &str,
    verb: Verb,
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO inference_grants (compartment_id, principal, verb) VALUES ($1, $2, $3) \
         ON CONFLICT (compartment_id, principal) DO UPDATE SET verb = excluded.verb",
        params![compartment_id, principal, verb.as_str()],
    )?;
    Ok(())
}
