//! `Idempotency-Key`: repeats the response to a repeated request.
//!
//! The transaction that executes a request also stores its key and its response. A client that lost
//! the response can therefore repeat the request, on any replica and after a restart, and gets the
//! same response. Of two concurrent requests, one is executed and the other gets its response. A
//! rejected request stores nothing, not even its key. Each area decides how it stores a response,
//! and who may get it again.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::upkeep::{self, STORED_RESPONSES};
use super::{Kernel, Mac, ServerKeys, expiry, server_keys};
use crate::params;
use crate::store::{Row, StoreError, Tx, Value};

/// The interval at which old responses are removed.
const SWEEP: Duration = Duration::from_secs(600);

/// The table in which an area stores responses. It also has `request_mac` and `created_at`.
#[derive(Debug)]
pub struct Responses {
    /// The table.
    pub table: &'static str,
    /// The column of the keyed hash of the caller and the key.
    pub key: &'static str,
    /// The columns of the area.
    pub columns: &'static [&'static str],
    /// The purposes of the keyed hashes: of the caller and the key, and of the request.
    pub purposes: [&'static str; 2],
    /// The time for which a response is stored.
    pub retention: TimeDelta,
}

/// A key together with the request that carries it.
#[derive(Debug, Clone)]
pub struct IdempotencyKey {
    responses: &'static Responses,
    /// The keyed hashes under each server key, the current one first. The second field holds those
    /// of the request.
    key_macs: Vec<Mac>,
    request_macs: Vec<Mac>,
}

/// The key was used for another request before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("The Idempotency-Key was used for another request")]
pub struct KeyReused;

impl IdempotencyKey {
    /// Binds a key to its caller and to the request: the operation, its target and body.
    ///
    /// # Errors
    ///
    /// Never in practice: when the request cannot be written as JSON.
    pub fn new(
        responses: &'static Responses,
        server_keys: &ServerKeys,
        caller: &str,
        key: &str,
        request: &impl Serialize,
    ) -> Result<Self, StoreError> {
        let [of_key, of_request] = responses.purposes;
        let failed = |error| responses.failed(error);
        let key = serde_json::to_vec(&(caller, key)).map_err(failed)?;
        let request = serde_json::to_vec(request).map_err(failed)?;
        Ok(IdempotencyKey {
            responses,
            key_macs: server_keys.macs(of_key, &key),
            request_macs: server_keys.macs(of_request, &request),
        })
    }

    /// Executes a request, or repeats the response of an earlier one.
    ///
    /// - `allowed`: checks that the caller may still get an earlier response. The work checks the
    ///   rights that it needs itself.
    /// - `replay`: reads the response from the columns of the area. The keyed hash is the one under
    ///   which the response is stored.
    /// - `work`: executes the request. Returns the response, and the values of
    ///   [`Responses::columns`]. The keyed hash is the one under which the response will be stored.
    ///
    /// # Errors
    ///
    /// Those of the three, and [`KeyReused`].
    pub fn once<T, E: From<StoreError> + From<KeyReused>>(
        &self,
        tx: &mut Tx<'_>,
        now: DateTime<Utc>,
        allowed: impl FnOnce(&mut Tx<'_>) -> Result<(), E>,
        replay: impl FnOnce(&mut Tx<'_>, &Mac, &Row) -> Result<T, E>,
        work: impl FnOnce(&mut Tx<'_>, &Mac) -> Result<(T, Vec<Value>), E>,
    ) -> Result<T, E> {
        if let Some((mac, row)) = self.find(tx, now)? {
            allowed(tx)?;
            let request: Mac = row.get(self.responses.columns.len())?;
            return match self.request_macs.contains(&request) {
                true => replay(tx, &mac, &row),
                false => Err(KeyReused.into()),
            };
        }
        let (mac, request) = (self.key_macs[0], self.request_macs[0]);
        let (response, mut values) = work(tx, &mac)?;
        values.extend_from_slice(params![mac, request, now]);
        tx.add(&self.responses.insert(), &values)?;
        Ok(response)
    }

    /// Does the work, or repeats its response, for an area with one column that has the
    /// response as JSON. The work checks the rights that it needs; `allowed` checks them when
    /// there is a response already.
    ///
    /// # Errors
    ///
    /// When the work fails or is not allowed any more, and when the key came with another
    /// request.
    pub fn once_as_json<T, E>(
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
        let failed = |error| self.responses.failed(error);
        self.once(
            tx,
            now,
            allowed,
            |_, _, row| Ok(serde_json::from_str(&row.get::<String>(0)?).map_err(failed)?),
            |tx, _| {
                let response = work(tx)?;
                let text = serde_json::to_string(&response).map_err(failed)?;
                Ok((response, vec![text.into()]))
            },
        )
    }

    /// The earlier request, with the keyed hash under which it is stored.
    fn find(&self, tx: &mut Tx<'_>, now: DateTime<Utc>) -> Result<Option<(Mac, Row)>, StoreError> {
        let Responses {
            table,
            key,
            columns,
            retention,
            ..
        } = self.responses;
        let sql = format!(
            "SELECT {}, request_mac, created_at FROM {table} WHERE {key} = $1",
            columns.join(", ")
        );
        server_keys::find(&self.key_macs, |mac| {
            let row = tx.query_opt(&sql, params![mac])?;
            let Some(row) = row else { return Ok(None) };
            // The query has no condition on the age, so that no database uses the index of ages.
            let created_at: DateTime<Utc> = row.get(columns.len() + 1)?;
            Ok((created_at > now - *retention).then_some((*mac, row)))
        })
    }
}

impl Responses {
    fn insert(&self) -> String {
        let Responses { table, key, .. } = self;
        let all = self
            .columns
            .iter()
            .chain([key, &"request_mac", &"created_at"]);
        let all: Vec<&str> = all.copied().collect();
        let places: Vec<_> = (1..=all.len()).map(|number| format!("${number}")).collect();
        let set = all
            .iter()
            .map(|column| format!("{column} = excluded.{column}"));
        let set: Vec<_> = set.collect();
        format!(
            "INSERT INTO {table} ({}) VALUES ({}) ON CONFLICT ({key}) DO UPDATE SET {}",
            all.join(", "),
            places.join(", "),
            set.join(", ")
        )
    }

    /// Removes a batch of expired responses. Returns their number.
    fn sweep(&self, tx: &mut Tx<'_>, now: DateTime<Utc>) -> Result<u64, StoreError> {
        let end = now - self.retention;
        expiry::delete(tx, self.table, self.key, "created_at", end)
    }

    /// The error of a response that cannot be written or read.
    pub fn failed(&self, error: impl std::fmt::Display) -> StoreError {
        StoreError::Statement(format!("{}: {error}", self.table))
    }
}

/// Removes the old responses of all areas, until dropped. Nothing else depends on it.
pub async fn run(kernel: Arc<Kernel>, areas: [&'static Responses; 2]) {
    let mut ticks = tokio::time::interval(SWEEP);
    loop {
        ticks.tick().await;
        let now = kernel.clock.now();
        for area in areas {
            let sweep = move |tx: &mut Tx<'_>| area.sweep(tx, now);
            let swept = expiry::in_batches(&kernel, STORED_RESPONSES, sweep);
            let swept = upkeep::measure(&kernel.metrics, STORED_RESPONSES, swept);
            if let Err(error) = swept.await {
                tracing::warn!(%error, "cannot remove old stored responses");
            }
        }
    }
}
