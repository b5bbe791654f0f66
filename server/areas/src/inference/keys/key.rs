//! An API key and its secrets, for the rest of the area.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::secrets::{Digest, PlainSecret};
use super::state::{SecretState, StoredState};

/// An API key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Key {
    /// `apikey.<region>.<unique>`
    pub id: String,
    /// Its region.
    pub region: String,
    /// Its compartment.
    pub compartment_id: String,
    /// Its name, which need not be unique.
    pub display_name: String,
    /// Its description.
    pub description: Option<String>,
    /// The caller's labels.
    pub freeform_tags: Map<String, Value>,
    /// Labels under namespaces.
    pub defined_tags: Map<String, Value>,
    /// Its version, which counts its changes.
    pub version: i64,
    /// The time of its creation.
    pub created_at: DateTime<Utc>,
    /// The time of its last change.
    pub updated_at: DateTime<Utc>,
    /// The time of its deletion, if it was deleted.
    pub deleted_at: Option<DateTime<Utc>>,
    /// One or two secrets.
    pub secrets: Vec<Secret>,
}

/// One secret of a key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Secret {
    /// Its name, unique in its key.
    pub name: String,
    /// The public part of the plain value, which finds it.
    pub public_id: String,
    /// Keyed hash of the plain value. A stored response does not contain it.
    #[serde(skip, default = "no_digest")]
    pub digest: Digest,
    /// The first and last characters of the plain value.
    pub mask: String,
    /// The state in the database.
    pub state: StoredState,
    /// The time at which the present value was made.
    pub created_at: DateTime<Utc>,
    /// The expiry of the present value.
    pub expires_at: DateTime<Utc>,
    /// The time of its last activation.
    pub activated_at: Option<DateTime<Utc>>,
    /// The time of its last deactivation.
    pub deactivated_at: Option<DateTime<Utc>>,
    /// The time of its revocation.
    pub revoked_at: Option<DateTime<Utc>>,
    /// The time of the last model call with it.
    pub last_used_at: Option<DateTime<Utc>>,
}

fn no_digest() -> Digest {
    [0; size_of::<Digest>()]
}

impl Secret {
    /// The state that callers see at `now`.
    pub fn observed(&self, now: DateTime<Utc>) -> SecretState {
        self.state.observed(self.expires_at, now)
    }

    /// Puts the secret into a state, as of `now`.
    pub fn enter(&mut self, state: StoredState, now: DateTime<Utc>) {
        self.state = state;
        match state {
            StoredState::Standby => {}
            StoredState::Active => self.activated_at = Some(now),
            StoredState::Deactivated => self.deactivated_at = Some(now),
            StoredState::Revoked => self.revoked_at = Some(now),
        }
    }
}

/// The state of a key as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LifecycleState {
    /// At least one secret is active.
    Active,
    /// No secret is active.
    Inactive,
    /// Deleted permanently.
    Deleted,
}

impl Key {
    /// The state at `now`.
    pub fn lifecycle(&self, now: DateTime<Utc>) -> LifecycleState {
        let active = |secret: &Secret| secret.observed(now) == SecretState::Active;
        if self.deleted_at.is_some() {
            LifecycleState::Deleted
        } else if self.secrets.iter().any(active) {
            LifecycleState::Active
        } else {
            LifecycleState::Inactive
        }
    }

    /// The entity tag of the present version (RFC 9110, section 8.8.3).
    pub fn etag(&self) -> String {
        format!("\"{}\"", self.version)
    }

    /// Whether an `If-Match` value allows a change of this version (RFC 9110,
    /// section 13.1.1: strong comparison, so weak tags never match).
    pub fn matches(&self, if_match: &str) -> bool {
        let etag = self.etag();
        if_match
            .split(',')
            .map(str::trim)
            .any(|tag| tag == "*" || tag == etag)
    }
}

/// The result of an operation: a key and, after create and renew, the plain values of new secrets
/// by their names.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyResponse {
    /// The key as it is after the operation.
    pub key: Key,
    /// The time of this state of the key.
    pub at: DateTime<Utc>,
    /// New secrets, to be shown once.
    pub shown: Vec<(String, PlainSecret)>,
}

impl KeyResponse {
    /// A result that shows no secret.
    pub fn of(key: Key, at: DateTime<Utc>) -> KeyResponse {
        KeyResponse {
            key,
            at,
            shown: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(version: i64) -> Key {
        Key {
            id: "apikey.local.x".into(),
            region: "local".into(),
            compartment_id: "compartment.demo".into(),
            display_name: "x".into(),
            description: None,
            freeform_tags: Map::new(),
            defined_tags: Map::new(),
            version,
            created_at: DateTime::UNIX_EPOCH,
            updated_at: DateTime::UNIX_EPOCH,
            deleted_at: None,
            secrets: Vec::new(),
        }
    }

    #[test]
    fn if_match_takes_lists_and_the_star_but_no_weak_tag() {
        let key = key(3);
        for good in ["\"3\"", "*", "\"1\", \"3\"", " \"3\" "] {
            assert!(key.matches(good), "{good}");
        }
        for bad in ["\"2\"", "W/\"3\"", "3", "", "\"33\""] {
            assert!(!key.matches(bad), "{bad}");
        }
    }
}
