//! The state of a ceremony stays in the browser, encrypted. So a view of the page writes nothing
//! into the database, and any replica can complete a ceremony. The ciphertext is bound to the
//! browser's cookie. The database ensures that a ceremony is used once.

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

/// Encrypts a ceremony for the browser with this cookie.
pub fn seal(server_keys: &ServerKeys, cookie: &str, ceremony: &Ceremony) -> String {
    let mac = server_keys.mac(PURPOSE, &bound(cookie, &ceremony.0));
    URL_SAFE_NO_PAD.encode([&mac, ceremony.0.as_slice()].concat())
}

/// The ceremony, if it was encrypted here for this browser.
pub fn open(server_keys: &ServerKeys, cookie: &str, sealed: &str) -> Option<Ceremony> {
    let sealed = URL_SAFE_NO_PAD.decode(sealed).ok()?;
    let (mac, state) = sealed.split_at_checked(size_of::<Mac>())?;
    let is_ours = server_keys.accepts(mac) && server_keys.is(mac, PURPOSE, &bound(cookie, state));
    is_ours.then(|| Ceremony(state.to_vec()))
}

/// All cookies have the same length.
fn bound(cookie: &str, state: &[u8]) -> Vec<u8> {
    [cookie.as_bytes(), state].concat()
}
