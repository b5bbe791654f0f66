//! The signing keys of tokens: RSA 2048, for RS256.
//!
//! The signing keys are in the database, so that every replica signs and verifies with the same
//! ones. The private half is encrypted (AES-256-GCM) under a key that is derived from the server
//! key, which is not in the database. The ciphertext begins with the name of that server key. A new
//! key is published some time before it signs, so that caches of the JWK Set contain it in time. An
//! old key stays published until the last token that it can have signed has expired, unless an
//! operator removes it after a leak.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use aws_lc_rs::aead::{Aad, LessSafeKey, NONCE_LEN, Nonce};
use aws_lc_rs::encoding::AsDer;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::{KeyPair, KeySize};
use aws_lc_rs::signature::{KeyPair as _, RSA_PKCS1_SHA256, RsaKeyPair};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::DecodingKey;
use zeroize::Zeroizing;

use super::thumbprint::thumbprint;
use super::tokens;
use crate::kernel::ServerKeys;
use crate::kernel::server_keys::KeyName;
use crate::params;
use crate::store::{Row, StoreError, Tx};

/// The lifetime of a cached JWK Set, in seconds. It is also the time between the publication of a
/// key and its first use.
pub const CACHED_SECONDS: i64 = 300;

/// Why a signing key cannot be used.
#[derive(Debug, Clone, thiserror::Error)]
pub enum KeyError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No key has been created.
    #[error("there is no signing key")]
    None,
    /// The private half cannot be decrypted: it was written under another
    /// server key.
    #[error("signing key {0} cannot be decrypted: is this the server key it was made with?")]
    Sealed(String),
    /// The cryptographic library failed.
    #[error("signing key: {0}")]
    Crypto(&'static str),
}

/// The public half of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicKey {
    /// Its identifier: the thumbprint of RFC 7638.
    pub kid: String,
    /// RSA modulus, base64url.
    pub modulus: String,
    /// RSA exponent, base64url.
    pub exponent: String,
}

/// A key, for operators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyListing {
    /// The public half.
    pub key: PublicKey,
    /// The time of its creation, in Unix milliseconds.
    pub created_at: i64,
    /// The time from which it signs.
    pub active_from: i64,
    /// The time at which it expires, if it has a successor.
    pub expires_at: Option<i64>,
}

/// A key pair in memory.
pub struct SigningKey {
    kid: String,
    pair: RsaKeyPair,
}

impl SigningKey {
    /// The key's identifier, for the header of signed tokens.
    pub fn kid(&self) -> &str {
        &self.kid
    }

    /// The RS256 signature of a message.
    ///
    /// # Errors
    ///
    /// When the cryptographic library fails.
    pub fn sign(&self, message: &[u8]) -> Result<Vec<u8>, KeyError> {
        let mut signature = vec![0; self.pair.public_modulus_len()];
        self.pair
            .sign(
                &RSA_PKCS1_SHA256,
                &SystemRandom::new(),
                message,
                &mut signature,
            )
            .map_err(|_| KeyError::Crypto("signing failed"))?;
        Ok(signature)
    }
}

/// A new key pair that is not stored yet. Generating one takes a good part of a second.
pub struct NewKey {
    public: PublicKey,
    pkcs8: Zeroizing<Vec<u8>>,
}

impl NewKey {
    /// Generates a key pair. Slow: not for a thread that serves requests.
    ///
    /// # Errors
    ///
    /// When the cryptographic library fails.
    pub fn generate() -> Result<NewKey, KeyError> {
        let pair = KeyPair::generate(KeySize::Rsa2048)
            .map_err(|_| KeyError::Crypto("no key pair could be made"))?;
        let pkcs8 = AsDer::<aws_lc_rs::encoding::Pkcs8V1Der<'_>>::as_der(&pair)
            .map_err(|_| KeyError::Crypto("the key pair cannot be written"))?;
        let public = pair.public_key();
        let modulus = public.modulus();
        let exponent = public.exponent();
        Ok(NewKey {
            public: PublicKey::new(
                URL_SAFE_NO_PAD.encode(modulus.big_endian_without_leading_zero()),
                URL_SAFE_NO_PAD.encode(exponent.big_endian_without_leading_zero()),
            ),
            pkcs8: Zeroizing::new(pkcs8.as_ref().to_vec()),
        })
    }

    /// The public half.
    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    /// The private half in PKCS #8, for a client.
    pub fn pkcs8(&self) -> &[u8] {
        &self.pkcs8
    }
}

impl PublicKey {
    /// The key in the form that verifies signatures, if it is valid.
    pub fn verifier(&self) -> Option<Arc<DecodingKey>> {
        DecodingKey::from_rsa_components(&self.modulus, &self.exponent)
            .ok()
            .map(Arc::new)
    }

    fn new(modulus: String, exponent: String) -> PublicKey {
        PublicKey {
            kid: thumbprint(&modulus, &exponent),
            modulus,
            exponent,
        }
    }
}

