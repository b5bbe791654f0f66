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
pub fn tenancies(tx: &mut Tx<'_>) -> Result<Vec<Tenancy>, StoreError> {
    let rows = tx.query(
        "SELECT t.id, (SELECT CAST(COALESCE(SUM(keys), 0) AS BIGINT) \
         FROM inference_compartments c WHERE c.tenancy = t.id), \
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
pub fn tenancy_of(tx: &mut Tx<'_>, compartment_id: &str) -> Result<String, StoreError> {
    let row = tx.query_opt(
        "SELECT tenancy FROM inference_compartments WHERE id = $1",
        params![compartment_id],
    )?;
    row.map_or(Ok(MAIN.to_owned()), |row| row.get(0))
}

/// Checks that the tenancy may have one more key. `default` is the limit of the configuration.
/// Transactions are serializable: of two that both find 99 keys, one is repeated. Those of one
/// replica take turns, so that few are.
///
/// # Errors
///
/// [`KeyError::LimitExceeded`] if it may not.
pub fn check_limit(tx: &mut Tx<'_>, tenancy: &str, default: u32) -> Result<(), KeyError> {
    let row = tx.query_opt(
        "SELECT (SELECT key_limit FROM inference_tenancies WHERE id = $1), \
         CAST(COALESCE(SUM(keys), 0) AS BIGINT) FROM inference_compartments WHERE tenancy = $1",
        params![tenancy],
    )?;
    let (own, keys): (Option<i64>, i64) = match row {
        Some(row) => (row.get(0)?, row.get(1)?),
        None => (None, 0),
    };
    let limit = own.unwrap_or_else(|| i64::from(default));
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
    let reached = tx.query_opt(
        "SELECT key_quota FROM inference_compartments WHERE id = $1 AND keys >= key_quota",
        params![compartment_id],
    )?;
    match reached {
        None => Ok(()),
        Some(row) => Err(KeyError::QuotaExceeded(row.get(0)?)),
    }
}
