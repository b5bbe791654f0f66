//! The operators' tables: compartments, limits and policies.
//!
//! Each function is a few statements inside the caller's transaction. Changes that affect model
//! calls are announced, so that every replica follows.

use chrono::{DateTime, Utc};

use super::admission::limits::Limits;
use super::admission::period::Period;
use super::admission::policies::statement::{self, Statement};
use super::keys::key_quota::MAIN;
use super::keys::rows::{announce_change, announce_key};
use crate::audit::AuditContext;
use crate::params;
use crate::store::{Row, StoreError, Tx};

/// A compartment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compartment {
    /// Its id.
    pub id: String,
    /// The tenancy that it belongs to.
    pub tenancy: String,
    /// The maximum of its keys.
    pub key_quota: Option<i64>,
    /// The number of its keys, without deleted ones.
    pub keys: i64,
}

/// Creates a compartment, or changes its quota. `key_quota` is the maximum of its keys. Without a
/// tenancy, an existing compartment stays in its own.
pub fn put_compartment(
    tx: &mut Tx<'_>,
    id: &str,
    tenancy: Option<&str>,
    key_quota: Option<i64>,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO inference_compartments (id, tenancy, key_quota, created_at) \
         VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO UPDATE SET key_quota = excluded.key_quota",
        params![id, tenancy.unwrap_or(MAIN), key_quota, now],
    )?;
    if let Some(tenancy) = tenancy {
        tx.execute(
            "UPDATE inference_compartments SET tenancy = $2 WHERE id = $1",
            params![id, tenancy],
        )?;
    }
    Ok(())
}

/// Whether a compartment exists.
pub fn has_compartment(tx: &mut Tx<'_>, id: &str) -> Result<bool, StoreError> {
    tx.exists(
        "SELECT 1 FROM inference_compartments WHERE id = $1",
        params![id],
    )
}

/// All compartments.
pub fn compartments(tx: &mut Tx<'_>) -> Result<Vec<Compartment>, StoreError> {
    let rows = tx.query(
        "SELECT id, tenancy, key_quota, keys FROM inference_compartments ORDER BY id",
        &[],
    )?;
    let read = |row: &Row| {
        Ok(Compartment {
            id: row.get(0)?,
            tenancy: row.get(1)?,
            key_quota: row.get(2)?,
            keys: row.get(3)?,
        })
    };
    rows.iter().map(read).collect()
}

/// The compartment of a key, unless the key is deleted.
pub fn compartment_of_key(tx: &mut Tx<'_>, key_id: &str) -> Result<Option<String>, StoreError> {
    let row = tx.query_opt(
        "SELECT compartment_id FROM inference_keys WHERE id = $1 AND deleted_at IS NULL",
        params![key_id],
    )?;
    row.map(|row| row.get(0)).transpose()
}

/// The columns of limits, in the order that [`read_limits`] reads.
pub(super) const LIMIT_COLUMNS: &str = "requests_per_minute, tokens_per_minute, concurrent_calls, concurrent_streams, \
     token_budget, budget_period";

/// Reads [`LIMIT_COLUMNS`] from the column `at` on.
pub(super) fn read_limits(row: &Row, at: usize) -> Result<Limits, StoreError> {
    // A number that does not fit rejects every call.
    let small = |index: usize| {
        let number: Option<i64> = row.get(at + index)?;
        Ok::<_, StoreError>(number.map(|number| u32::try_from(number).unwrap_or(0)))
    };
    let budget: Option<i64> = row.get(at + 4)?;
    let period: Option<String> = row.get(at + 5)?;
    // A period of a later version is read as the longest one, which counts most tokens.
    let period = period.map(|period| Period::parse(&period).unwrap_or(Period::Month));
    Ok(Limits {
        requests_per_minute: small(0)?,
        tokens_per_minute: small(1)?,
        concurrent_calls: small(2)?,
        concurrent_streams: small(3)?,
        budget: budget.zip(period),
    })
}

/// The limits of keys with limits of their own.
pub fn limits(tx: &mut Tx<'_>) -> Result<Vec<(String, Limits)>, StoreError> {
    let sql = format!("SELECT key_id, {LIMIT_COLUMNS} FROM inference_limits ORDER BY key_id");
    let rows = tx.query(&sql, &[])?;
    let read = |row: &Row| Ok((row.get(0)?, read_limits(row, 1)?));
    rows.iter().map(read).collect()
}

/// Sets the limits of a key. With `None`, those of the service apply.
pub fn put_limits(
    tx: &mut Tx<'_>,
    key_id: &str,
    limits: Option<&Limits>,
) -> Result<(), StoreError> {
    let sql = "DELETE FROM inference_limits WHERE key_id = $1";
    tx.execute(sql, params![key_id])?;
    if let Some(limits) = limits {
        let Limits {
            requests_per_minute,
            tokens_per_minute,
            concurrent_calls,
            concurrent_streams,
            budget,
        } = *limits;
        tx.execute(
            &format!(
                "INSERT INTO inference_limits (key_id, {LIMIT_COLUMNS}) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7)"
            ),
            params![
                key_id,
                requests_per_minute.map(i64::from),
                tokens_per_minute.map(i64::from),
                concurrent_calls.map(i64::from),
                concurrent_streams.map(i64::from),
                budget.map(|(tokens, _)| tokens),
                budget.map(|(_, period)| period.as_str())
            ],
        )?;
    }
    announce_key(tx, key_id)
}

/// All policies, by id.
pub fn policies(tx: &mut Tx<'_>) -> Result<Vec<Statement>, StoreError> {
    let sql = "SELECT id, statement FROM inference_policies ORDER BY id";
    let rows = tx.query(sql, &[])?;
    let read = |row: &Row| {
        Ok(Statement {
            id: row.get(0)?,
            text: row.get(1)?,
        })
    };
    rows.iter().map(read).collect()
}

/// Adds a policy that is known to be valid. Returns false if there is one with its id.
pub fn add_policy(
    tx: &mut Tx<'_>,
    by: &AuditContext,
    policy: &Statement,
) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM inference_policies WHERE id = $1";
    if tx.exists(sql, params![&policy.id])? {
        return Ok(false);
    }
    statement::insert(tx, policy, by.time())?;
    by.record(tx, "inference.policy.added", &policy.id, &policy.text)?;
    announce_change(tx)?;
    Ok(true)
}

/// Removes a policy. Returns whether it existed.
pub fn remove_policy(tx: &mut Tx<'_>, by: &AuditContext, id: &str) -> Result<bool, StoreError> {
    let sql = "DELETE FROM inference_policies WHERE id = $1";
    let is_removed = tx.execute(sql, params![id])? > 0;
    if is_removed {
        by.record(tx, "inference.policy.removed", id, "")?;
        announce_change(tx)?;
    }
    Ok(is_removed)
}