/// The signing keys of the database, and the decrypted ones in memory.
pub struct SigningKeys {
    server_keys: ServerKeys,
    opened: RwLock<HashMap<String, Arc<SigningKey>>>,
}

impl SigningKeys {
    /// The signing keys that are encrypted under these server keys.
    pub fn new(server_keys: &ServerKeys) -> SigningKeys {
        SigningKeys {
            server_keys: server_keys.clone(),
            opened: RwLock::default(),
        }
    }

    /// Stores a key pair that signs from `active_from` on. The other keys expire as soon as no
    /// token that they have signed can be valid.
    ///
    /// # Errors
    ///
    /// When the store or the cryptographic library fails.
    pub fn add(
        &self,
        tx: &mut Tx<'_>,
        key: &NewKey,
        active_from: i64,
        now: i64,
    ) -> Result<(), KeyError> {
        let longest = tx
            .query_opt("SELECT MAX(access_token_seconds) FROM oauth_clients", &[])?
            .map_or(Ok(None), |row| row.get::<Option<i64>>(0))?;
        let expires_at = active_from + (longest.unwrap_or(0) + CACHED_SECONDS) * 1000;
        tx.execute(
            "UPDATE signing_keys SET expires_at = $1 WHERE expires_at IS NULL",
            params![expires_at],
        )?;
        // A key that would begin to sign later than this one would follow it again. It has signed
        // nothing yet, so it is deleted.
        tx.execute(
            "DELETE FROM signing_keys WHERE active_from > $1",
            params![active_from],
        )?;
        tx.execute(
            "INSERT INTO signing_keys \
             (kid, modulus, exponent, sealed, created_at, active_from, expires_at) \
             VALUES ($1, $2, $3, $4, $5, $6, NULL)",
            params![
                &key.public.kid,
                &key.public.modulus,
                &key.public.exponent,
                self.sealed(&key.public.kid, &key.pkcs8)?,
                now,
                active_from,
            ],
        )?;
        tx.execute(
            "DELETE FROM signing_keys WHERE expires_at <= $1",
            params![now],
        )?;
        // All replicas verify with it at once.
        tokens::changed(tx)?;
        Ok(())
    }

    /// Stores the first key pair of a new store, which signs at once. Does nothing if there is a
    /// key already.
    ///
    /// # Errors
    ///
    /// As [`SigningKeys::add`].
    pub fn add_first(&self, tx: &mut Tx<'_>, key: &NewKey, now: i64) -> Result<(), KeyError> {
        match has_key(tx)? {
            true => Ok(()),
            false => self.add(tx, key, now, now),
        }
    }

    /// The key that signs now.
    ///
    /// # Errors
    ///
    /// When there is no key, or it cannot be decrypted.
    pub fn current(&self, tx: &mut Tx<'_>, now: i64) -> Result<Arc<SigningKey>, KeyError> {
        let row = tx
            .query_opt(
                "SELECT kid FROM signing_keys WHERE active_from <= $1 \
                 ORDER BY active_from DESC, kid LIMIT 1",
                params![now],
            )?
            .ok_or(KeyError::None)?;
        let kid: String = row.get(0)?;
        let opened = self.opened.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(key) = opened.get(&kid) {
            return Ok(Arc::clone(key));
        }
        drop(opened);
        let row = tx
            .query_opt(
                "SELECT sealed FROM signing_keys WHERE kid = $1",
                params![&kid],
            )?
            .ok_or(KeyError::None)?;
        let key = Arc::new(self.open(kid.clone(), row.get(0)?)?);
        // The previous key no longer signs.
        let mut opened = self.opened.write().unwrap_or_else(PoisonError::into_inner);
        opened.clear();
        opened.insert(kid, Arc::clone(&key));
        Ok(key)
    }

    /// Encrypts every key under the current server key that is encrypted under an older one.
    ///
    /// # Errors
    ///
    /// When the store fails, or a key cannot be decrypted.
    pub fn reseal(&self, tx: &mut Tx<'_>) -> Result<(), KeyError> {
        for row in tx.query("SELECT kid, sealed FROM signing_keys", &[])? {
            let (kid, sealed): (String, Vec<u8>) = (row.get(0)?, row.get(1)?);
            if !self.server_keys.is_outdated(&sealed) {
                continue;
            }
            let pkcs8 = self.unsealed(&kid, &sealed)?;
            tx.execute(
                "UPDATE signing_keys SET sealed = $2 WHERE kid = $1",
                params![&kid, self.sealed(&kid, &pkcs8)?],
            )?;
        }
        Ok(())
    }

