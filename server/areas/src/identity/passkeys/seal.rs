//! The state of a ceremony stays in the browser, with a keyed hash. So a view of the page writes
//! nothing into the database, and any replica can complete a ceremony. The hash covers the state and
//! the browser's cookie, so a browser can use only its own ceremonies, unchanged. The browser can
//! read the state, which has no secrets of the service. The database ensures that a ceremony is used
//! once.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use crate::kernel::{Mac, ServerKeys};

const PURPOSE: &str = "identity passkey ceremony";

/// The state of a ceremony, in the library's own form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ceremony(pub Vec<u8>);

impl Ceremony {
    /// Its identifier in the database once it is used.
    pub fn digest(&self) -> [u8; 32] {
        Sha256::digest(&self.0).into()
    }
}

/// Writes a ceremony, with its keyed hash, for the browser with this cookie. In base64url.
pub fn seal(server_keys: &ServerKeys, cookie: &str, ceremony: &Ceremony) -> String {
    let mac = server_keys.mac(PURPOSE, &bound(cookie, &ceremony.0));
    URL_SAFE_NO_PAD.encode([&mac, ceremony.0.as_slice()].concat())
}

/// The ceremony, if this service sealed it for this browser.
pub fn open(server_keys: &ServerKeys, cookie: &str, sealed: &str) -> Option<Ceremony> {
    let sealed = URL_SAFE_NO_PAD.decode(sealed).ok()?;
    let (mac, state) = sealed.split_at_checked(size_of::<Mac>())?;
    let is_ours = server_keys.accepts(mac, PURPOSE, &bound(cookie, state));
    is_ours.then(|| Ceremony(state.to_vec()))
}

/// The text of the keyed hash. All cookies have the same length, so no two pairs have the same text.
fn bound(cookie: &str, state: &[u8]) -> Vec<u8> {
    [cookie.as_bytes(), state].concat()
}
