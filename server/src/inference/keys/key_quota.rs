//! The two bounds on the number of API keys: the limit of a tenancy, and the quota of a
//! compartment.
//!
//! A compartment belongs to one tenancy. The configuration sets the limit of all tenancies. An
//! operator can set another one for a tenancy; the database stores it, and every replica
//! applies it from the next creation on.

use crate::params;
use crate::store::{Row, StoreError, Tx};

use super::error::KeyError;

/// The tenancy of compartments without a tenancy of their own.
pub const MAIN: &str = "main";

/// A tenancy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tenancy {
    /// Its name.
    pub id: String,
    /// The number of its keys, without deleted ones.
    pub keys: i64,
    /// Its own limit, if it has one. Otherwise the configuration's applies.
    pub key_limit: Option<i64>,
}

/// All tenancies that have a compartment, or a limit of their own.
///
/// # Errors
///
/// When the store fails.
pub fn tenancies(tx: &mut Tx<'_>) -> Result<Vec<Tenancy>, StoreError> {
    let rows = tx.query(
        "SELECT t.id, (SELECT COUNT(*) FROM inference_keys k \
         JOIN inference_compartments c ON c.id = k.compartment_id \
         WHERE c.tenancy = t.id AND k.deleted_at IS NULL), \
         (SELECT key_limit FROM inference_tenancies l WHERE l.id = t.id) \
         FROM (SELECT tenancy AS id FROM inference_compartments \
         UNION SELECT id FROM inference_tenancies) t ORDER BY t.id",
        &[],
    )?;
    let read = |row: &Row| {
        Ok(Tenancy {
            id: row.get(0)?,
            keys: row.get(1)?,
            key_limit: row.get(2)?,
        })
    };
    rows.iter().map(read).collect()
}

/// Sets the limit of a tenancy, or removes its own limit with `None`. A tenancy with more keys
/// keeps them, and cannot create one until it has fewer.
///
/// # Errors
///
/// When the store fails.
pub fn put_key_limit(
    tx: &mut Tx<'_>,
    tenancy: &str,
    key_limit: Option<i64>,
) -> Result<(), StoreError> {
    match key_limit {
        Some(limit) => tx.execute(
            "INSERT INTO inference_tenancies (id, key_limit) VALUES ($1, $2) \
             ON CONFLICT (id) DO UPDATE SET key_limit = excluded.key_limit",
            params![tenancy, limit],
        )?,
        None => tx.execute(
            "DELETE FROM inference_tenancies WHERE id = $1",
            params![tenancy],
        )?,
    };
    Ok(())
}

/// The tenancy of a compartment.
///
/// # Errors
///
/// When the store fails.
pub fn tenancy_of(tx: &mut Tx<'_>, compartment_id: &str) -> Result<String, StoreError> {
    let row = tx.query_opt(
        "SELECT tenancy FROM inference_compartments WHERE id = $1",
        params![compartment_id],
    )?;
    row.map_or(Ok(MAIN.to_owned()), |row| row.get(0))
}

/// Checks that the tenancy may have one more key. `default` is the limit of the configuration.
/// Transactions are serializable: of two that both count 99 keys, one is repeated. Those of one
/// replica take turns, so that few are.
///
/// # Errors
///
/// [`KeyError::LimitExceeded`] if it may not.
pub fn check_limit(tx: &mut Tx<'_>, tenancy: &str, default: u32) -> Result<(), KeyError> {
    let own = tx.query_opt(
        "SELECT key_limit FROM inference_tenancies WHERE id = $1",
        params![tenancy],
    )?;
    let limit = own.map_or(Ok(i64::from(default)), |row| row.get(0))?;
    let keys = count(
        tx,
        "SELECT 1 FROM inference_compartments c \
         JOIN inference_keys k ON k.compartment_id = c.id \
         WHERE c.tenancy = $1 AND k.deleted_at IS NULL",
        tenancy,
        limit,
    )?;
    match keys < limit {
        true => Ok(()),
        false => Err(KeyError::LimitExceeded(limit)),
    }
}

/// Checks that the compartment may have one more key.
///
/// # Errors
///
/// [`KeyError::QuotaExceeded`] if it may not.
pub fn check_quota(tx: &mut Tx<'_>, compartment_id: &str) -> Result<(), KeyError> {
    let row = tx.query_opt(
        "SELECT key_quota FROM inference_compartments WHERE id = $1",
        params![compartment_id],
    )?;
    let quota: Option<i64> = row.map_or(Ok(None), |row| row.get(0))?;
    let Some(quota) = quota else {
        return Ok(());
    };
    let keys = count(
        tx,
        "SELECT 1 FROM inference_keys WHERE compartment_id = $1 AND deleted_at IS NULL",
        compartment_id,
        quota,
    )?;
    match keys < quota {
        true => Ok(()),
        false => Err(KeyError::QuotaExceeded(quota)),
    }
}

/// Counts rows up to `most`, and reads no more of them.
fn count(tx: &mut Tx<'_>, rows: &str, of: &str, most: i64) -> Result<i64, StoreError> {
    let sql = format!("SELECT COUNT(*) FROM ({rows} LIMIT $2) AS counted");
    let row = tx.query_opt(&sql, params![of, most.max(0)])?;
    row.map_or(Ok(0), |row| row.get(0))
}
