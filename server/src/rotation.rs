//! Replacing the server key while everything goes on.
//!
//! A key is added beside the one in use, and promoted when every replica holds it.
//! What is hashed from then on names the new key; what was hashed before is known
//! by the old one until that is retired. By then:
//!
//! | what | why it needs the old key no longer |
//! |---|---|
//! | secrets of API keys and of clients | hashed anew when they are next used; else renewed |
//! | refresh tokens | replaced by each use; else expired |
//! | sessions, device and user codes, password links | expired |
//! | retry tokens, idempotency keys | forgotten, after a day and after a week |
//! | signing keys | encrypted anew when the old key is retired |
//! | events of the audit trail | sealed under the key of their time, which stays for that alone |
//! | CSRF tokens, passkey ceremonies | in forms that are open for minutes; not counted |
//! | counts of wrong passwords by name | begin anew under the new key |

use crate::identity::keys::{KeyError, KeyRing};
use crate::inference::keys::rows::announce_change;
use crate::kernel::keyring::{self, Promoted, replicas};
use crate::kernel::server_keys::KeyName;
use crate::params;
use crate::store::{StoreError, Tx};

/// What is stored as a keyed hash, and good at a moment (`$2`).
const STORED: [(&str, &str); 10] = [
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
];

/// The kind that retiring takes care of.
const RESEALED: &str = "signing keys";

/// How many of one kind need a key.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Need {
    /// What it is, in words.
    pub kind: &'static str,
    /// How many.
    pub count: i64,
}

/// What is stored under a key and still good: the kinds of which there is any.
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

/// Why the keys stay as they are.
#[derive(Debug, Clone, thiserror::Error)]
pub enum RotationError {
    /// A key that was never here.
    #[error("there is no server key {0}; `keyring list` lists them")]
    Unknown(KeyName),
    /// It is, or was, the current one.
    #[error("{0} is not newer than the current server key; `keyring add` makes one")]
    NotNew(KeyName),
    /// What is in use cannot be retired.
    #[error("{0} is the current server key: promote another one first")]
    Current(KeyName),
    /// It is retired already.
    #[error("{0} is retired already")]
    Retired(KeyName),
    /// Some replicas are not ready.
    #[error("{count} of {all} running replicas {what}: try again when they do, or add --force")]
    Replicas {
        /// How many.
        count: usize,
        /// Out of how many.
        all: usize,
        /// What they do not do yet.
        what: &'static str,
    },
    /// Something would be refused.
    #[error(
        "{key} is still needed by {needs}: what expires will expire, secrets are hashed anew \
             when they are used; add --force to make all of it worth nothing now"
    )]
    Needed {
        /// The key.
        key: KeyName,
        /// By what.
        needs: String,
    },
    /// A signing key could not be encrypted anew.
    #[error(transparent)]
    Signing(#[from] KeyError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Makes a key the current one, if all running replicas hold it.
///
/// # Errors
///
/// Why not. `force` leaves replicas behind that do not hold it.
pub fn promote(tx: &mut Tx<'_>, key: KeyName, force: bool, now: i64) -> Result<(), RotationError> {
    let known = keyring::promoted(tx)?;
    if known.iter().any(|one| one.name == key) {
        return Err(RotationError::NotNew(key));
    }
    let replicas = replicas::list(tx, now)?;
    let without = replicas.iter().filter(|one| !one.held.contains(&key));
    refuse_some(without.count(), replicas.len(), "do not hold it yet", force)?;
    keyring::promote(tx, key, now)?;
    // What is in memory is compared with what is stored from here on.
    Ok(announce_change(tx)?)
}

/// Makes a key worth nothing, if nothing needs it. Signing keys are encrypted
/// under the current one.
///
/// # Errors
///
/// Why not. `force` retires it whatever needs it.
pub fn retire(
    tx: &mut Tx<'_>,
    signing: &KeyRing,
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

/// Needs, for people. What retiring takes care of is left out.
pub fn in_words(needs: &[Need]) -> String {
    let needs = needs.iter().filter(|need| need.kind != RESEALED);
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
