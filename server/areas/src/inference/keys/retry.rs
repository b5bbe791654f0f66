//! Retry tokens: repeat the response to a repeated request.
//!
//! The stored response can contain new secrets. It is therefore encrypted under a key that is
//! derived from the server key, which is not in the database.

use aws_lc_rs::aead::{Aad, LessSafeKey, NONCE_LEN, Nonce};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use crate::kernel::idempotency::{IdempotencyKey, Responses};
use crate::kernel::{Mac, Random, ServerKeys};
use crate::params;
use crate::store::{Row, Tx};

use super::error::KeyError;
use super::key::{Key, KeyResponse};
use super::secrets::Presented;

/// The table of stored responses.
pub static RESPONSES: Responses = Responses {
    table: "inference_retries",
    key: "token_mac",
    columns: &["key_id", "renewed", "sealed"],
    purposes: ["inference retry token", "inference retry request"],
    retention: TimeDelta::hours(24),
};

/// A retry token together with the request that carries it.
#[derive(Debug, Clone)]
pub struct RetryToken {
    key: IdempotencyKey,
    /// Drawn beforehand: a transaction may run twice and must have no effects outside.
    nonce: [u8; NONCE_LEN],
}

/// The content of an encrypted response.
#[derive(Serialize, Deserialize)]
struct Sealed {
    key: Key,
    at: DateTime<Utc>,
    shown: Vec<(String, String)>,
}

impl RetryToken {
    /// Binds a token to its caller and to the request: operation, target, body.
    pub fn new(
        server_keys: &ServerKeys,
        random: &dyn Random,
        principal: &str,
        token: &str,
        request: &impl Serialize,
    ) -> Result<Self, KeyError> {
        Ok(RetryToken {
            key: IdempotencyKey::new(&RESPONSES, server_keys, principal, token, request)?,
            nonce: random.bytes(),
        })
    }

    /// Does the work, or repeats its response. `renewed` is the public id of a secret whose
    /// replacement makes the stored response useless. An earlier version of the service stored no
    /// response for an operation without a body.
    ///
    /// # Errors
    ///
    /// When the token was used for another request, or its key was deleted since, or its secret
    /// replaced. Also the errors of `allowed` and `work`.
    pub fn once(
        &self,
        tx: &mut Tx<'_>,
        server_keys: &ServerKeys,
        now: DateTime<Utc>,
        renewed: Option<&str>,
        allowed: impl FnOnce(&mut Tx<'_>) -> Result<(), KeyError>,
        work: impl FnOnce(&mut Tx<'_>) -> Result<KeyResponse, KeyError>,
    ) -> Result<Option<KeyResponse>, KeyError> {
        let replay = |tx: &mut Tx<'_>, mac: &Mac, row: &Row| {
            require_current(tx, &row.get::<String>(0)?, row.get(1)?)?;
            let sealed = row.get::<Option<Vec<u8>>>(2)?;
            sealed
                .map(|sealed| open(server_keys, mac, sealed))
                .transpose()
        };
        self.key.once(tx, now, allowed, replay, |tx, mac| {
            let response = work(tx)?;
            let sealed = self.seal(server_keys, mac, &response)?;
            let values = params![response.key.id.clone(), renewed, sealed].to_vec();
            Ok((Some(response), values))
        })
    }

    fn seal(
        &self,
        server_keys: &ServerKeys,
        mac: &Mac,
        response: &KeyResponse,
    ) -> Result<Vec<u8>, KeyError> {
        let shown = response.shown.iter();
        let plain = Sealed {
            key: response.key.clone(),
            at: response.at,
            shown: shown
                .map(|(name, secret)| (name.clone(), secret.expose().to_owned()))
                .collect(),
        };
        let mut text = Zeroizing::new(serde_json::to_vec(&plain).map_err(failed)?);
        let tag = cipher(server_keys, mac)?
            .seal_in_place_separate_tag(
                Nonce::assume_unique_for_key(self.nonce),
                Aad::from(mac),
                &mut text,
            )
            .map_err(failed)?;
        Ok([&self.nonce[..], &text, tag.as_ref()].concat())
    }
}

/// Requires that a key is not deleted and, if a secret was renewed, still has its new value.
fn require_current(tx: &mut Tx<'_>, key_id: &str, renewed: Option<String>) -> Result<(), KeyError> {
    let row = tx.query_opt(
        "SELECT 1 FROM inference_keys k WHERE id = $1 AND deleted_at IS NULL \
         AND (CAST($2 AS TEXT) IS NULL OR EXISTS \
         (SELECT 1 FROM inference_secrets WHERE key_id = k.id AND public_id = $2))",
        params![key_id, renewed],
    )?;
    row.map(drop).ok_or(KeyError::RetryTokenUndone)
}

fn open(server_keys: &ServerKeys, mac: &Mac, mut sealed: Vec<u8>) -> Result<KeyResponse, KeyError> {
    let (nonce, text) = sealed
        .split_first_chunk_mut::<NONCE_LEN>()
        .ok_or_else(|| KeyError::Failed("a stored response is truncated".into()))?;
    let text = cipher(server_keys, mac)?
        .open_in_place(Nonce::assume_unique_for_key(*nonce), Aad::from(mac), text)
        .map_err(failed)?;
    let plain: Sealed = serde_json::from_slice(text).map_err(failed)?;
    let shown = plain.shown.into_iter().map(|(name, text)| {
        let secret = Presented::parse(&text)
            .ok_or_else(|| KeyError::Failed("a stored response has no secret".into()))?;
        Ok((name, secret.to_secret()))
    });
    Ok(KeyResponse {
        key: plain.key,
        at: plain.at,
        shown: shown.collect::<Result<_, KeyError>>()?,
    })
}

/// The cipher of the server key with which the token is hashed.
fn cipher(server_keys: &ServerKeys, mac: &Mac) -> Result<LessSafeKey, KeyError> {
    // Stored responses are bound to this wording.
    let cipher = server_keys.cipher_like(mac, "inference retry answer key");
    cipher.ok_or_else(|| failed("its server key is missing"))
}

fn failed(error: impl std::fmt::Display) -> KeyError {
    KeyError::Failed(format!("retry token: {error}"))
}
