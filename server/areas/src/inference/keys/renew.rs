//! Renews the value of a secret, or adds a second secret.

use std::sync::Arc;

use crate::inference::Inference;

use super::access::Verb;
use super::change::{Tags, Target};
use super::create::{NewSecret, expiry, secret};
use super::error::KeyError;
use super::key::KeyResponse;
use super::rows;
use super::secrets::PlainSecret;
use super::state::renewal;

/// The maximum of secrets of a key.
const MAX_SECRETS: usize = 2;

/// Gives one secret a new value, or a key with one secret a second one. The response shows the
/// value.
///
/// # Errors
///
/// The caller needs [`Verb::Manage`]. A key cannot have a third secret.
pub async fn renew(
    inference: &Arc<Inference>,
    target: Target,
    new: NewSecret,
    tags: Tags,
) -> Result<KeyResponse, KeyError> {
    let now = crate::inference::now(inference);
    let plain = PlainSecret::generate(&*inference.random);
    let context = Arc::clone(inference);
    let response = inference
        .store
        .write_in_turn(&inference.key_changes, move |tx| {
            let inference = &context;
            target.once(tx, inference, now, Some(plain.public_id()), |tx| {
                let mut key = target.open(tx, Verb::Manage)?;
                let expires_at = expiry(new.expires_at, now, "/details/timeExpiry")?;
                let mut value = secret(inference, &new.name, &plain, expires_at, now);
                let present = key.secrets.iter().position(|one| one.name == new.name);
                let action = match present {
                    Some(index) => {
                        let present = &mut key.secrets[index];
                        // The present state decides the next one.
                        value.enter(renewal(present.observed(now)), now);
                        rows::update_secret(tx, &key.id, &value)?;
                        *present = value;
                        "inference.secret.renewed"
                    }
                    None if key.secrets.len() < MAX_SECRETS => {
                        rows::insert_secret(tx, &key.id, &value, key.secrets.len())?;
                        key.secrets.push(value);
                        "inference.secret.added"
                    }
                    None => return Err(KeyError::NoSuchSecret(value.name)),
                };
                rows::announce_key(tx, &key.id)?;
                target.record(tx, inference, action, &new.name)?;
                tags.apply(&mut key);
                rows::update(tx, &mut key, now)?;
                let shown = vec![(new.name.clone(), plain.clone())];
                Ok(KeyResponse {
                    shown,
                    ..KeyResponse::of(key, now)
                })
            })
        })
        .await?;
    inference.admission.invalidate();
    response.ok_or(KeyError::RetryTokenUndone)
}
