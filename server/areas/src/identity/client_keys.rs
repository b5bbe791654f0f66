//! The registered keys of clients, with which they sign assertions.
//!
//! An operator has them in one of the formats of key tools: a certificate or a public key in PEM, a
//! JWK or a JWK Set. A certificate only contains a key here. It is pinned, so a signature under it
//! proves nothing, and rotation replaces it before it expires. JWKs are parsed here:
//! the type of `jsonwebtoken` ignores the private half, which must be rejected, and is not shorter.

use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use aws_lc_rs::io::Positive;
use aws_lc_rs::rsa::PublicKey;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;
use x509_cert::certificate::{CertificateInner, Raw};
use x509_cert::der::{Decode, Encode};

use super::thumbprint::thumbprint;
use crate::params;
use crate::store::{StoreError, Tx};

/// The algorithm with which a client signs JWTs. It is pinned when the key is registered: an
/// assertion does not choose how it is verified.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    #[default]
    Rs256,
    /// RSASSA-PKCS1-v1_5 with SHA-384.
    Rs384,
    /// RSASSA-PKCS1-v1_5 with SHA-512.
    Rs512,
    /// RSASSA-PSS with SHA-256.
    Ps256,
    /// RSASSA-PSS with SHA-384.
    Ps384,
    /// RSASSA-PSS with SHA-512.
    Ps512,
}

crate::names! {
    /// The algorithm's name in the header of a JWT (RFC 7518).
    Algorithm {
        Rs256 = "RS256",
        Rs384 = "RS384",
        Rs512 = "RS512",
        Ps256 = "PS256",
        Ps384 = "PS384",
        Ps512 = "PS512",
    }
}

impl Algorithm {
    /// The algorithm for the library that verifies.
    pub const fn verifier(self) -> jsonwebtoken::Algorithm {
        match self {
            Algorithm::Rs256 => jsonwebtoken::Algorithm::RS256,
            Algorithm::Rs384 => jsonwebtoken::Algorithm::RS384,
            Algorithm::Rs512 => jsonwebtoken::Algorithm::RS512,
            Algorithm::Ps256 => jsonwebtoken::Algorithm::PS256,
            Algorithm::Ps384 => jsonwebtoken::Algorithm::PS384,
            Algorithm::Ps512 => jsonwebtoken::Algorithm::PS512,
        }
    }
}

/// A public key of a client, for its assertions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientKey {
    /// Identifier in the header of an assertion.
    pub kid: String,
    /// SHA-1 thumbprint of the client's certificate, base64url, if it has one.
    pub x5t: Option<String>,
    /// RSA modulus, base64url.
    pub modulus: String,
    /// RSA exponent, base64url.
    pub exponent: String,
    /// The algorithm of JWTs that it signs.
    pub algorithm: Algorithm,
}

/// Registers a key of a client, in place of the one with the same identifier.
pub fn put_key(
    tx: &mut Tx<'_>,
    client_id: &str,
    key: &ClientKey,
    now: i64,
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO oauth_client_keys \
         (client_id, kid, x5t, modulus, exponent, algorithm, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (client_id, kid) DO UPDATE SET \
         x5t = excluded.x5t, modulus = excluded.modulus, exponent = excluded.exponent, \
         algorithm = excluded.algorithm",
        params![
            client_id,
            &key.kid,
            key.x5t.clone(),
            &key.modulus,
            &key.exponent,
            key.algorithm.as_str(),
            now,
        ],
    )?;
    Ok(())
}

/// Why keys of a file cannot be registered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyFileError {
    /// Neither PEM nor JSON.
    #[error("expected a certificate or a public key in PEM, a JWK or a JWK Set")]
    Form,
    /// The private half, which stays with the client.
    #[error("this is a private key: register its public half")]
    Private,
    /// Not an RSA key, or one that cannot be read.
    #[error("expected an RSA key of 2048 bits or more")]
    Key,
    /// A JWK for an unsupported algorithm.
    #[error(
        "the key is for another algorithm: expected RS256, RS384, RS512, PS256, PS384 or PS512"
    )]
    Algorithm,
    /// No key in a JWK Set.
    #[error("the JWK Set has no keys")]
    Empty,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Jwks {
    Set { keys: Vec<Jwk> },
    One(Jwk),
}

