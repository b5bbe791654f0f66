//! The server's keys for secrets at rest.
//!
//! API key secrets, device codes and refresh tokens are random and long, so a slow hash would add
//! nothing. But with a plain hash, a reader of the database could test guesses and link rows. They
//! are therefore stored as HMACs under a key that is not in the database.
//!
//! Such a key can be replaced while the service runs. One key is the current one, under which new
//! hashes are made, and there may be others beside it. A hash begins with the name of its key, so
//! that the hashes under an old key can be counted. A search for a row by its hash tries each
//! accepted key, the current one first.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use arc_swap::ArcSwap;
use aws_lc_rs::aead::{AES_256_GCM, LessSafeKey, UnboundKey};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac as _};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;
use zeroize::Zeroizing;

const KEY_LENGTH: usize = 32;
const NAME_LENGTH: usize = 4;

/// The name of the key and the HMAC itself.
pub type Mac = [u8; NAME_LENGTH + 32];

/// The name of a key. It is derived from the key, and reveals nothing about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyName([u8; NAME_LENGTH]);

impl KeyName {
    /// The key that a keyed hash, or a ciphertext, names.
    pub fn of(hashed: &[u8]) -> Option<KeyName> {
        hashed.first_chunk().copied().map(KeyName)
    }

    /// The beginning of its hashes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for KeyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for KeyName {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<KeyName, Self::Err> {
        // The parser also accepts a sign and fewer digits.
        let is_name =
            text.len() == 2 * NAME_LENGTH && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = u32::from_str_radix(text, 16).ok().filter(|_| is_name);
        let name = number.map(|number| KeyName(number.to_be_bytes()));
        name.ok_or("expected 8 hexadecimal digits")
    }
}

/// One key, which `Debug` hides.
#[derive(Clone)]
pub struct ServerKey {
    /// Whether it is used only to verify the audit trail.
    pub is_retired: bool,
    name: KeyName,
    /// The state of an HMAC under this key before its data. It is wiped when it is dropped.
    begun: Hmac<Sha256>,
}

impl ServerKey {
    /// A key with these bytes.
    pub fn new(key: [u8; KEY_LENGTH]) -> Self {
        let key = Zeroizing::new(key);
        let begun = Hmac::new_from_slice(key.as_slice()).expect("HMAC takes keys of any length");
        let mark = hmac(&begun, "server key name", b"");
        ServerKey {
            is_retired: false,
            name: KeyName::of(&mark).expect("an HMAC is longer than a name"),
            begun,
        }
    }

    /// Reads 32 bytes in base64.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = Zeroizing::new(STANDARD.decode(text).ok()?);
        Some(ServerKey::new(bytes.as_slice().try_into().ok()?))
    }

    /// Its name.
    pub fn name(&self) -> KeyName {
        self.name
    }

    fn mac(&self, purpose: &str, data: &[u8]) -> Mac {
        let mut mac = [0; NAME_LENGTH + 32];
        let (name, rest) = mac.split_at_mut(NAME_LENGTH);
        name.copy_from_slice(&self.name.0);
        rest.copy_from_slice(&hmac(&self.begun, purpose, data));
        mac
    }

    fn is(&self, stored: &[u8], purpose: &str, data: &[u8]) -> bool {
        stored.ct_eq(&self.mac(purpose, data)).into()
    }
}

impl fmt::Debug for ServerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ServerKey({}, …)", self.name)
    }
}

fn hmac(begun: &Hmac<Sha256>, purpose: &str, data: &[u8]) -> [u8; 32] {
    let mut mac = begun.clone();
    mac.update(&(purpose.len() as u64).to_be_bytes());
    mac.update(purpose.as_bytes());
    mac.update(data);
    mac.finalize().into_bytes().into()
}

/// The available keys, the oldest first. There is at least one.
#[derive(Debug, Clone)]
pub struct Ring {
    keys: Vec<ServerKey>,
    current: usize,
}

