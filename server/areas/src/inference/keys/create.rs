//! Creates a key.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::inference::Inference;
use crate::store::Tx;

use super::access::{self, Manager, Verb};
use super::error::KeyError;
use super::key::{Key, KeyResponse, Secret};
use super::retry::RetryToken;
use super::secrets::{PlainSecret, letters};
use super::state::StoredState;
use super::{key_quota, rows};

/// The lifetime of a secret without an expiry.
pub const DEFAULT_LIFE: TimeDelta = TimeDelta::days(90);
/// The number of letters in the unique part of a key's id, of five random bits each.
const ID_LETTERS: usize = 26;

/// A requested key.
#[derive(Debug, Clone, Serialize)]
pub struct NewKey {
    /// Its name.
    pub display_name: String,
    /// The compartment of the key.
    pub compartment_id: String,
    /// The description.
    pub description: Option<String>,
    /// The caller's labels.
    pub freeform_tags: Map<String, Value>,
    /// Labels under namespaces.
    pub defined_tags: Map<String, Value>,
    /// One or two secrets.
    pub secrets: Vec<NewSecret>,
}

/// A requested secret.
#[derive(Debug, Clone, Serialize)]
pub struct NewSecret {
    /// Its name.
    pub name: String,
    /// The expiry of the secret.
    pub expires_at: Option<DateTime<Utc>>,
}

/// Creates a key. The response shows its secrets.
///
/// # Errors
///
/// When the request is invalid, or a limit of keys is reached. The caller needs [`Verb::Manage`] in
/// the compartment.
pub async fn create(
    inference: &Arc<Inference>,
    manager: &Manager,
    retry: Option<RetryToken>,
    new: NewKey,
) -> Result<KeyResponse, KeyError> {
    let now = crate::inference::now(inference);
    let plain: Vec<PlainSecret> = new
        .secrets
        .iter()
        .map(|_| PlainSecret::generate(&*inference.random))
        .collect();
    let id = format!(
        "apikey.{}.{}",
        manager.region,
        letters(&*inference.random, ID_LETTERS)
    );
    let context = Arc::clone(inference);
    let manager = manager.clone();
    let response = inference
        .store
        .write_in_turn(&inference.key_changes, move |tx| {
            let inference = &context;
            access::require(tx, &manager.principal, &new.compartment_id, Verb::Manage)?;
            let work = |tx: &mut Tx<'_>| {
                check_names(&new.secrets)?;
                let tenancy = key_quota::tenancy_of(tx, &new.compartment_id)?;
                key_quota::check_limit(tx, &tenancy, inference.settings().config.key_limit)?;
                key_quota::check_quota(tx, &new.compartment_id)?;
                let secrets = secrets(inference, &new.secrets, &plain, now)?;
                let key = key(&id, &manager.region, &new, secrets, now);
                rows::insert(tx, &key)?;
                rows::announce_key(tx, &key.id)?;
                let detail = format!("in {}", key.compartment_id);
                manager.record(tx, inference, "inference.key.created", &key.id, &detail)?;
                let names = key.secrets.iter().map(|secret| secret.name.clone());
                let shown = names.zip(plain.iter().cloned()).collect();
                Ok(KeyResponse {
                    shown,
                    ..KeyResponse::of(key, now)
                })
            };
            let Some(retry) = &retry else {
                return work(tx);
            };
            let keys = &inference.server_keys;
            let response = retry.once(tx, keys, now, None, |_| Ok(()), work)?;
            let response = response.ok_or(KeyError::RetryTokenUndone)?;
            // The key may have moved to another compartment.
            let key = rows::find(tx, &manager.region, &response.key.id)?;
            let key = key.ok_or(KeyError::NotFound)?;
            access::require(tx, &manager.principal, &key.compartment_id, Verb::Manage)?;
            Ok(response)
        })
        .await?;
    inference.admission.invalidate();
    Ok(response)
}

/// The first version of a key.
fn key(id: &str, region: &str, new: &NewKey, secrets: Vec<Secret>, now: DateTime<Utc>) -> Key {
    Key {
        id: id.to_owned(),
        region: region.to_owned(),
        compartment_id: new.compartment_id.clone(),
        display_name: new.display_name.clone(),
        description: new.description.clone(),
        freeform_tags: new.freeform_tags.clone(),
        defined_tags: new.defined_tags.clone(),
        version: 1,
        created_at: now,
        updated_at: now,
        deleted_at: None,
        secrets,
    }
}

/// The secrets of a new key. The first one is active, and the second one if the configuration says so.
fn secrets(
    inference: &Inference,
    new: &[NewSecret],
    plain: &[PlainSecret],
    now: DateTime<Utc>,
) -> Result<Vec<Secret>, KeyError> {
    let both_active = inference.settings().config.second_secret_active;
    let pairs = new.iter().zip(plain).enumerate();
    pairs
        .map(|(position, (new, plain))| {
            let pointer = format!("/keyDetails/{position}/timeExpiry");
            let expires_at = expiry(new.expires_at, now, &pointer)?;
            let mut secret = secret(inference, &new.name, plain, expires_at, now);
            if position == 0 || both_active {
                secret.enter(StoredState::Active, now);
            }
            Ok(secret)
        })
        .collect()
}

/// A new value, in the state STANDBY.
pub(super) fn secret(
    inference: &Inference,
    name: &str,
    plain: &PlainSecret,
    expires_at: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Secret {
    Secret {
        name: name.to_owned(),
        public_id: plain.public_id().to_owned(),
        digest: plain.digest(&inference.server_keys),
        mask: plain.mask(),
        state: StoredState::Standby,
        created_at: now,
        expires_at,
        activated_at: None,
        deactivated_at: None,
        revoked_at: None,
        last_used_at: None,
    }
}

/// The expiry of a new value, as requested, in milliseconds.
pub(super) fn expiry(
    requested: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
    pointer: &str,
) -> Result<DateTime<Utc>, KeyError> {
    let invalid = |message: &str| KeyError::Invalid {
        pointer: pointer.to_owned(),
        message: message.into(),
    };
    let Some(requested) = requested else {
        return Ok(now + DEFAULT_LIFE);
    };
    let expiry = DateTime::from_timestamp_millis(requested.timestamp_millis())
        .ok_or_else(|| invalid("is out of range"))?;
    match expiry > now {
        true => Ok(expiry),
        false => Err(invalid("must be in the future")),
    }
}

fn check_names(secrets: &[NewSecret]) -> Result<(), KeyError> {
    match secrets {
        [first, second] if first.name == second.name => Err(KeyError::Invalid {
            pointer: "/keyDetails/1/keyName".into(),
            message: "must differ from the name of the other secret".into(),
        }),
        _ => Ok(()),
    }
}
