//! Secrets of confidential clients: 256 random bits, stored as keyed hashes.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use subtle::ConstantTimeEq;

use crate::kernel::Pepper;
use crate::params;
use crate::store::{StoreError, Tx};

/// Makes a secret out of 32 random bytes. It is shown once and stored as its
/// keyed hash.
pub fn secret_of(random: &[u8; 32]) -> String {
    format!("cs_{}", URL_SAFE_NO_PAD.encode(random))
}

/// Adds a secret to a confidential client. It keeps those it has.
///
/// # Errors
///
/// When the store fails.
pub fn add_secret(
    tx: &mut Tx<'_>,
    pepper: &Pepper,
    client_id: &str,
    secret: &str,
    now: i64,
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO oauth_client_secrets (client_id, mac, created_at) VALUES ($1, $2, $3) \
         ON CONFLICT (client_id, mac) DO NOTHING",
        params![client_id, mac(pepper, secret), now],
    )?;
    Ok(())
}

/// Whether this is one of the client's secrets. The hash is made by the caller,
/// before anything is looked up: an unknown client takes as long.
pub(super) fn is_secret_of(
    tx: &mut Tx<'_>,
    client_id: &str,
    mac: &[u8; 32],
) -> Result<bool, StoreError> {
    let rows = tx.query(
        "SELECT mac FROM oauth_client_secrets WHERE client_id = $1",
        params![client_id],
    )?;
    let mut matches = subtle::Choice::from(0);
    for row in rows {
        let stored: Vec<u8> = row.get(0)?;
        matches |= stored.ct_eq(mac);
    }
    Ok(bool::from(matches))
}

/// The keyed hash under which a secret is stored.
pub(super) fn mac(pepper: &Pepper, secret: &str) -> [u8; 32] {
    pepper.mac("identity client secret", secret.as_bytes())
}
