//! Who may manage the keys of a compartment.
//!
//! A grant gives a principal one verb in one compartment, and each verb holds
//! the ones before it. What a principal may not do is answered like what does
//! not exist, so that nobody can find out what there is.

use crate::params;
use crate::store::Tx;

use super::error::KeyError;

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
) -> Result<(), crate::store::StoreError> {
    tx.execute(
        "INSERT INTO inference_grants (compartment_id, principal, verb) VALUES ($1, $2, $3) \
         ON CONFLICT (compartment_id, principal) DO UPDATE SET verb = excluded.verb",
        params![compartment_id, principal, verb.as_str()],
    )?;
    Ok(())
}