#[derive(Deserialize)]
struct Jwk {
    kty: String,
    kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "x5t")]
    thumbprint: Option<String>,
    n: Option<String>,
    e: Option<String>,
    d: Option<serde_json::Value>,
}

impl ClientKey {
    /// Reads the keys of a file, for this algorithm if there is one.
    ///
    /// # Errors
    ///
    /// As [`ClientKey::read`].
    pub fn read_for(
        text: &str,
        algorithm: Option<Algorithm>,
    ) -> Result<Vec<ClientKey>, KeyFileError> {
        let mut keys = ClientKey::read(text)?;
        for key in &mut keys {
            key.algorithm = algorithm.unwrap_or(key.algorithm);
        }
        Ok(keys)
    }

    /// Reads the keys of a file. The name of a key without one is its thumbprint (RFC 7638).
    ///
    /// # Errors
    ///
    /// If the file has no keys, or they cannot be registered.
    pub fn read(text: &str) -> Result<Vec<ClientKey>, KeyFileError> {
        if text.trim_start().starts_with('{') {
            let jwks = serde_json::from_str(text).map_err(|_| KeyFileError::Form)?;
            let keys = match jwks {
                Jwks::Set { keys } => keys,
                Jwks::One(key) => vec![key],
            };
            let keys: Vec<_> = keys
                .into_iter()
                .map(ClientKey::of_jwk)
                .collect::<Result<_, _>>()?;
            return match keys.is_empty() {
                true => Err(KeyFileError::Empty),
                false => Ok(keys),
            };
        }
        let pem = pem::parse(text).map_err(|_| KeyFileError::Form)?;
        let der = pem.contents();
        match pem.tag() {
            "CERTIFICATE" => {
                let x5t = digest(&SHA1_FOR_LEGACY_USE_ONLY, der);
                let mut key = ClientKey::of_der(&public_key_of(der).ok_or(KeyFileError::Key)?)?;
                key.x5t = Some(URL_SAFE_NO_PAD.encode(x5t));
                Ok(vec![key])
            }
            "PUBLIC KEY" | "RSA PUBLIC KEY" => Ok(vec![ClientKey::of_der(der)?]),
            tag if tag.ends_with("PRIVATE KEY") => Err(KeyFileError::Private),
            _ => Err(KeyFileError::Form),
        }
    }

    fn of_jwk(jwk: Jwk) -> Result<ClientKey, KeyFileError> {
        if jwk.d.is_some() {
            return Err(KeyFileError::Private);
        }
        let (Some(n), Some(e)) = (jwk.n, jwk.e) else {
            return Err(KeyFileError::Key);
        };
        let bytes = |text: &str| URL_SAFE_NO_PAD.decode(text).map_err(|_| KeyFileError::Key);
        let (modulus, exponent) = (bytes(&n)?, bytes(&e)?);
        if jwk.kty != "RSA" {
            return Err(KeyFileError::Key);
        }
        let mut key = ClientKey::of_components(&modulus, &exponent)?;
        key.kid = jwk.kid.unwrap_or(key.kid);
        key.x5t = jwk.thumbprint;
        if let Some(alg) = jwk.alg {
            key.algorithm = Algorithm::parse(&alg).ok_or(KeyFileError::Algorithm)?;
        }
        Ok(key)
    }

    fn of_der(der: &[u8]) -> Result<ClientKey, KeyFileError> {
        let key = PublicKey::from_der(der).map_err(|_| KeyFileError::Key)?;
        let number = |number: Positive<'_>| number.big_endian_without_leading_zero().to_vec();
        ClientKey::of_components(&number(key.modulus()), &number(key.exponent()))
    }