impl Ring {
    /// Keys from the oldest to the newest, and the current one of them. `None` if the current key
    /// is missing or retired.
    pub fn new(keys: Vec<ServerKey>, current: KeyName) -> Option<Ring> {
        let is_it = |key: &ServerKey| key.name == current && !key.is_retired;
        let current = keys.iter().position(is_it)?;
        Some(Ring { keys, current })
    }

    /// All of them, the oldest first.
    pub fn keys(&self) -> &[ServerKey] {
        &self.keys
    }

    /// The current key.
    pub fn current(&self) -> KeyName {
        self.keys[self.current].name
    }

    /// The place of a key in the order of age.
    pub fn position(&self, name: KeyName) -> Option<usize> {
        self.keys.iter().position(|key| key.name == name)
    }

    fn accepted(&self) -> impl Iterator<Item = &ServerKey> {
        let current = &self.keys[self.current];
        let others = self.keys.iter();
        let others = others.filter(move |key| key.name != current.name && !key.is_retired);
        std::iter::once(current).chain(others)
    }

    fn named(&self, hashed: &[u8]) -> Option<&ServerKey> {
        let name = KeyName::of(hashed)?;
        self.keys.iter().find(|key| key.name == name)
    }
}

/// The keys of all keyed hashes in the database. Replicas share them; clones
/// follow each other.
#[derive(Clone)]
pub struct ServerKeys(Arc<ArcSwap<Ring>>);

impl ServerKeys {
    /// A single new key; for tests.
    pub fn new(key: [u8; KEY_LENGTH]) -> Self {
        ServerKeys::of(Ring {
            keys: vec![ServerKey::new(key)],
            current: 0,
        })
    }

    /// A holder of these keys, until others are set.
    pub fn of(ring: Ring) -> Self {
        ServerKeys(Arc::new(ArcSwap::from_pointee(ring)))
    }

    /// The present keys.
    pub fn ring(&self) -> Arc<Ring> {
        self.0.load_full()
    }

    /// Replaces the keys.
    pub fn set(&self, ring: Ring) {
        self.0.store(Arc::new(ring));
    }

    /// The keyed hash of `data`, to be stored. `purpose` separates uses: a hash of one purpose
    /// never equals one of another.
    pub fn mac(&self, purpose: &str, data: &[u8]) -> Mac {
        let ring = self.0.load();
        ring.keys[ring.current].mac(purpose, data)
    }

    /// The keyed hashes that may be stored for `data`: the one that [`ServerKeys::mac`] makes, and
    /// those under other keys.
    pub fn macs(&self, purpose: &str, data: &[u8]) -> Vec<Mac> {
        let ring = self.0.load();
        ring.accepted().map(|key| key.mac(purpose, data)).collect()
    }

    /// Whether a stored hash is that of `data`. Its key may be retired; the reader of the row has
    /// to check that.
    pub fn is(&self, stored: &[u8], purpose: &str, data: &[u8]) -> bool {
        let ring = self.0.load();
        ring.named(stored)
            .is_some_and(|key| key.is(stored, purpose, data))
    }

    /// Whether a stored hash is that of `data`, under a key that is not retired.
    pub fn accepts(&self, stored: &[u8], purpose: &str, data: &[u8]) -> bool {
        let ring = self.0.load();
        let key = ring.named(stored).filter(|key| !key.is_retired);
        key.is_some_and(|key| key.is(stored, purpose, data))
    }

    /// The keyed hash of `data` under the key that another hash names, if that key is available.
    pub fn mac_like(&self, stored: &[u8], purpose: &str, data: &[u8]) -> Option<Mac> {
        Some(self.0.load().named(stored)?.mac(purpose, data))
    }

    /// The cipher for this purpose (AES-256-GCM), whose key is derived from the key that a hash or
    /// a ciphertext names. `None` if that key is not available.
    pub fn cipher_like(&self, stored: &[u8], purpose: &str) -> Option<LessSafeKey> {
        let ring = self.0.load();
        let key = Zeroizing::new(hmac(&ring.named(stored)?.begun, purpose, b""));
        let key = UnboundKey::new(&AES_256_GCM, key.as_slice()).ok()?;
        Some(LessSafeKey::new(key))
    }

