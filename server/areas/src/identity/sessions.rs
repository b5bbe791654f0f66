//! Sessions of the pages: a random text in a cookie, its keyed hash in the
//! database.
//!
//! The cookie exists before anyone has signed in, because the sign-in form needs a CSRF token too.
//! At sign-in it becomes a session, with a new value. The CSRF token is a keyed hash of the cookie.
//! It is bound to the cookie, and not stored.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::sighting::Sighting;
use super::users::User;
use crate::kernel::expiry;
use crate::kernel::{Mac, ServerKeys, server_keys};
use crate::params;
use crate::store::{Row, StoreError, Tx};

/// The purpose of the keyed hashes under which sessions are stored.
const PURPOSE: &str = "identity session";
/// The purpose of CSRF tokens.
const CSRF_PURPOSE: &str = "identity csrf token";
/// The time after signing in, in milliseconds, within which a user may grant lasting access without
/// authenticating again.
pub const FRESH: i64 = 300_000;

/// The value of a cookie: 256 random bits in base64url.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionKey(String);

impl SessionKey {
    /// A new key from a random text.
    pub fn new(random: String) -> SessionKey {
        SessionKey(random)
    }

    /// The key of a cookie, if it is well-formed.
    pub fn parse(value: &str) -> Option<SessionKey> {
        let bytes = URL_SAFE_NO_PAD.decode(value).ok()?;
        (bytes.len() == 32).then(|| SessionKey(value.to_owned()))
    }

    /// The value of the cookie.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The keyed hash under which a new session is stored.
    pub fn mac(&self, server_keys: &ServerKeys) -> Mac {
        server_keys.mac(PURPOSE, self.0.as_bytes())
    }

    /// The keyed hashes that may be stored for it.
    pub fn macs(&self, server_keys: &ServerKeys) -> Vec<Mac> {
        server_keys.macs(PURPOSE, self.0.as_bytes())
    }

    /// The CSRF token of forms for this browser.
    pub fn csrf_token(&self, server_keys: &ServerKeys) -> String {
        URL_SAFE_NO_PAD.encode(server_keys.mac(CSRF_PURPOSE, self.0.as_bytes()))
    }

    /// Whether the CSRF token of a form was made for this browser.
    pub fn owns(&self, server_keys: &ServerKeys, csrf_token: &str) -> bool {
        let Ok(token) = URL_SAFE_NO_PAD.decode(csrf_token) else {
            return false;
        };
        server_keys.accepts(&token, CSRF_PURPOSE, self.0.as_bytes())
    }
}

/// Omits the key.
impl std::fmt::Debug for SessionKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SessionKey(…)")
    }
}

/// The credential of a sign-in.
#[derive(Clone)]
pub enum Proof {
    /// The password of this stored hash.
    Password(String),
    /// The passkey of this identifier.
    Passkey(Vec<u8>),
}

impl Proof {
    /// The name of its kind in the audit trail.
    pub fn word(&self) -> &'static str {
        match self {
            Proof::Password(_) => "password",
            Proof::Passkey(_) => "passkey",
        }
    }

    /// Whether it is still valid: it may have been replaced since its check.
    fn is_valid(&self, tx: &mut Tx<'_>, user_id: &str) -> Result<bool, StoreError> {
        match self {
            Proof::Password(hash) => tx.exists(
                "SELECT 1 FROM hub_users WHERE id = $1 AND password_hash = $2",
                params![user_id, hash],
            ),
            Proof::Passkey(id) => tx.exists(
                "SELECT 1 FROM passkeys WHERE user_id = $1 AND credential_id = $2",
                params![user_id, id.clone()],
            ),
        }
    }
}

/// A session before it starts.
#[derive(Clone)]
pub struct NewSession {
    /// The keyed hash of its cookie.
    pub mac: Mac,
    /// The user who has signed in.
    pub user_id: String,
    /// The credential with which the user has signed in.
    pub proof: Proof,
    /// The request that starts it.
    pub seen: Sighting,
    /// The expiry of the session, in Unix milliseconds.
    pub expires_at: i64,
}

/// Starts a session. Returns false if the password or passkey was replaced or removed since its
/// check, or the user was disabled, because that ends all sessions.
pub fn start(tx: &mut Tx<'_>, new: &NewSession) -> Result<bool, StoreError> {
    let is_enabled = User::by_id(tx, &new.user_id)?.is_some();
    if !is_enabled || !new.proof.is_valid(tx, &new.user_id)? {
        return Ok(false);
    }
    let passkey = match &new.proof {
        Proof::Password(_) => None,
        Proof::Passkey(id) => Some(id.clone()),
    };
    tx.execute(
        "INSERT INTO sessions (mac, user_id, passkey_id, origin, created_at, expires_at, \
         user_agent, seen_from, seen_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $4, $5)",
        params![
            new.mac,
            &new.user_id,
            passkey,
            &new.seen.origin,
            new.seen.at,
            new.expires_at,
            new.seen.user_agent.as_deref(),
        ],
    )?;
    Ok(true)
}

/// Whether the user of a valid session has signed in within [`FRESH`] before `now`, in Unix
/// milliseconds.
pub fn is_fresh(tx: &mut Tx<'_>, mac: Mac, now: i64) -> Result<bool, StoreError> {
    tx.exists(
        "SELECT 1 FROM sessions WHERE mac = $1 AND expires_at > $2 AND created_at > $3",
        params![mac, now, now - FRESH],
    )
}

/// A valid session.
#[derive(Debug, Clone)]
pub struct Found {
    /// The keyed hash under which it is stored.
    pub mac: Mac,
    /// The user.
    pub user: User,
    /// The request that was recorded last.
    pub seen: Sighting,
}

