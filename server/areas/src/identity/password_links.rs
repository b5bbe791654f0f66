//! The one-time link with which a user sets a password.
//!
//! Its token is stored only as a keyed hash, works until it expires, and works once. Yet after
//! a crash, a mail can be sent again with the same link, because the token is computed from the
//! mail's identifier and the server key. The key may have been replaced in the meantime, so a
//! mail has one possible link for each key.

use std::collections::HashMap;
use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};

use super::users::User;
use crate::kernel::{Mac, ServerKeys, server_keys};
use crate::params;
use crate::store::{self, StoreError, Tx, Value};

/// How long the link to set the first password works.
pub const LINK_LIFETIME: TimeDelta = TimeDelta::hours(72);
/// How long a link works that somebody requested on the page for forgotten passwords.
pub const RESET_LIFETIME: TimeDelta = TimeDelta::hours(1);

/// The purpose of the keyed hash under which a token is stored.
pub const PURPOSE: &str = "password-token";

/// The purpose of the keyed hash from which a token is made.
const LINK_PURPOSE: &str = "password-link";
/// The length of a token: 256 bits.
const TOKEN_BYTES: usize = 32;

/// The link of one mail with which a user sets a password. `Debug` does not
/// print the token.
pub struct PasswordLink {
    mail_id: String,
    token: String,
    token_mac: Mac,
}

impl PasswordLink {
    /// The link of a new mail with this identifier.
    pub fn new(server_keys: &ServerKeys, mail_id: &str) -> Self {
        PasswordLink::of(
            server_keys,
            mail_id,
            &server_keys.mac(LINK_PURPOSE, mail_id.as_bytes()),
        )
    }

    /// The possible links of an earlier mail, at least one.
    pub fn each(server_keys: &ServerKeys, mail_id: &str) -> Vec<Self> {
        let macs = server_keys.macs(LINK_PURPOSE, mail_id.as_bytes());
        let link = |mac| PasswordLink::of(server_keys, mail_id, mac);
        macs.iter().map(link).collect()
    }

    /// The link whose token is the end of this keyed hash, without the name of the server key.
    fn of(server_keys: &ServerKeys, mail_id: &str, mac: &Mac) -> Self {
        let token = URL_SAFE_NO_PAD.encode(&mac[mac.len() - TOKEN_BYTES..]);
        // Under the same server key, or under the current one if that key was removed.
        let token_mac = server_keys.mac_like(mac, PURPOSE, token.as_bytes());
        PasswordLink {
            mail_id: mail_id.to_owned(),
            token_mac: token_mac.unwrap_or_else(|| server_keys.mac(PURPOSE, token.as_bytes())),
            token,
        }
    }

    /// The secret in the link: `/ui/v1/password?token=…`.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// The mail of the link.
    pub fn mail_id(&self) -> &str {
        &self.mail_id
    }

    /// Activates the link for this user, from now on and for `lifetime`.
    pub fn open(
        &self,
        tx: &mut Tx<'_>,
        user_id: &str,
        now: DateTime<Utc>,
        lifetime: TimeDelta,
    ) -> Result<(), StoreError> {
        let expires_at = (now + lifetime).timestamp_millis();
        tx.add(
            "INSERT INTO password_tokens (token_mac, user_id, expires_at) VALUES ($1, $2, $3)",
            params![self.token_mac, user_id, expires_at],
        )
    }

    /// Deactivates the link, whether it was used or not.
    pub fn close(&self, tx: &mut Tx<'_>, now: DateTime<Utc>) -> Result<(), StoreError> {
        redeem(tx, &[self.token_mac], now.timestamp_millis())?;
        Ok(())
    }
}

/// The expiry of each of these links, in their order; `None` for one that
/// was used or deactivated.
pub fn open_until(
    tx: &mut Tx<'_>,
    links: &[PasswordLink],
) -> Result<Vec<Option<DateTime<Utc>>>, StoreError> {
    static SQL: LazyLock<String> = LazyLock::new(|| {
        let macs = store::places(1);
        format!(
            "SELECT token_mac, expires_at FROM password_tokens \
             WHERE used_at IS NULL AND token_mac IN ({macs})"
        )
    });
    let macs: Vec<Value> = links.iter().map(|link| link.token_mac.into()).collect();
    let mut open = HashMap::new();
    for macs in store::batches(&macs) {
        for row in tx.query(&SQL, &macs)? {
            open.insert(row.get::<Mac>(0)?, row.get::<DateTime<Utc>>(1)?);
        }
    }
    let until = links.iter().map(|link| open.get(&link.token_mac).copied());
    Ok(until.collect())
}

/// The keyed hashes under which a token can be stored.
pub fn macs(server_keys: &ServerKeys, token: &str) -> Vec<Mac> {
    server_keys.macs(PURPOSE, token.as_bytes())
}

/// The user of a token that is valid at `now`, in Unix milliseconds. `macs` are its possible hashes.
pub fn owner(tx: &mut Tx<'_>, macs: &[Mac], now: i64) -> Result<Option<User>, StoreError> {
    let row = server_keys::find(macs, |mac| {
        tx.query_opt(
            "SELECT user_id FROM password_tokens \
             WHERE token_mac = $1 AND used_at IS NULL AND expires_at > $2",
            params![mac, now],
        )
    })?;
    match row {
        Some(row) => User::by_id(tx, &row.get::<String>(0)?),
        None => Ok(None),
    }
}

/// Deactivates the unused links of a user. Returns their number.
pub fn end_all(tx: &mut Tx<'_>, user_id: &str, now: i64) -> Result<u64, StoreError> {
    tx.execute(
        "UPDATE password_tokens SET used_at = $1 \
         WHERE user_id = $2 AND used_at IS NULL AND expires_at > $1",
        params![now, user_id],
    )
}

/// Marks a token as used. Returns whether it was valid.
pub fn redeem(tx: &mut Tx<'_>, macs: &[Mac], now: i64) -> Result<bool, StoreError> {
    let used = server_keys::find(macs, |mac| {
        let used = tx.execute(
            "UPDATE password_tokens SET used_at = $1 \
             WHERE token_mac = $2 AND used_at IS NULL AND expires_at > $1",
            params![now, mac],
        )?;
        Ok::<_, StoreError>((used == 1).then_some(()))
    })?;
    Ok(used.is_some())
}

impl std::fmt::Debug for PasswordLink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PasswordLink({}, …)", self.mail_id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_the_same_whenever_it_is_computed_and_prints_no_token() {
        let server_keys = ServerKeys::new([3; 32]);
        let link = PasswordLink::new(&server_keys, "mail-1");
        assert_eq!(
            link.token(),
            PasswordLink::new(&server_keys, "mail-1").token()
        );
        assert_ne!(
            link.token(),
            PasswordLink::new(&server_keys, "mail-2").token()
        );
        assert_eq!(link.token().len(), 43);
        assert!(!format!("{link:?}").contains(link.token()));
    }
}
