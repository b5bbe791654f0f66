//! Sets a password, and ends all access that depends on the old one.
//!
//! A user may set a password because another person got in. Nothing that such a person can have
//! begun must outlive it. Sessions and the other links that set a password always end. With
//! [`Reset::devices`], so do the approved devices, with or without their tokens. With
//! [`Reset::passkeys`], so do the passkeys.

use super::users::User;
use super::{grants, passkeys, password_links, sessions, tokens};
use crate::store::{StoreError, Tx};

/// The access to end, beside sessions and links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reset {
    /// The approved devices.
    pub devices: bool,
    /// The passkeys.
    pub passkeys: bool,
}

impl Reset {
    /// Everything ends: the rule for a user who does not know the present password.
    pub const ALL: Reset = Reset {
        devices: true,
        passkeys: true,
    };
}

/// The ended access.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Ended {
    /// The number of sessions.
    pub sessions: u64,
    /// The number of links that set a password.
    pub links: u64,
    /// The number of approved devices.
    pub devices: u64,
    /// Names of the removed passkeys.
    pub passkeys: Vec<String>,
}

impl std::fmt::Display for Ended {
    /// The numbers, for the audit trail. It contains no names.
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

/// Sets the password of a user and ends the access that [`Reset`] names. A new session for the user
/// is started after this.
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
