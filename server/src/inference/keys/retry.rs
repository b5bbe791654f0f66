//! Retry tokens: the same call twice does its work once.
//!
//! A token, its request and its answer are written in the transaction that did
//! the work, so a call whose answer got lost can be repeated on any replica and
//! gets the very same answer. That answer can hold new secrets; it is therefore
//! encrypted under a key that is derived from the server's and is not in the
//! database. After 24 hours a token is forgotten.

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use crate::kernel::{Mac, Random, ServerKeys, server_keys};
use crate::params;
use crate::store::Tx;

use super::error::KeyError;
use super::key::{Answer, Key};
use super::secrets::Presented;

const RETENTION: TimeDelta = TimeDelta::hours(24);

/// A retry token together with the request that carries it.
#[derive(Debug, Clone)]
pub struct RetryToken {
    /// Under each server key, the current one first; the same of the request.
    token_macs: Vec<Mac>,
    request_macs: Vec<Mac>,
    /// Made beforehand: transactions may run twice and have no effects outside.
    nonce: [u8; NONCE_LEN],
}

/// What an earlier call with the same token left behind.
pub enum Replay {
    /// There was none: do the work.
    First,
    /// It was done, and answered this; nothing for an operation without a body.
    Again(Option<Box<Answer>>),
}

/// The answer as it is encrypted.
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
        let request = serde_json::to_vec(request).map_err(failed)?;
        let token = serde_json::to_vec(&(principal, token)).map_err(failed)?;
        Ok(RetryToken {
            token_macs: server_keys.macs("inference retry token", &token),
            request_macs: server_keys.macs("inference retry request", &request),
            nonce: random.bytes(),
        })
    }

    /// Looks for an earlier call.
    ///
    /// # Errors
    ///
    /// When the token came with another request, or its key was deleted since,
    /// or its secret replaced.
    pub fn replay(
        &self,
        tx: &mut Tx<'_>,
        server_keys: &ServerKeys,
        now: DateTime<Utc>,
    ) -> Result<Replay, KeyError> {
        let row = server_keys::find(&self.token_macs, |mac| {
            tx.query_opt(
                "SELECT request_mac, key_id, renewed, sealed, token_mac FROM inference_retries \
                 WHERE token_mac = $1 AND created_at > $2",
                params![mac, now - RETENTION],
            )
        })?;
        let Some(row) = row else {
            return Ok(Replay::First);
        };
        if !self.request_macs.contains(&row.get::<Mac>(0)?) {
            return Err(KeyError::RetryTokenDiffers);
        }
        let (key_id, renewed): (String, Option<String>) = (row.get(1)?, row.get(2)?);
        let stands = match renewed {
            None => tx.query_opt(
                "SELECT 1 FROM inference_keys WHERE id = $1 AND deleted_at IS NULL",
                params![key_id],
            )?,
            Some(public_id) => tx.query_opt(
                "SELECT 1 FROM inference_keys k JOIN inference_secrets s ON s.key_id = k.id \
                 WHERE k.id = $1 AND k.deleted_at IS NULL AND s.public_id = $2",
                params![key_id, public_id],
            )?,
        };
        if stands.is_none() {
            return Err(KeyError::RetryTokenUndone);
        }
        Ok(Replay::Again(match row.get::<Option<Vec<u8>>>(3)? {
            Some(sealed) => Some(Box::new(open(server_keys, row.get(4)?, sealed)?)),
            None => None,
        }))
    }

    /// Remembers the work of this call, and forgets what is too old. `renewed`
    /// is the public id of the secret whose replacement would make the answer
    /// worthless.
    pub fn keep(
        &self,
        tx: &mut Tx<'_>,
        server_keys: &ServerKeys,
        now: DateTime<Utc>,
        key_id: &str,
        renewed: Option<&str>,
        answer: Option<&Answer>,
    ) -> Result<(), KeyError> {
        let sealed = answer
            .map(|answer| self.seal(server_keys, answer))
            .transpose()?;
        tx.execute(
            "DELETE FROM inference_retries WHERE created_at <= $1",
            params![now - RETENTION],
        )?;
        tx.execute(
            "INSERT INTO inference_retries \
             (token_mac, request_mac, key_id, renewed, sealed, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6)",
            params![
                self.token_macs.first(),
                self.request_macs.first(),
                key_id,
                renewed,
                sealed,
                now
            ],
        )?;
        Ok(())
    }

    fn seal(&self, server_keys: &ServerKeys, answer: &Answer) -> Result<Vec<u8>, KeyError> {
        let shown = answer.shown.iter();
        let plain = Sealed {
            key: answer.key.clone(),
            at: answer.at,
            shown: shown
                .map(|(name, secret)| (name.clone(), secret.expose().to_owned()))
                .collect(),
        };
        let mut text = Zeroizing::new(serde_json::to_vec(&plain).map_err(failed)?);
        let token_mac = self
            .token_macs
            .first()
            .ok_or_else(|| failed("no server key"))?;
        let tag = cipher(server_keys, token_mac)?
            .seal_in_place_separate_tag(
                Nonce::assume_unique_for_key(self.nonce),
                Aad::from(token_mac),
                &mut text,
            )
            .map_err(failed)?;
        Ok([&self.nonce[..], &text, tag.as_ref()].concat())
    }
}

fn open(server_keys: &ServerKeys, token_mac: Mac, mut sealed: Vec<u8>) -> Result<Answer, KeyError> {
    let (nonce, text) = sealed
        .split_first_chunk_mut::<NONCE_LEN>()
        .ok_or_else(|| KeyError::Failed("a stored response is truncated".into()))?;
    let text = cipher(server_keys, &token_mac)?
        .open_in_place(
            Nonce::assume_unique_for_key(*nonce),
            Aad::from(token_mac),
            text,
        )
        .map_err(failed)?;
    let plain: Sealed = serde_json::from_slice(text).map_err(failed)?;
    let shown = plain.shown.into_iter().map(|(name, text)| {
        let secret = Presented::parse(&text)
            .ok_or_else(|| KeyError::Failed("a stored response holds no secret".into()))?;
        Ok((name, secret.keep()))
    });
    Ok(Answer {
        key: plain.key,
        at: plain.at,
        shown: shown.collect::<Result<_, KeyError>>()?,
    })
}

/// Under the server key with which the token is hashed.
fn cipher(server_keys: &ServerKeys, token_mac: &Mac) -> Result<LessSafeKey, KeyError> {
    let key = server_keys.derived_like(token_mac, "inference retry answer key");
    let key = key.ok_or_else(|| failed("its server key is not here"))?;
    let key = UnboundKey::new(&AES_256_GCM, key.as_slice()).map_err(failed)?;
    Ok(LessSafeKey::new(key))
}

fn failed(error: impl std::fmt::Display) -> KeyError {
    KeyError::Failed(format!("retry token: {error}"))
}
