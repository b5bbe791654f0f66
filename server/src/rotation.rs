//! Replaces the server key while the service runs.
//!
//! An operator adds a key beside the one in use, and promotes it when every replica has it. New
//! hashes name the new key. The old key verifies older hashes until it is retired. By then:
//!
//! | data | why it no longer needs the old key |
//! |---|---|
//! | secrets of API keys and of clients | rehashed at their next use; else renewed |
//! | refresh tokens | replaced by each use; else expired |
//! | sessions, device and user codes, password links | expired |
//! | retry tokens, idempotency keys | deleted, after a day and after a week |
//! | signing keys | re-encrypted when the old key is retired |
//! | events of the audit trail | sealed under the key of their time, which stays for that alone |
//! | the anchor of the audit trail | hashed under the current key when the old key is retired |
//! | CSRF tokens, passkey ceremonies | in forms that are open for minutes; not counted |
//! | counts of wrong passwords by name | restart under the new key |

use crate::audit;
use crate::identity::keys::{KeyError, SigningKeys};
use crate::inference::keys::rows::announce_change;
use crate::kernel::ServerKeys;
use crate::kernel::keyring::{self, Promoted, replicas};
use crate::kernel::server_keys::KeyName;
use crate::params;
use crate::store::{StoreError, Tx};

/// The tables with keyed hashes, with the condition under which a row is valid at a time (`$2`).
const STORED: [(&str, &str); 11] = [
    (
        "secrets of API keys",
        "inference_secrets s JOIN inference_keys k ON k.id = s.key_id \
         WHERE SUBSTR(s.digest, 1, 4) = $1 AND s.state <> 'REVOKED' AND s.expires_at > $2 \
         AND k.deleted_at IS NULL",
    ),
    (
        "client secrets",
        "oauth_client_secrets WHERE SUBSTR(mac, 1, 4) = $1 AND created_at <= $2",
    ),
    (
        "refresh tokens",
        "refresh_tokens WHERE SUBSTR(mac, 1, 4) = $1 AND expires_at > $2",
    ),
    (
        "device codes",
        "device_grants WHERE SUBSTR(device_mac, 1, 4) = $1 AND expires_at > $2",
    ),
    (
        "sessions",
        "sessions WHERE SUBSTR(mac, 1, 4) = $1 AND expires_at > $2",
    ),
    (
        "password links",
        "password_tokens WHERE SUBSTR(token_mac, 1, 4) = $1 AND used_at IS NULL AND expires_at > $2",
    ),
    (
        "retry tokens",
        "inference_retries WHERE SUBSTR(token_mac, 1, 4) = $1 AND created_at + 86400000 > $2",
    ),
    (
        "idempotency keys",
        "idempotency_keys WHERE SUBSTR(key_mac, 1, 4) = $1 AND created_at + 604800000 > $2",
    ),
    (
        "signing keys",
        "signing_keys WHERE SUBSTR(sealed, 1, 4) = $1 AND created_at <= $2",
    ),
    (
        "events to be sealed",
        "audit_trail WHERE number IS NULL AND SUBSTR(seal, 1, 4) = $1 AND at <= $2",
    ),
    (
        "anchors of the audit trail",
        "audit_anchor WHERE SUBSTR(mac, 1, 4) = $1 AND at <= $2",
    ),
];

/// The kinds that retirement itself renews.
const RENEWED: [&str; 2] = ["signing keys", "anchors of the audit trail"];

/// The number of rows of one kind that need a key.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Need {
    /// The name of the kind.
    pub kind: &'static str,
    /// The number of rows.
    pub count: i64,
}

/// The kinds of stored data that still need a key.
///
/// # Errors
///
/// When the store fails.
pub fn needs(tx: &mut Tx<'_>, key: KeyName, now: i64) -> Result<Vec<Need>, StoreError> {
    let mut needs = Vec::new();
    for (kind, rows) in STORED {
        let sql = format!("SELECT COUNT(*) FROM {rows}");
        let row = tx.query_opt(&sql, params![key.as_bytes(), now])?;
        let count = row.map_or(Ok(0), |row| row.get(0))?;
        if count > 0 {
            needs.push(Need { kind, count });
        }
    }
    Ok(needs)
}

