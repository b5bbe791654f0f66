//! Changes an existing key: its attributes, the states of its secrets, its compartment, its
//! deletion. New values of secrets are in [`renew`](super::renew).
//!
//! Every change is one transaction that reads the key, checks the caller's verb, compares the etag
//! and writes the next version. A change that revokes access is announced in the same transaction.
//! This replica discards its snapshot of secrets before the caller gets the response.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::inference::Inference;
use crate::store::{StoreError, Tx};

use super::access::{self, Manager, Verb};
use super::error::KeyError;
use super::key::{Key, KeyResponse};
use super::retry::RetryToken;
use super::state::{TargetState, Transition, transition};
use super::{key_quota, rows};

/// The caller, the key and the conditions of a change.
#[derive(Debug, Clone)]
pub struct Target {
    /// The caller.
    pub manager: Manager,
    /// The key.
    pub id: String,
    /// The `if-match` header.
    pub if_match: Option<String>,
    /// The `accord-retry-token` header, bound to the request.
    pub retry: Option<RetryToken>,
}

impl Target {
    /// Reads the key if the caller has the verb in its compartment, in any state of the key.
    fn find(&self, tx: &mut Tx<'_>, verb: Verb) -> Result<Key, KeyError> {
        let key = rows::find(tx, &self.manager.region, &self.id)?.ok_or(KeyError::NotFound)?;
        access::require(tx, &self.manager.principal, &key.compartment_id, verb)?;
        Ok(key)
    }

    /// Reads the key for a change.
    pub(super) fn open(&self, tx: &mut Tx<'_>, verb: Verb) -> Result<Key, KeyError> {
        let key = self.find(tx, verb)?;
        if key.deleted_at.is_some() {
            return Err(KeyError::Deleted);
        }
        match &self.if_match {
            Some(if_match) if !key.matches(if_match) => Err(KeyError::NoEtagMatch),
            _ => Ok(key),
        }
    }

    /// Records the change in the audit trail.
    pub(super) fn record(
        &self,
        tx: &mut Tx<'_>,
        inference: &Inference,
        action: &'static str,
        detail: &str,
    ) -> Result<(), StoreError> {
        self.manager.record(tx, inference, action, &self.id, detail)
    }

    /// Does the work, once for each retry token. A stored response shows secrets: its caller must
    /// still have the right to the work.
    pub(super) fn once(
        &self,
        tx: &mut Tx<'_>,
        inference: &Inference,
        now: DateTime<Utc>,
        renewed: Option<&str>,
        work: impl FnOnce(&mut Tx<'_>) -> Result<KeyResponse, KeyError>,
    ) -> Result<Option<KeyResponse>, KeyError> {
        let allowed = |tx: &mut Tx<'_>| self.find(tx, Verb::Manage).map(drop);
        match &self.retry {
            Some(retry) => retry.once(tx, &inference.server_keys, now, renewed, allowed, work),
            None => work(tx).map(Some),
        }
    }
}

/// Labels to replace. Absent ones stay.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Tags {
    /// The caller's labels.
    pub freeform: Option<Map<String, Value>>,
    /// Labels under namespaces.
    pub defined: Option<Map<String, Value>>,
}

impl Tags {
    /// Replaces the labels of a key. Returns whether they changed.
    pub(super) fn apply(&self, key: &mut Key) -> bool {
        let freeform = replace(&mut key.freeform_tags, &self.freeform);
        let defined = replace(&mut key.defined_tags, &self.defined);
        freeform || defined
    }
}

/// Replaces a value, if there is a new one. Returns whether it changed.
fn replace<T: Clone + PartialEq>(place: &mut T, value: &Option<T>) -> bool {
    match value {
        Some(value) if value != place => {
            *place = value.clone();
            true
        }
        _ => false,
    }
}

/// Attributes to replace. Absent ones stay.
#[derive(Debug, Clone, Default)]
pub struct Attributes {
    /// The name.
    pub display_name: Option<String>,
    /// The description.
    pub description: Option<String>,
    /// The labels.
    pub tags: Tags,
}

/// Changes the attributes of a key.
///
/// # Errors
///
/// The caller needs [`Verb::Use`].
pub async fn update(
    inference: &Arc<Inference>,
    target: Target,
    attributes: Attributes,
) -> Result<KeyResponse, KeyError> {
    let now = crate::inference::now(inference);
    let context = Arc::clone(inference);
    inference
        .store
        .write(move |tx| {
            let mut key = target.open(tx, Verb::Use)?;
            let renamed = replace(&mut key.display_name, &attributes.display_name);
            let description = attributes.description.clone().map(Some);
            let described = replace(&mut key.description, &description);
            let tagged = attributes.tags.apply(&mut key);
            if renamed || described || tagged {
                rows::update(tx, &mut key, now)?;
                target.record(tx, &context, "inference.key.changed", "")?;
            }
            Ok(KeyResponse::of(key, now))
        })
        .await
}

