//! Tokens of budgets in the database: those that a replica may use, and that the usage does not have
//! yet.

use chrono::NaiveDate;

use super::usage;
use crate::params;
use crate::store::{StoreError, Tx};

/// A replica gets the free tokens divided by this number, or more if its call needs more.
const PARTS: i64 = 8;
/// Milliseconds after its last announcement for which the tokens of another replica count. The clocks of replicas may
/// differ, so this is longer than the time after which a replica counts as stopped.
const COUNTED_MILLIS: i64 = 300_000;

/// The missing tokens of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// The budget of the key.
    pub budget: i64,
    /// The first day of its period.
    pub period: NaiveDate,
    /// The tokens, at least one.
    pub tokens: i64,
}

/// The response of the database to a [`Request`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allocation {
    /// The first day of the period.
    pub period: NaiveDate,
    /// The tokens that the replica may use in addition. Zero rejects the request.
    pub tokens: i64,
    /// The used tokens in the database.
    pub used: i64,
}

/// The tokens of one key's budget that this replica may still use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allocated {
    /// The key.
    pub key_id: String,
    /// The replica.
    pub replica: String,
    /// The first day of the period.
    pub period: NaiveDate,
    /// The tokens that are not in the database's usage.
    pub tokens: i64,
}

/// Allocates tokens of a key's budget to a replica, if at least one token is free at `now`, in Unix milliseconds.
pub fn allocate(
    tx: &mut Tx<'_>,
    key_id: &str,
    replica: &str,
    request: Request,
    now: i64,
) -> Result<Allocation, StoreError> {
    let period = request.period.to_string();
    let used = usage::tokens_since(tx, key_id, request.period)?;
    let allocated = tx.query_integer(
        "SELECT CAST(COALESCE(SUM(a.tokens), 0) AS BIGINT) \
         FROM inference_budget_allocations a JOIN server_replicas r ON r.id = a.replica \
         WHERE a.key_id = $1 AND a.period = $2 AND (r.seen_at > $3 OR r.id = $4)",
        params![key_id, &period, now - COUNTED_MILLIS, replica],
    )?;
    let free = request
        .budget
        .saturating_sub(used.saturating_add(allocated));
    let tokens = match free > 0 {
        true => request.tokens.max(free / PARTS),
        false => 0,
    };
    if tokens > 0 {
        tx.execute(
            "INSERT INTO inference_budget_allocations (key_id, replica, period, tokens) \
             VALUES ($1, $2, $3, $4) ON CONFLICT (key_id, replica) DO UPDATE SET \
             tokens = excluded.tokens + CASE \
             WHEN inference_budget_allocations.period = excluded.period \
             THEN inference_budget_allocations.tokens ELSE 0 END, period = excluded.period",
            params![key_id, replica, &period, tokens],
        )?;
    }
    Ok(Allocation {
        period: request.period,
        tokens,
        used,
    })
}

/// Replaces what a replica may still use of a key's budget.
pub fn put(tx: &mut Tx<'_>, allocated: &Allocated) -> Result<(), StoreError> {
    let Allocated {
        key_id,
        replica,
        period,
        tokens,
    } = allocated;
    match *tokens > 0 {
        true => tx.execute(
            "INSERT INTO inference_budget_allocations (key_id, replica, period, tokens) \
             VALUES ($1, $2, $3, $4) ON CONFLICT (key_id, replica) DO UPDATE SET \
             period = excluded.period, tokens = excluded.tokens",
            params![key_id, replica, period.to_string(), *tokens],
        )?,
        false => tx.execute(
            "DELETE FROM inference_budget_allocations WHERE key_id = $1 AND replica = $2",
            params![key_id, replica],
        )?,
    };
    Ok(())
}

/// Reduces what a replica may still use of a key's budget.
pub fn reduce(tx: &mut Tx<'_>, by: &Allocated) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE inference_budget_allocations SET tokens = tokens - $4 \
         WHERE key_id = $1 AND replica = $2 AND period = $3 AND tokens >= $4",
        params![&by.key_id, &by.replica, by.period.to_string(), by.tokens],
    )?;
    Ok(())
}

/// Deletes the rows of replicas that have stopped.
pub fn delete_stopped(tx: &mut Tx<'_>) -> Result<(), StoreError> {
    tx.execute(
        "DELETE FROM inference_budget_allocations WHERE NOT EXISTS \
         (SELECT 1 FROM server_replicas r WHERE r.id = inference_budget_allocations.replica)",
        &[],
    )?;
    Ok(())
}
