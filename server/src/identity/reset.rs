//! Setting a password, and what ends with it.
//!
//! Somebody who sets a password may do so because another person got in. Nothing that such a
//! person can have begun must outlive it: sessions and the other links that set a password
//! always end. With [`Reset::devices`], so do the devices that were approved, whether they
//! have their tokens already or not; with [`Reset::passkeys`], so do the passkeys.

use super::users::User;
use super::{grants, passkeys, password_links, sessions, tokens};
use crate::store::{StoreError, Tx};

/// What ends beside sessions and links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reset {
    /// The devices that were approved.
    pub devices: bool,
    /// The passkeys.
    pub passkeys: bool,
}

impl Reset {
    /// Everything ends: the rule for whoever sets a password without knowing the present one.
    pub const ALL: Reset = Reset {
        devices: true,
        passkeys: true,
    };
}

/// What has ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Ended {
    /// Sessions.
    pub sessions: u64,
    /// Links that set a password.
    pub links: u64,
    /// Devices that were approved.
    pub devices: u64,
    /// Names of the passkeys that were removed.
    pub passkeys: Vec<String>,
}

impl std::fmt::Display for Ended {
    /// For the audit trail: numbers, no names.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Ended {
            sessions,
            links,
            devices,
            passkeys,
        } = self;
        let passkeys = passkeys.len();
        write!(
            f,
            "ended: sessions {sessions}, links {links}, devices {devices}, passkeys {passkeys}"
        )
    }
}

/// Sets the password of a user and ends what [`Reset`] says. A session for the user who
/// goes on is started after this.
///
/// # Errors
///
/// When the store fails.
pub fn set_password(
    tx: &mut Tx<'_>,
    user_id: &str,
    hash: &str,
    reset: Reset,
    now: i64,
) -> Result<Ended, StoreError> {
    User::set_password(tx, user_id, hash)?;
    let mut ended = Ended {
        sessions: sessions::end_all(tx, user_id)?,
        links: password_links::end_all(tx, user_id, now)?,
        ..Ended::default()
    };
    if reset.devices {
        let waiting = grants::withdraw_all(tx, user_id)?;
        ended.devices = waiting + tokens::revoke_all(tx, user_id, now)?;
    }
    if reset.passkeys {
        ended.passkeys = passkeys::remove_all(tx, user_id)?;
    }
    Ok(ended)
}
