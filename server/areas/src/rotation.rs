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
use crate::kernel::keyring;
use crate::kernel::keyring::replicas::{self, Replica};
use crate::kernel::server_keys::KeyName;
use crate::params;
use crate::store::{StoreError, Tx};

/// The statements that count the rows of one kind with the key `$1` that are valid at the time `$2`.
const NEEDS: [&str; 11] = [
    "SELECT 'secrets of API keys', COUNT(*) FROM inference_secrets s \
     JOIN inference_keys k ON k.id = s.key_id \
     WHERE SUBSTR(s.digest, 1, 4) = $1 AND s.state <> 'REVOKED' AND s.expires_at > $2 \
     AND k.deleted_at IS NULL",
    "SELECT 'client secrets', COUNT(*) FROM oauth_client_secrets \
     WHERE SUBSTR(mac, 1, 4) = $1 AND created_at <= $2",
    "SELECT 'refresh tokens', COUNT(*) FROM refresh_tokens \
     WHERE SUBSTR(mac, 1, 4) = $1 AND expires_at > $2",
    "SELECT 'device codes', COUNT(*) FROM device_grants \
     WHERE SUBSTR(device_mac, 1, 4) = $1 AND expires_at > $2",
    "SELECT 'sessions', COUNT(*) FROM sessions WHERE SUBSTR(mac, 1, 4) = $1 AND expires_at > $2",
    "SELECT 'password links', COUNT(*) FROM password_tokens \
     WHERE SUBSTR(token_mac, 1, 4) = $1 AND used_at IS NULL AND expires_at > $2",
    "SELECT 'retry tokens', COUNT(*) FROM inference_retries \
     WHERE SUBSTR(token_mac, 1, 4) = $1 AND created_at + 86400000 > $2",
    "SELECT 'idempotency keys', COUNT(*) FROM idempotency_keys \
     WHERE SUBSTR(key_mac, 1, 4) = $1 AND created_at + 604800000 > $2",
    "SELECT 'signing keys', COUNT(*) FROM signing_keys \
     WHERE SUBSTR(sealed, 1, 4) = $1 AND created_at <= $2",
    "SELECT 'events to be sealed', COUNT(*) FROM audit_trail \
     WHERE number IS NULL AND SUBSTR(seal, 1, 4) = $1 AND at <= $2",
    "SELECT 'anchors of the audit trail', COUNT(*) FROM audit_anchor \
     WHERE SUBSTR(mac, 1, 4) = $1 AND at <= $2",
];

/// The kinds that retirement itself renews.
const RENEWED: [&str; 2] = ["signing keys", "anchors of the audit trail"];

/// The number of rows of one kind that need a key.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Need {
    /// The name of the kind.
    pub kind: String,
    /// The number of rows.
    pub count: i64,
}

/// The kinds of stored data that still need a key.
pub fn needs(tx: &mut Tx<'_>, key: KeyName, now: i64) -> Result<Vec<Need>, StoreError> {
    let mut needs = Vec::new();
    for sql in NEEDS {
        for row in tx.query(sql, params![key.as_bytes(), now])? {
            let (kind, count) = (row.get(0)?, row.get(1)?);
            needs.push(Need { kind, count });
        }
    }
    needs.retain(|need: &Need| need.count > 0);
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
    /// Some replicas are not ready: their number, the number of all, and the missing step.
    #[error("{0} of {1} running replicas {2}: try again later, or add --force")]
    Replicas(usize, usize, &'static str),
    /// Stored data still needs the key.
    #[error(
        "{0} is still needed by {1}: expiring data will expire, secrets are rehashed \
             when they are used; add --force to invalidate all of it now"
    )]
    Needed(KeyName, String),
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
    if !force {
        let current = known.last().map(|one| one.name);
        let missing = "do not have it behind the current key yet";
        require_replicas(tx, now, missing, |one| one.has_behind(current, key))?;
    }
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
    let found = found.ok_or(RotationError::Unknown(key))?;
    if found.retired_at.is_some() {
        return Err(RotationError::Retired(key));
    }
    if known.last() == Some(found) {
        return Err(RotationError::Current(key));
    }
    if !force {
        require_replicas(tx, now, "still use it", |one| one.uses != key)?;
    }
    signing.reseal(tx)?;
    audit::reseal(tx, server_keys)?;
    let needs = needs(tx, key, now)?;
    if !needs.is_empty() && !force {
        return Err(RotationError::Needed(key, in_words(&needs)));
    }
    keyring::retire(tx, key, now)?;
    Ok(announce_change(tx)?)
}

/// The needs, for people, without those that retirement itself removes.
pub fn in_words(needs: &[Need]) -> String {
    let needs = needs.iter();
    let needs = needs.filter(|need| !RENEWED.contains(&need.kind.as_str()));
    let words: Vec<_> = needs
        .map(|need| format!("{} {}", need.count, need.kind))
        .collect();
    match words.is_empty() {
        true => "nothing".to_owned(),
        false => words.join(", "),
    }
}

/// Requires that all running replicas are ready for a step. `missing` is what the others lack.
fn require_replicas(
    tx: &mut Tx<'_>,
    now: i64,
    missing: &'static str,
    is_ready: impl Fn(&Replica) -> bool,
) -> Result<(), RotationError> {
    let all = replicas::list(tx, now)?;
    match all.iter().filter(|one| !is_ready(one)).count() {
        0 => Ok(()),
        count => Err(RotationError::Replicas(count, all.len(), missing)),
    }
}
