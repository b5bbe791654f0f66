//! A cookie for browsers in which a user has signed in before. Strangers who guess at a name, or
//! from the same address, then do not lock its owner out (OWASP, "Slow Down Online Guessing Attacks
//! with Device Cookies").
//!
//! The cookie authenticates nobody. It only gives the password attempts of its browser for that
//! user a limit of their own. A cookie that fails too often is ignored for a while. The database
//! stores only these failures. Each entry is authenticated with the server key, and bound to its
//! user, the user's password and a random number. So a new password invalidates the cookies of all
//! browsers.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::kernel::{Mac, Random, ServerKeys};

const PURPOSE: &str = "identity device cookie";
/// The maximum of users in one cookie.
const MAX_USERS: usize = 4;
const NONCE: usize = 16;
const TIME: usize = 8;
const LENGTH: usize = NONCE + TIME + size_of::<Mac>();

/// A user who has signed in with a browser.
#[derive(Debug, Clone, Copy)]
pub struct Owner<'a> {
    /// The user's identifier.
    pub user_id: &'a str,
    /// The present hash of the password.
    pub password_hash: &'a str,
}

/// The users who have signed in with a browser.
#[derive(Debug, Clone, Default)]
pub struct DeviceCookie(Vec<[u8; LENGTH]>);

impl DeviceCookie {
    /// Parses the value of a cookie. Ignores malformed entries.
    pub fn parse(value: &str) -> DeviceCookie {
        let entries = value.split('.').take(MAX_USERS);
        let decoded = entries.filter_map(|entry| URL_SAFE_NO_PAD.decode(entry).ok());
        DeviceCookie(decoded.filter_map(|bytes| bytes.try_into().ok()).collect())
    }

    /// Finds the entry of a user who has signed in with this browser within the last `lifetime`
    /// milliseconds.
    pub fn of(
        &self,
        server_keys: &ServerKeys,
        owner: Owner<'_>,
        now: i64,
        lifetime: i64,
    ) -> Option<String> {
        let entry = self.find(server_keys, owner)?;
        let time = entry[NONCE..NONCE + TIME].try_into().ok()?;
        let is_fresh = now.saturating_sub(i64::from_be_bytes(time)) < lifetime;
        is_fresh.then(|| URL_SAFE_NO_PAD.encode(&entry[..NONCE]))
    }

    fn find(&self, server_keys: &ServerKeys, owner: Owner<'_>) -> Option<&[u8; LENGTH]> {
        self.0.iter().find(|entry| {
            let (begin, mac) = entry.split_at(NONCE + TIME);
            server_keys.accepts(mac, PURPOSE, &bound(begin, owner))
        })
    }

    /// The cookie's value after this user has signed in.
    pub fn renewed(
        &self,
        server_keys: &ServerKeys,
        random: &dyn Random,
        owner: Owner<'_>,
        now: i64,
    ) -> String {
        let begin = [random.bytes::<NONCE>().as_slice(), &now.to_be_bytes()].concat();
        let mac = server_keys.mac(PURPOSE, &bound(&begin, owner));
        let new = [begin.as_slice(), &mac].concat();
        let old = self.find(server_keys, owner);
        let others = self.0.iter().filter(|entry| Some(*entry) != old);
        let entries = std::iter::once(new.as_slice()).chain(others.map(<[u8; LENGTH]>::as_slice));
        let entries: Vec<_> = entries
            .take(MAX_USERS)
            .map(|entry| URL_SAFE_NO_PAD.encode(entry))
            .collect();
        entries.join(".")
    }
}

/// The part before the user has a constant length, and an identifier contains no zero byte.
fn bound(begin: &[u8], owner: Owner<'_>) -> Vec<u8> {
    let (user_id, password_hash) = (owner.user_id.as_bytes(), owner.password_hash.as_bytes());
    [begin, user_id, &[0], password_hash].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::SystemRandom;

    const ANA: Owner<'_> = Owner {
        user_id: "ana",
        password_hash: "$argon2id$1",
    };
    const BEN: Owner<'_> = Owner {
        user_id: "ben",
        password_hash: "$argon2id$2",
    };

    #[test]
    fn a_cookie_is_its_users_and_nobody_elses() {
        let server_keys = ServerKeys::new([1; 32]);
        let first = DeviceCookie::default().renewed(&server_keys, &SystemRandom, ANA, 1_000);
        let cookie = DeviceCookie::parse(&first);
        let ana = cookie.of(&server_keys, ANA, 2_000, 10_000);
        assert!(ana.is_some());
        assert_eq!(cookie.of(&server_keys, BEN, 2_000, 10_000), None);
        assert_eq!(cookie.of(&server_keys, ANA, 11_000, 10_000), None);
        assert_eq!(
            cookie.of(&ServerKeys::new([2; 32]), ANA, 2_000, 10_000),
            None
        );
        // A clock that was ahead does no harm.
        assert_eq!(cookie.of(&server_keys, ANA, 0, 10_000), ana);

        let both = DeviceCookie::parse(&cookie.renewed(&server_keys, &SystemRandom, BEN, 3_000));
        assert_eq!(both.of(&server_keys, ANA, 3_000, 10_000), ana);
        let again = DeviceCookie::parse(&both.renewed(&server_keys, &SystemRandom, ANA, 4_000));
        assert_ne!(again.of(&server_keys, ANA, 4_000, 10_000), ana);
        assert_eq!(again.0.len(), 2);
    }

    #[test]
    fn a_new_password_ends_it() {
        let server_keys = ServerKeys::new([1; 32]);
        let value = DeviceCookie::default().renewed(&server_keys, &SystemRandom, ANA, 0);
        let reset = Owner {
            password_hash: "$argon2id$3",
            ..ANA
        };
        let cookie = DeviceCookie::parse(&value);
        assert!(cookie.of(&server_keys, ANA, 0, 10_000).is_some());
        assert_eq!(cookie.of(&server_keys, reset, 0, 10_000), None);
    }

    #[test]
    fn an_invalid_cookie_belongs_to_nobody() {
        let server_keys = ServerKeys::new([1; 32]);
        let good = DeviceCookie::default().renewed(&server_keys, &SystemRandom, ANA, 0);
        let mut forged = URL_SAFE_NO_PAD.decode(&good).unwrap();
        forged[20] ^= 1;
        let forged = URL_SAFE_NO_PAD.encode(forged);
        for value in ["", "....", "x", &good[1..], &forged] {
            let cookie = DeviceCookie::parse(value);
            assert_eq!(cookie.of(&server_keys, ANA, 0, 10_000), None, "{value}");
        }
        let many = format!("{forged}.{forged}.{forged}.{forged}.{good}");
        assert_eq!(DeviceCookie::parse(&many).0.len(), MAX_USERS);
    }
}