/// Deletes a key.
///
/// # Errors
///
/// The caller needs [`Verb::Manage`]; a deleted key cannot be deleted again.
pub async fn delete(inference: &Arc<Inference>, target: Target) -> Result<(), KeyError> {
    let now = crate::inference::now(inference);
    let context = Arc::clone(inference);
    inference
        .store
        .write_in_turn(&inference.key_changes, move |tx| {
            let mut key = match target.open(tx, Verb::Manage) {
                Err(KeyError::Deleted) => return Err(KeyError::NotFound),
                opened => opened?,
            };
            key.deleted_at = Some(now);
            rows::update(tx, &mut key, now)?;
            rows::announce_key(tx, &key.id)?;
            Ok(target.record(tx, &context, "inference.key.deleted", "")?)
        })
        .await?;
    inference.admission.invalidate();
    Ok(())
}

/// Moves one secret to another state.
///
/// # Errors
///
/// The caller needs [`Verb::Manage`], and the table of states must allow it.
pub async fn set_state(
    inference: &Arc<Inference>,
    target: Target,
    name: String,
    to: TargetState,
    tags: Tags,
) -> Result<KeyResponse, KeyError> {
    let now = crate::inference::now(inference);
    let context = Arc::clone(inference);
    let response = inference
        .store
        .write_in_turn(&inference.key_changes, move |tx| {
            let inference = &context;
            target.once(tx, inference, now, None, |tx| {
                let mut key = target.open(tx, Verb::Manage)?;
                let index = position(&key, &name)?;
                let secret = &mut key.secrets[index];
                let change = transition(secret.observed(now), to);
                let change = change.map_err(|refusal| KeyError::SecretState {
                    name: name.clone(),
                    refusal,
                })?;
                if let Transition::To(state) = change {
                    secret.enter(state, now);
                    rows::update_secret(tx, &key.id, &key.secrets[index])?;
                    rows::announce_key(tx, &key.id)?;
                    let action = match to {
                        TargetState::Active => "inference.secret.activated",
                        TargetState::Deactivated => "inference.secret.deactivated",
                        TargetState::Revoked => "inference.secret.revoked",
                    };
                    target.record(tx, inference, action, &name)?;
                }
                let tagged = tags.apply(&mut key);
                if tagged || change != Transition::Unchanged {
                    rows::update(tx, &mut key, now)?;
                }
                Ok(KeyResponse::of(key, now))
            })
        })
        .await?;
    inference.admission.invalidate();
    response.ok_or(KeyError::RetryTokenUndone)
}

/// Moves a key to another compartment.
///
/// # Errors
///
/// The caller needs [`Verb::Manage`] in both. The other compartment's quota may be reached, or the
/// limit of its tenancy if that is another one.
pub async fn change_compartment(
    inference: &Arc<Inference>,
    target: Target,
    compartment_id: String,
) -> Result<(), KeyError> {
    let now = crate::inference::now(inference);
    let context = Arc::clone(inference);
    inference
        .store
        .write_in_turn(&inference.key_changes, move |tx| {
            let inference = &context;
            target.once(tx, inference, now, None, |tx| {
                let mut key = target.open(tx, Verb::Manage)?;
                access::require(tx, &target.manager.principal, &compartment_id, Verb::Manage)?;
                if key.compartment_id == compartment_id {
                    return Err(KeyError::AlreadyThere);
                }
                let from = key_quota::tenancy_of(tx, &key.compartment_id)?;
                let to = key_quota::tenancy_of(tx, &compartment_id)?;
                if from != to {
                    key_quota::check_limit(tx, &to, inference.settings().config.key_limit)?;
                }
                key_quota::check_quota(tx, &compartment_id)?;
                let moved = format!("from {} to {compartment_id}", key.compartment_id);
                key.compartment_id.clone_from(&compartment_id);
                rows::update(tx, &mut key, now)?;
                rows::announce_key(tx, &key.id)?;
                target.record(tx, inference, "inference.key.moved", &moved)?;
                Ok(KeyResponse::of(key, now))
            })
        })
        .await?;
    inference.admission.invalidate();
    Ok(())
}

fn position(key: &Key, name: &str) -> Result<usize, KeyError> {
    let mut names = key.secrets.iter().map(|secret| secret.name.as_str());
    names
        .position(|n| n == name)
        .ok_or_else(|| KeyError::NoSuchSecret(name.to_owned()))
}