/// The session under one of these keyed hashes that is valid at `now`, in Unix milliseconds.
pub fn find(tx: &mut Tx<'_>, macs: &[Mac], now: i64) -> Result<Option<Found>, StoreError> {
    server_keys::find(macs, |mac| {
        let row = tx.query_opt(
            "SELECT user_id, user_agent, COALESCE(seen_from, origin), \
             COALESCE(seen_at, created_at) FROM sessions WHERE mac = $1 AND expires_at > $2",
            params![mac, now],
        )?;
        let Some(row) = row else { return Ok(None) };
        let user = User::by_id(tx, &row.get::<String>(0)?)?;
        let seen = sighting(&row, 1)?;
        Ok(user.map(|user| Found {
            mac: *mac,
            user,
            seen,
        }))
    })
}

/// Reads the columns of a sighting, which begin at `first`.
fn sighting(row: &Row, first: usize) -> Result<Sighting, StoreError> {
    Ok(Sighting {
        user_agent: row.get(first)?,
        origin: row.get(first + 1)?,
        at: row.get(first + 2)?,
    })
}

/// Records a request of a session, in place of the one that was recorded last.
pub fn see(tx: &mut Tx<'_>, mac: Mac, seen: &Sighting) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE sessions SET user_agent = $2, seen_from = $3, seen_at = $4 WHERE mac = $1",
        params![mac, seen.user_agent.as_deref(), &seen.origin, seen.at],
    )?;
    Ok(())
}

/// Ends a session.
pub fn end(tx: &mut Tx<'_>, mac: Mac) -> Result<(), StoreError> {
    tx.execute("DELETE FROM sessions WHERE mac = $1", params![mac])?;
    Ok(())
}

/// Ends every session of a user. Returns their number.
pub fn end_all(tx: &mut Tx<'_>, user_id: &str) -> Result<u64, StoreError> {
    tx.execute("DELETE FROM sessions WHERE user_id = $1", params![user_id])
}

/// Ends every session of a user but one. Returns their number.
pub fn end_others(tx: &mut Tx<'_>, user_id: &str, mac: Mac) -> Result<u64, StoreError> {
    tx.execute(
        "DELETE FROM sessions WHERE user_id = $1 AND mac <> $2",
        params![user_id, mac],
    )
}

/// Ends the sessions that began with a passkey. Returns their number.
pub fn end_of_passkey(tx: &mut Tx<'_>, user_id: &str, passkey: &[u8]) -> Result<u64, StoreError> {
    tx.execute(
        "DELETE FROM sessions WHERE user_id = $1 AND passkey_id = $2",
        params![user_id, passkey.to_vec()],
    )
}

/// A session, for its user and for operators.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Listing {
    /// The identifier: the end of the keyed hash of the cookie, which does not reveal the cookie.
    pub id: String,
    /// The user.
    pub user_id: String,
    /// The name that the user signs in with.
    pub email: String,
    /// The address from which the user signed in.
    pub origin: String,
    /// The start, in Unix milliseconds.
    pub created_at: i64,
    /// The expiry, in Unix milliseconds.
    pub expires_at: i64,
    /// The request that was recorded last.
    pub seen: Sighting,
}

/// The columns of a list, of the tables of sessions and users.
const LISTED: &str = "s.mac, s.user_id, u.email_address, s.origin, s.created_at, s.expires_at, \
    s.user_agent, COALESCE(s.seen_from, s.origin), COALESCE(s.seen_at, s.created_at)";

/// The identifier of a session in a list.
pub fn id_of(mac: &[u8]) -> String {
    base16ct::lower::encode_string(&mac[mac.len().saturating_sub(8)..])
}

/// The valid sessions, by user, the newest first.
pub fn list(tx: &mut Tx<'_>, now: i64) -> Result<Vec<Listing>, StoreError> {
    let sql = format!(
        "SELECT {LISTED} FROM sessions s JOIN hub_users u ON u.id = s.user_id \
         WHERE s.expires_at > $1 ORDER BY u.email, s.created_at DESC"
    );
    let rows = tx.query(&sql, params![now])?;
    rows.iter().map(listing).collect()
}

/// The valid sessions of a user, the newest first.
pub fn list_of(tx: &mut Tx<'_>, user_id: &str, now: i64) -> Result<Vec<Listing>, StoreError> {
    let sql = format!(
        "SELECT {LISTED} FROM sessions s JOIN hub_users u ON u.id = s.user_id \
         WHERE s.user_id = $1 AND s.expires_at > $2 ORDER BY s.created_at DESC"
    );
    let rows = tx.query(&sql, params![user_id, now])?;
    rows.iter().map(listing).collect()
}

fn listing(row: &Row) -> Result<Listing, StoreError> {
    let mac: Vec<u8> = row.get(0)?;
    Ok(Listing {
        id: id_of(&mac),
        user_id: row.get(1)?,
        email: row.get(2)?,
        origin: row.get(3)?,
        created_at: row.get(4)?,
        expires_at: row.get(5)?,
        seen: sighting(row, 6)?,
    })
}

/// Ends a session of a user by its identifier in a list. Returns whether it existed.
pub fn end_by_id(tx: &mut Tx<'_>, user_id: &str, id: &str) -> Result<bool, StoreError> {
    let rows = tx.query(
        "SELECT mac FROM sessions WHERE user_id = $1",
        params![user_id],
    )?;
    for row in rows {
        let mac: Vec<u8> = row.get(0)?;
        if id_of(&mac) == id {
            tx.execute("DELETE FROM sessions WHERE mac = $1", params![mac])?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// Deletes a batch of the expired sessions. Returns their number.
pub fn sweep(tx: &mut Tx<'_>, now: i64) -> Result<u64, StoreError> {
    expiry::delete(tx, "sessions", "mac", "expires_at", now)
}