/// Why the keys remain unchanged.
#[derive(Debug, Clone, thiserror::Error)]
pub enum RotationError {
    /// The key was never available.
    #[error("there is no server key {0}; `server-keys list` lists them")]
    Unknown(KeyName),
    /// The key is, or was, the current one.
    #[error("{0} is not newer than the current server key; add a key with `server-keys add`")]
    NotNew(KeyName),
    /// The current key cannot be retired.
    #[error("{0} is the current server key: promote another one first")]
    Current(KeyName),
    /// The key is retired already.
    #[error("{0} is retired already")]
    Retired(KeyName),
    /// Some replicas are not ready.
    #[error("{count} of {all} running replicas {what}: try again later, or add --force")]
    Replicas {
        /// The number of these replicas.
        count: usize,
        /// The number of all replicas.
        all: usize,
        /// The missing step.
        what: &'static str,
    },
    /// Stored data still needs the key.
    #[error(
        "{key} is still needed by {needs}: expiring data will expire, secrets are rehashed \
             when they are used; add --force to invalidate all of it now"
    )]
    Needed {
        /// The key.
        key: KeyName,
        /// The data.
        needs: String,
    },
    /// A signing key could not be re-encrypted.
    #[error(transparent)]
    Signing(#[from] KeyError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Promotes a key, if all running replicas have it.
///
/// # Errors
///
/// Why not. With `force`, replicas that lack the key do not matter.
pub fn promote(tx: &mut Tx<'_>, key: KeyName, force: bool, now: i64) -> Result<(), RotationError> {
    let known = keyring::promoted(tx)?;
    if known.iter().any(|one| one.name == key) {
        return Err(RotationError::NotNew(key));
    }
    let replicas = replicas::list(tx, now)?;
    let without = replicas.iter().filter(|one| !one.held.contains(&key));
    refuse_some(without.count(), replicas.len(), "do not have it yet", force)?;
    keyring::promote(tx, key, now)?;
    // From here on, the keys in memory are compared with the stored ones.
    Ok(announce_change(tx)?)
}

/// Retires a key, if no stored data needs it. Re-encrypts signing keys under the current one, and
/// renews the anchor of the audit trail.
///
/// # Errors
///
/// Why not. With `force`, the key is retired even if data needs it.
pub fn retire(
    tx: &mut Tx<'_>,
    signing: &SigningKeys,
    server_keys: &ServerKeys,
    key: KeyName,
    force: bool,
    now: i64,
) -> Result<(), RotationError> {
    let known = keyring::promoted(tx)?;
    let found = known.iter().find(|one| one.name == key);
    match found.ok_or(RotationError::Unknown(key))? {
        Promoted {
            retired_at: Some(_),
            ..
        } => return Err(RotationError::Retired(key)),
        one if known.last() == Some(one) => return Err(RotationError::Current(key)),
        _ => {}
    }
    let replicas = replicas::list(tx, now)?;
    let behind = replicas.iter().filter(|one| one.uses == key);
    refuse_some(behind.count(), replicas.len(), "still use it", force)?;
    signing.reseal(tx)?;
    audit::reseal(tx, server_keys)?;
    let needs = needs(tx, key, now)?;
    if !needs.is_empty() && !force {
        return Err(RotationError::Needed {
            key,
            needs: in_words(&needs),
        });
    }
    keyring::retire(tx, key, now)?;
    Ok(announce_change(tx)?)
}

/// The needs, for people, without those that retirement itself removes.
pub fn in_words(needs: &[Need]) -> String {
    let needs = needs.iter().filter(|need| !RENEWED.contains(&need.kind));
    let words: Vec<_> = needs
        .map(|need| format!("{} {}", need.count, need.kind))
        .collect();
    match words.is_empty() {
        true => "nothing".to_owned(),
        false => words.join(", "),
    }
}

fn refuse_some(
    count: usize,
    all: usize,
    what: &'static str,
    force: bool,
) -> Result<(), RotationError> {
    match count > 0 && !force {
        true => Err(RotationError::Replicas { count, all, what }),
        false => Ok(()),
    }
}