    fn sealed(&self, kid: &str, pkcs8: &[u8]) -> Result<Vec<u8>, KeyError> {
        let name = self.server_keys.ring().current();
        let cipher = self.cipher(name.as_bytes()).ok_or(KeyError::None)?;
        let mut nonce = [0; NONCE_LEN];
        aws_lc_rs::rand::fill(&mut nonce).map_err(|_| KeyError::Crypto("no randomness"))?;
        let mut text = pkcs8.to_vec();
        let sealed = cipher.seal_in_place_append_tag(
            Nonce::assume_unique_for_key(nonce),
            Aad::from(kid.as_bytes()),
            &mut text,
        );
        sealed.map_err(|_| KeyError::Crypto("the key pair cannot be encrypted"))?;
        Ok([name.as_bytes(), &nonce, &text].concat())
    }

    /// The private half of a key.
    fn unsealed(&self, kid: &str, sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>, KeyError> {
        let failed = || KeyError::Sealed(kid.to_owned());
        let cipher = self.cipher(sealed).ok_or_else(failed)?;
        let rest = KeyName::of(sealed).and_then(|name| sealed.get(name.as_bytes().len()..));
        let parts = rest.and_then(|rest| rest.split_at_checked(NONCE_LEN));
        let (nonce, text) = parts.ok_or_else(failed)?;
        let mut text = Zeroizing::new(text.to_vec());
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| failed())?;
        let opened = cipher.open_in_place(nonce, Aad::from(kid.as_bytes()), &mut text);
        let length = opened.map_err(|_| failed())?.len();
        text.truncate(length);
        Ok(text)
    }

    fn open(&self, kid: String, sealed: Vec<u8>) -> Result<SigningKey, KeyError> {
        let pkcs8 = self.unsealed(&kid, &sealed)?;
        let pair = RsaKeyPair::from_pkcs8(&pkcs8)
            .map_err(|_| KeyError::Crypto("the stored key pair cannot be read"))?;
        Ok(SigningKey { kid, pair })
    }

    /// The cipher of the server key that a ciphertext names.
    fn cipher(&self, named: &[u8]) -> Option<LessSafeKey> {
        self.server_keys
            .cipher_like(named, "identity signing key encryption")
    }
}

/// Whether a key was created.
pub fn has_key(tx: &mut Tx<'_>) -> Result<bool, StoreError> {
    tx.exists("SELECT kid FROM signing_keys LIMIT 1", &[])
}

/// Removes all other keys, so that tokens under them become invalid.
pub fn remove_others(tx: &mut Tx<'_>, kid: &str) -> Result<(), StoreError> {
    tx.execute("DELETE FROM signing_keys WHERE kid <> $1", params![kid])?;
    Ok(())
}

/// The time from which the newest key signs.
pub fn newest(tx: &mut Tx<'_>) -> Result<Option<i64>, StoreError> {
    let row = tx.query_opt("SELECT MAX(active_from) FROM signing_keys", &[])?;
    row.map_or(Ok(None), |row| row.get(0))
}

/// The public half of a key that verifies tokens.
pub fn verifying(tx: &mut Tx<'_>, kid: &str, now: i64) -> Result<Option<PublicKey>, StoreError> {
    tx.query_opt(
        "SELECT kid, modulus, exponent FROM signing_keys \
         WHERE kid = $1 AND (expires_at IS NULL OR expires_at > $2)",
        params![kid, now],
    )?
    .map(|row| public_key(&row))
    .transpose()
}

/// Every published key: the one that signs now, its predecessors, and its successors.
pub fn published(tx: &mut Tx<'_>, now: i64) -> Result<Vec<KeyListing>, StoreError> {
    let rows = tx.query(
        "SELECT kid, modulus, exponent, created_at, active_from, expires_at FROM signing_keys \
         WHERE expires_at IS NULL OR expires_at > $1 ORDER BY active_from DESC, kid",
        params![now],
    )?;
    let mut listings = Vec::new();
    for row in rows {
        listings.push(KeyListing {
            key: public_key(&row)?,
            created_at: row.get(3)?,
            active_from: row.get(4)?,
            expires_at: row.get(5)?,
        });
    }
    // The sort is stable: the current key is first, future keys are last.
    listings.sort_by_key(|listing| listing.active_from > now);
    Ok(listings)
}

fn public_key(row: &Row) -> Result<PublicKey, StoreError> {
    Ok(PublicKey {
        kid: row.get(0)?,
        modulus: row.get(1)?,
        exponent: row.get(2)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_key_opens_under_the_same_server_key_and_name_only() {
        let keys = SigningKeys::new(&ServerKeys::new([1; 32]));
        let key = NewKey::generate().unwrap();
        let kid = key.public().kid.clone();
        let sealed = keys.sealed(&kid, key.pkcs8()).unwrap();
        assert!(keys.open(kid.clone(), sealed.clone()).is_ok());
        assert!(keys.open("another".into(), sealed.clone()).is_err());
        assert!(keys.open(kid.clone(), sealed[..8].to_vec()).is_err());
        let other = SigningKeys::new(&ServerKeys::new([2; 32]));
        assert!(matches!(other.open(kid, sealed), Err(KeyError::Sealed(_))));
    }
}
