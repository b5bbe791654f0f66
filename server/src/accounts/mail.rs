//! Mail that provisioning owes to people, and the one-time link in it.
//!
//! A mail is a row of the outbox, written in the transaction of what it is
//! about: there is never an account without its mail, nor a mail without its
//! account. Sending is another's task; it takes [`unsent`] mail, sends it to
//! [`Mail::recipient`] with [`PasswordLink::token`] in it, and marks it with
//! [`mark_sent`].
//!
//! The token of a link is stored only as a keyed hash, and yet the mail can be
//! sent again after a crash with the same link: the token is computed from the
//! mail's identifier and the server key, so it need not be kept.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};

use super::users::User;
use crate::identity::password_tokens;
use crate::kernel::Pepper;
use crate::params;
use crate::store::{StoreError, Tx};

/// How long the link to set a password works.
pub const LINK_LIFETIME: TimeDelta = TimeDelta::hours(72);

const LINK_PURPOSE: &str = "password-link";

const SET_PASSWORD: &str = "set-password";

/// The link of one mail with which a user sets a password. Prints no token.
pub struct PasswordLink {
    mail_id: String,
    token: String,
    token_mac: [u8; 32],
}

impl PasswordLink {
    /// The link of the mail with this identifier.
    pub fn new(pepper: &Pepper, mail_id: &str) -> Self {
        let token = URL_SAFE_NO_PAD.encode(pepper.mac(LINK_PURPOSE, mail_id.as_bytes()));
        PasswordLink {
            mail_id: mail_id.to_owned(),
            token_mac: password_tokens::mac(pepper, &token),
            token,
        }
    }

    /// The secret in the link: `/ui/v1/password?token=…`.
    pub fn token(&self) -> &str {
        &self.token
    }
}

impl std::fmt::Debug for PasswordLink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PasswordLink({}, …)", self.mail_id)
    }
}

/// A mail of the outbox: to set a password, which is the only kind there is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    /// Identifier, from which [`PasswordLink::new`] makes the link.
    pub id: String,
    /// The account that it is about.
    pub user_id: String,
    /// Address that it goes to.
    pub recipient: String,
    /// Language that it is written in.
    pub language: String,
    /// When it was asked for.
    pub created_at: DateTime<Utc>,
}

/// Puts the mail with a link to set a password into the outbox.
///
/// # Errors
///
/// When the store fails.
pub fn post_password_link(
    tx: &mut Tx<'_>,
    link: &PasswordLink,
    user: &User,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO mail_outbox (id, kind, user_id, recipient, language, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6)",
        params![
            &link.mail_id,
            SET_PASSWORD,
            &user.id,
            &user.communication_email,
            &user.language,
            now,
        ],
    )?;
    password_tokens::add(
        tx,
        link.token_mac,
        &user.id,
        (now + LINK_LIFETIME).timestamp_millis(),
    )
}

/// Mail that has not been sent, the oldest first.
///
/// # Errors
///
/// When the store fails.
pub fn unsent(tx: &mut Tx<'_>, limit: i64) -> Result<Vec<Mail>, StoreError> {
    tx.query(
        "SELECT id, user_id, recipient, language, created_at FROM mail_outbox \
         WHERE sent_at IS NULL AND kind = $1 ORDER BY created_at, id LIMIT $2",
        params![SET_PASSWORD, limit],
    )?
    .iter()
    .map(|row| {
        Ok(Mail {
            id: row.get(0)?,
            user_id: row.get(1)?,
            recipient: row.get(2)?,
            language: row.get(3)?,
            created_at: row.get(4)?,
        })
    })
    .collect()
}

/// Takes a mail off the outbox; says whether it was still there.
///
/// # Errors
///
/// When the store fails.
pub fn mark_sent(tx: &mut Tx<'_>, id: &str, now: DateTime<Utc>) -> Result<bool, StoreError> {
    let rows = tx.execute(
        "UPDATE mail_outbox SET sent_at = $2 WHERE id = $1 AND sent_at IS NULL",
        params![id, now],
    )?;
    Ok(rows == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_the_same_whenever_it_is_computed_and_prints_no_token() {
        let pepper = Pepper::new([3; 32]);
        let link = PasswordLink::new(&pepper, "mail-1");
        assert_eq!(link.token(), PasswordLink::new(&pepper, "mail-1").token());
        assert_ne!(link.token(), PasswordLink::new(&pepper, "mail-2").token());
        assert_eq!(link.token().len(), 43);
        assert!(!format!("{link:?}").contains(link.token()));
    }
}
