//! The stored responses of requests with an `Idempotency-Key`.
//!
//! A stored response contains personal data, so a caller gets it only while the caller has the
//! right to the operation.

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::kernel::idempotency::{IdempotencyKey, KeyReused, Responses};
use crate::store::{StoreError, Tx};

/// The table of stored responses.
pub static RESPONSES: Responses = Responses {
    table: "idempotency_keys",
    key: "key_mac",
    columns: &["answer"],
    purposes: ["accounts idempotency key", "accounts idempotency request"],
    retention: TimeDelta::days(7),
};

/// Executes a request, or repeats its response. `work` checks the rights that it needs; `allowed`
/// checks them if there is a response already.
///
/// # Errors
///
/// When `work` fails or is no longer allowed, and when the key was used for another request.
pub fn once<T, E>(
    key: &IdempotencyKey,
    tx: &mut Tx<'_>,
    now: DateTime<Utc>,
    allowed: impl FnOnce(&mut Tx<'_>) -> Result<(), E>,
    work: impl FnOnce(&mut Tx<'_>) -> Result<T, E>,
) -> Result<T, E>
where
    T: Serialize + DeserializeOwned,
    E: From<StoreError> + From<KeyReused>,
{
    let failed = |error| RESPONSES.failed(error);
    key.once(
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
