//! What a ceremony has to remember stays with the browser, sealed: looking at a
//! page writes nothing into the database, and any replica can finish what
//! another has begun. The seal is bound to the browser's cookie; that a ceremony
//! is used once is for the database to see to.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::kernel::Pepper;

const SEAL: usize = 32;

/// What a ceremony remembers, in the library's own form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ceremony(pub Vec<u8>);

impl Ceremony {
    /// What it is known by once it is used up.
    pub fn digest(&self) -> [u8; 32] {
        Sha256::digest(&self.0).into()
    }
}

/// Seals a ceremony for the browser of this cookie.
pub fn seal(pepper: &Pepper, browser: &[u8; 32], ceremony: &Ceremony) -> String {
    let mut sealed = mac(pepper, browser, &ceremony.0).to_vec();
    sealed.extend_from_slice(&ceremony.0);
    URL_SAFE_NO_PAD.encode(sealed)
}

/// The ceremony, if it was sealed here for this browser.
pub fn open(pepper: &Pepper, browser: &[u8; 32], sealed: &str) -> Option<Ceremony> {
    let sealed = URL_SAFE_NO_PAD.decode(sealed).ok()?;
    let (seal, state) = sealed.split_at_checked(SEAL)?;
    let expected = mac(pepper, browser, state);
    bool::from(expected.as_slice().ct_eq(seal)).then(|| Ceremony(state.to_vec()))
}

fn mac(pepper: &Pepper, browser: &[u8; 32], state: &[u8]) -> [u8; SEAL] {
    pepper.mac("identity passkey ceremony", &[browser, state].concat())
}