    fn of_components(modulus: &[u8], exponent: &[u8]) -> Result<ClientKey, KeyFileError> {
        let significant = |number: &[u8]| {
            let zeros = number.iter().take_while(|byte| **byte == 0).count();
            number[zeros..].to_vec()
        };
        let modulus = significant(modulus);
        if !(256..=1024).contains(&modulus.len()) {
            return Err(KeyFileError::Key);
        }
        let modulus = URL_SAFE_NO_PAD.encode(modulus);
        let exponent = URL_SAFE_NO_PAD.encode(significant(exponent));
        Ok(ClientKey {
            kid: thumbprint(&modulus, &exponent),
            x5t: None,
            modulus,
            exponent,
            algorithm: Algorithm::default(),
        })
    }
}

/// The SubjectPublicKeyInfo of a certificate (RFC 5280, section 4.1). Only the key is used,
/// so the serial number need not conform.
fn public_key_of(certificate: &[u8]) -> Option<Vec<u8>> {
    let certificate = CertificateInner::<Raw>::from_der(certificate).ok()?;
    let key = certificate.tbs_certificate.subject_public_key_info;
    key.to_der().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a key whose private half was deleted.
    const CERTIFICATE: &str = include_str!("../../../tests/data/certificate.pem");

    #[test]
    fn a_certificate_gives_its_key_and_thumbprint() {
        let keys = ClientKey::read(CERTIFICATE).unwrap();
        let [key] = keys.as_slice() else {
            panic!("{keys:?}")
        };
        assert_eq!(key.x5t.as_deref(), Some("xHNTCGY7Tmvhw_Z3tsE8PHuxWc0"));
        assert_eq!(key.exponent, "AQAB");
        let modulus = URL_SAFE_NO_PAD.decode(&key.modulus).unwrap();
        assert_eq!(modulus[..4], [0xb3, 0xd2, 0x0a, 0xa6]);
        assert_eq!(modulus.len(), 256);
    }

    #[test]
    fn a_jwk_is_the_same_key_with_its_own_name() {
        let of_certificate = &ClientKey::read(CERTIFICATE).unwrap()[0];
        let ClientKey {
            modulus, exponent, ..
        } = of_certificate;
        let jwk = format!(r#"{{"kty":"RSA","n":"{modulus}","e":"{exponent}"}}"#);
        assert_eq!(ClientKey::read(&jwk).unwrap()[0].kid, of_certificate.kid);
        let set = jwk.replace("\"kty\"", "\"kid\":\"one\",\"alg\":\"PS384\",\"kty\"");
        let set = format!(r#"{{"keys":[{set}]}}"#);
        let key = &ClientKey::read(&set).unwrap()[0];
        assert_eq!((key.kid.as_str(), key.algorithm), ("one", Algorithm::Ps384));
        let other = set.replace("PS384", "HS256");
        assert_eq!(ClientKey::read(&other), Err(KeyFileError::Algorithm));
    }

    #[test]
    fn a_file_without_a_valid_public_key_is_rejected() {
        let private = CERTIFICATE.replace("CERTIFICATE", "PRIVATE KEY");
        let cut = CERTIFICATE.replace("MIIDDTCC", "MIIDDTCA");
        let short = r#"{"kty":"RSA","n":"AQAB","e":"AQAB"}"#;
        for (text, error) in [
            ("", KeyFileError::Form),
            ("{}", KeyFileError::Form),
            (r#"{"keys":[]}"#, KeyFileError::Empty),
            (r#"{"kty":"EC"}"#, KeyFileError::Key),
            (
                r#"{"kty":"RSA","n":"AQAB","e":"AQAB","d":"AQAB"}"#,
                KeyFileError::Private,
            ),
            (short, KeyFileError::Key),
            (&private, KeyFileError::Private),
            (&cut, KeyFileError::Key),
        ] {
            assert_eq!(ClientKey::read(text), Err(error), "{text}");
        }
    }

    #[test]
    fn no_encoding_makes_the_reader_panic() {
        let der = pem::parse(CERTIFICATE).unwrap().into_contents();
        for end in 0..der.len() {
            assert_eq!(public_key_of(&der[..end]), None);
        }
        for at in 0..64 {
            let mut broken = der.clone();
            broken[at] = 0xff;
            let _ = public_key_of(&broken);
        }
    }
}