    /// Whether a stored hash is under an older key than the current one. Returns false while this
    /// replica has yet to notice that a newer key was promoted.
    pub fn is_outdated(&self, stored: &[u8]) -> bool {
        let ring = self.0.load();
        let place = KeyName::of(stored).and_then(|name| ring.position(name));
        place.is_some_and(|place| place < ring.current)
    }

    /// Whether a stored hash is under the current key.
    pub fn is_current(&self, stored: &[u8]) -> bool {
        KeyName::of(stored) == Some(self.0.load().current())
    }
}

/// The first row under one of the keyed hashes of a text: `query` receives each of them until it
/// returns a row.
///
/// # Errors
///
/// Those of `query`.
pub fn find<T, E>(
    macs: &[Mac],
    mut query: impl FnMut(&Mac) -> Result<Option<T>, E>,
) -> Result<Option<T>, E> {
    for mac in macs {
        if let Some(found) = query(mac)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Omits the keys.
impl fmt::Debug for ServerKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ServerKeys(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(keys: &[(u8, bool)], current: u8) -> Option<Ring> {
        let key = |byte: u8| ServerKey::new([byte; 32]);
        let keys = keys.iter().map(|(byte, is_retired)| ServerKey {
            is_retired: *is_retired,
            ..key(*byte)
        });
        Ring::new(keys.collect(), key(current).name)
    }

    #[test]
    fn purposes_are_kept_apart() {
        let server_keys = ServerKeys::new([7; 32]);
        assert_ne!(server_keys.mac("a", b"bc"), server_keys.mac("ab", b"c"));
    }

    #[test]
    fn what_was_hashed_before_is_found_under_the_next_key_and_not_under_a_retired_one() {
        let server_keys = ServerKeys::new([1; 32]);
        let stored = server_keys.mac("a", b"x");
        server_keys.set(ring(&[(1, false), (2, false)], 2).unwrap());
        let macs = server_keys.macs("a", b"x");
        assert_eq!((macs[0], macs[1]), (server_keys.mac("a", b"x"), stored));
        assert!(server_keys.is(&stored, "a", b"x") && !server_keys.is(&stored, "a", b"y"));
        assert!(server_keys.accepts(&stored, "a", b"x") && server_keys.is_outdated(&stored));
        assert!(!server_keys.accepts(&stored, "a", b"y"));
        let newer = server_keys.mac("a", b"x");
        assert!(server_keys.is_current(&newer) && !server_keys.is_outdated(&newer));
        server_keys.set(ring(&[(1, false), (2, false)], 1).unwrap());
        assert!(!server_keys.is_current(&newer) && !server_keys.is_outdated(&newer));
        server_keys.set(ring(&[(1, true), (2, false)], 2).unwrap());
        assert_eq!(server_keys.macs("a", b"x"), [server_keys.mac("a", b"x")]);
        assert!(server_keys.is(&stored, "a", b"x") && !server_keys.accepts(&stored, "a", b"x"));
        server_keys.set(ring(&[(2, false)], 2).unwrap());
        assert!(!server_keys.is(&stored, "a", b"x"));
    }

    #[test]
    fn no_ring_goes_by_a_key_that_is_retired_or_not_there() {
        assert!(ring(&[(1, false)], 2).is_none());
        assert!(ring(&[(1, true)], 1).is_none());
    }

    #[test]
    fn a_name_reads_as_it_prints() {
        let name = ServerKey::new([7; 32]).name();
        assert_eq!(name.to_string().parse(), Ok(name));
        for text in ["", "0", "123456789", "+1234567", "ghijklmn"] {
            assert!(text.parse::<KeyName>().is_err(), "{text}");
        }
    }

    #[test]
    fn keys_do_not_print() {
        let printed = format!(
            "{:?} {:?}",
            ServerKey::new([7; 32]),
            ServerKeys::new([7; 32])
        );
        assert!(!printed.contains("7, 7"), "{printed}");
    }
}
