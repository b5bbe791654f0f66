//! `Idempotency-Key`: the same request twice does its work once.
//!
//! A key, its request and its answer are written in the transaction that did
//! the work. A request whose answer got lost can therefore be repeated, on any
//! replica and after a restart, and gets the same answer; of two that race, one
//! does the work and the other gets its answer. A rejected request stores nothing, not
//! even its key. A stored answer has personal data: a caller gets it only while the
//! caller has the right to the operation.

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::kernel::{Mac, ServerKeys, server_keys};
use crate::params;
use crate::store::{StoreError, Tx};

/// How long an answer is kept.
pub const RETENTION: TimeDelta = TimeDelta::days(7);

/// A key together with the request that carries it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey {
    /// Under each server key, the current one first; the same of the request.
    key_macs: Vec<Mac>,
    request_macs: Vec<Mac>,
}

/// The key came with another request before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("The Idempotency-Key was used for another request")]
pub struct KeyReused;

impl IdempotencyKey {
    /// Binds a key to its user and to the request: which operation, and with
    /// which body.
    ///
    /// # Errors
    ///
    /// Never in practice: when the body cannot be written as JSON.
    pub fn new(
        server_keys: &ServerKeys,
        user_id: &str,
        key: &str,
        operation: &str,
        body: &impl Serialize,
    ) -> Result<Self, StoreError> {
        let key = serde_json::to_vec(&(user_id, key)).map_err(failed)?;
        let request = serde_json::to_vec(&(operation, body)).map_err(failed)?;
        Ok(IdempotencyKey {
            key_macs: server_keys.macs("accounts idempotency key", &key),
            request_macs: server_keys.macs("accounts idempotency request", &request),
        })
    }

    /// Does the work, or answers what it answered before. The work asks for the rights that
    /// it needs; `allowed` asks for them when there is an answer already.
    ///
    /// # Errors
    ///
    /// When the work fails or is not allowed any more, and when the key came with another
    /// request.
    pub fn once<T, E>(
        &self,
        tx: &mut Tx<'_>,
        now: DateTime<Utc>,
        allowed: impl FnOnce(&mut Tx<'_>) -> Result<(), E>,
        work: impl FnOnce(&mut Tx<'_>) -> Result<T, E>,
    ) -> Result<T, E>
    where
        T: Serialize + DeserializeOwned,
        E: From<StoreError> + From<KeyReused>,
    {
        let earlier = server_keys::find(&self.key_macs, |mac| {
            let row = tx.query_opt(
                "SELECT request_mac, answer, created_at FROM idempotency_keys WHERE key_mac = $1",
                params![mac],
            )?;
            // The query has no condition on the age, so that no database looks for the key by its age.
            Ok::<_, StoreError>(match row {
                Some(row) if row.get::<DateTime<Utc>>(2)? > now - RETENTION => Some(row),
                _ => None,
            })
        })?;
        if let Some(row) = earlier {
            allowed(tx)?;
            if !self.request_macs.contains(&row.get::<Mac>(0)?) {
                return Err(KeyReused.into());
            }
            let answer: String = row.get(1)?;
            return Ok(serde_json::from_str(&answer).map_err(failed)?);
        }
        let answer = work(tx)?;
        let text = serde_json::to_string(&answer).map_err(failed)?;
        tx.add(
            "INSERT INTO idempotency_keys (key_mac, request_mac, answer, created_at) \
             VALUES ($1, $2, $3, $4) ON CONFLICT (key_mac) DO UPDATE SET \
             request_mac = excluded.request_mac, answer = excluded.answer, \
             created_at = excluded.created_at",
            params![self.key_macs.first(), self.request_macs.first(), text, now],
        )?;
        Ok(answer)
    }
}

/// Forgets what is too old.
///
/// # Errors
///
/// When the store fails.
pub fn sweep(tx: &mut Tx<'_>, now: DateTime<Utc>) -> Result<u64, StoreError> {
    tx.execute(
        "DELETE FROM idempotency_keys WHERE created_at <= $1",
        params![now - RETENTION],
    )
}

fn failed(error: serde_json::Error) -> StoreError {
    StoreError::Statement(format!("idempotency_keys: {error}"))
}
