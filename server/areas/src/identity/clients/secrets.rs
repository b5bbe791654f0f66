//! Secrets of confidential clients: 256 random bits, stored as keyed hashes.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use subtle::ConstantTimeEq;

use crate::kernel::{Mac, ServerKeys};
use crate::params;
use crate::store::{StoreError, Tx};

const PURPOSE: &str = "identity client secret";

/// Makes a secret from 32 random bytes. It is shown once and stored as its keyed hash.
pub fn secret_of(random: &[u8; 32]) -> String {
    format!("cs_{}", URL_SAFE_NO_PAD.encode(random))
}

/// Adds a secret to a confidential client. Its other secrets stay valid.
pub fn add_secret(
    tx: &mut Tx<'_>,
    server_keys: &ServerKeys,
    client_id: &str,
    secret: &str,
    now: i64,
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO oauth_client_secrets (client_id, mac, created_at) VALUES ($1, $2, $3) \
         ON CONFLICT (client_id, mac) DO NOTHING",
        params![client_id, server_keys.mac(PURPOSE, secret.as_bytes()), now],
    )?;
    Ok(())
}

/// Whether one of these is a secret of the client. The caller makes the hashes before any query, so
/// that an unknown client takes as long. A secret that is stored under an older server key is
/// rehashed under the current one.
pub(super) fn is_secret_of(
    tx: &mut Tx<'_>,
    server_keys: &ServerKeys,
    client_id: &str,
    macs: &[Mac],
) -> Result<bool, StoreError> {
    let rows = tx.query(
        "SELECT mac FROM oauth_client_secrets WHERE client_id = $1",
        params![client_id],
    )?;
    let mut found: Option<Vec<u8>> = None;
    for row in rows {
        let stored: Vec<u8> = row.get(0)?;
        let mut matches = subtle::Choice::from(0);
        for mac in macs {
            matches |= stored.ct_eq(mac);
        }
        if bool::from(matches) {
            found = Some(stored);
        }
    }
    match (&found, macs.first()) {
        (Some(stored), Some(current)) if server_keys.is_outdated(stored) => {
            tx.execute(
                "UPDATE oauth_client_secrets SET mac = $3 WHERE client_id = $1 AND mac = $2",
                params![client_id, stored, current],
            )?;
        }
        _ => {}
    }
    Ok(found.is_some())
}

/// Whether a client has this secret.
pub fn has_secret(
    tx: &mut Tx<'_>,
    server_keys: &ServerKeys,
    client_id: &str,
    secret: &str,
) -> Result<bool, StoreError> {
    is_secret_of(tx, server_keys, client_id, &macs(server_keys, secret))
}

/// The time at which the newest secret of a client was added, in Unix milliseconds; `None` if it
/// has none.
pub fn newest_secret(tx: &mut Tx<'_>, client_id: &str) -> Result<Option<i64>, StoreError> {
    let row = tx.query_opt(
        "SELECT MAX(created_at) FROM oauth_client_secrets WHERE client_id = $1",
        params![client_id],
    )?;
    row.map_or(Ok(None), |row| row.get(0))
}

/// The keyed hashes that may be stored for a secret.
pub(super) fn macs(server_keys: &ServerKeys, secret: &str) -> Vec<Mac> {
    server_keys.macs(PURPOSE, secret.as_bytes())
}
