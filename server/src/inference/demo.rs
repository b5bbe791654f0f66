//! The area's part of the demo catalogue: compartments, who manages their keys,
//! and the permission to call every model from one of them.

use chrono::{DateTime, Utc};

use super::admission::policies::{self, Policy};
use super::keys::access::{self, Verb};
use crate::accounts::demo::{ADMINISTRATOR, COLLEAGUE};
use crate::params;
use crate::store::{StoreError, Tx};

/// The compartment of the demo catalogue.
pub const COMPARTMENT: &str = "compartment.demo";
/// A second one, whose keys may call nothing.
pub const CLOSED_COMPARTMENT: &str = "compartment.closed";

/// Writes the area's part.
///
/// # Errors
///
/// When the store fails.
pub fn seed(tx: &mut Tx<'_>, now: DateTime<Utc>) -> Result<(), StoreError> {
    for id in [COMPARTMENT, CLOSED_COMPARTMENT] {
        compartment(tx, id, None, now)?;
        access::grant(tx, id, ADMINISTRATOR, Verb::Manage)?;
        access::grant(tx, id, COLLEAGUE, Verb::Read)?;
    }
    let policy = Policy {
        compartment_id: Some(COMPARTMENT.into()),
        key_id: None,
        model: None,
    };
    policies::insert(tx, "policy.demo", &policy, now)
}

/// Writes a compartment. `key_quota` is the most keys that it may hold.
///
/// # Errors
///
/// When the store fails.
pub fn compartment(
    tx: &mut Tx<'_>,
    id: &str,
    key_quota: Option<i64>,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO inference_compartments (id, key_quota, created_at) VALUES ($1, $2, $3)",
        params![id, key_quota, now],
    )?;
    Ok(())
}
