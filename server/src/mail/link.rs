//! The one-time link with which a user sets a password.
//!
//! Its token is stored only as a keyed hash. Yet after a crash, a mail can be
//! sent again with the same link, because the token is computed from the mail's
//! identifier and the server key. The key may have been replaced in the
//! meantime, so a mail has one possible link for each key.

use std::collections::HashMap;
use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};

use crate::identity::password_tokens;
use crate::kernel::{Mac, ServerKeys};
use crate::store::{self, StoreError, Tx, Value};

/// How long the link to set a password works.
pub const LINK_LIFETIME: TimeDelta = TimeDelta::hours(72);

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
        let links = macs
            .iter()
            .map(|mac| PasswordLink::of(server_keys, mail_id, mac));
        links.collect()
    }

    /// The name of the server key is not part of the token.
    fn of(server_keys: &ServerKeys, mail_id: &str, mac: &Mac) -> Self {
        let token = URL_SAFE_NO_PAD.encode(&mac[mac.len() - TOKEN_BYTES..]);
        PasswordLink {
            mail_id: mail_id.to_owned(),
            token_mac: password_tokens::mac_like(server_keys, mac, &token),
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

    /// Activates the link for this user, from now on until it expires.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn open(
        &self,
        tx: &mut Tx<'_>,
        user_id: &str,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let expires_at = (now + LINK_LIFETIME).timestamp_millis();
        password_tokens::add(tx, self.token_mac, user_id, expires_at)
    }

    /// Deactivates the link, whether it was used or not.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn close(&self, tx: &mut Tx<'_>, now: DateTime<Utc>) -> Result<(), StoreError> {
        password_tokens::redeem(tx, &[self.token_mac], now.timestamp_millis())?;
        Ok(())
    }
}

/// Until when each of these links works, in their order; `None` for one that
/// was used or deactivated.
///
/// # Errors
///
/// When the store fails.
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
