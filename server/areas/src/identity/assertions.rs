//! The common rules of assertions that authenticate clients (RFC 7521, section 4.2): signed JWTs
//! ([`jwt`](super::jwt)) and SAML assertions ([`saml`](super::saml)).

use super::CLOCK_SKEW;
use super::clients::{Algorithm, ClientKey};
use super::error::{Refusal, ServerError};
use crate::kernel::expiry;
use crate::params;
use crate::store::{StoreError, Tx};

/// The maximum lifetime of an assertion, in milliseconds.
pub(super) const MAX_LIFETIME: i64 = 3_600_000;

/// The names under which assertions may address this server.
#[derive(Debug, Clone)]
pub struct Audience {
    /// The issuer identifier.
    pub issuer: String,
    /// Address of the token endpoint.
    pub token_endpoint: String,
}

/// The registered keys of a client.
pub(super) fn registered_keys(
    tx: &mut Tx<'_>,
    client_id: &str,
) -> Result<Vec<ClientKey>, ServerError> {
    let rows = tx.query(
        "SELECT kid, x5t, modulus, exponent, algorithm FROM oauth_client_keys WHERE client_id = $1",
        params![client_id],
    )?;
    let mut keys = Vec::new();
    for row in rows {
        keys.push(ClientKey {
            kid: row.get(0)?,
            x5t: row.get(1)?,
            modulus: row.get(2)?,
            exponent: row.get(3)?,
            algorithm: Algorithm::parse(&row.get::<String>(4)?)
                .ok_or(ServerError::Corrupt("algorithm of a client's key"))?,
        });
    }
    Ok(keys)
}

/// Records the assertion as used. Of two requests with the same one, even on different replicas,
/// only one succeeds.
///
/// The record outlives every assertion that the server accepts now, also one that claims a later
/// expiry: the server accepts none that would still be valid [`MAX_LIFETIME`] and [`CLOCK_SKEW`]
/// from now.
pub(super) fn remember(
    tx: &mut Tx<'_>,
    client_id: &str,
    id: &str,
    now: i64,
) -> Result<(), Refusal> {
    let new = tx.execute(
        "INSERT INTO oauth_assertions (client_id, jti, expires_at) VALUES ($1, $2, $3) \
         ON CONFLICT (client_id, jti) DO NOTHING",
        params![client_id, id, now + MAX_LIFETIME + CLOCK_SKEW],
    )?;
    match new {
        0 => Err(Refusal::InvalidClient(
            "the assertion has been used before".into(),
        )),
        _ => Ok(()),
    }
}

/// Deletes a batch of the assertions that have expired by every replica's clock. Returns their
/// number.
pub fn sweep(tx: &mut Tx<'_>, now: i64) -> Result<u64, StoreError> {
    let key = "client_id, jti";
    expiry::delete(tx, "oauth_assertions", key, "expires_at", now - CLOCK_SKEW)
}
