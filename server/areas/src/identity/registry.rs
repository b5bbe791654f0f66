//! Manages clients for operators: register, list, rotate, disable.
//!
//! A secret or key rotates in two steps, like the secrets of an API key. First the operator adds a
//! second one, and both are valid. Then the operator finishes the rotation, which removes the older
//! one. There are never more than two.

use std::collections::HashMap;

use super::assertions::registered_keys;
use super::client_keys::{ClientKey, put_key};
use super::clients::{Client, Kind, add_secret};
use super::error::ServerError;
use super::tokens;
use crate::audit::AuditContext;
use crate::params;
use crate::store::{StoreError, Tx};

/// The maximum of secrets, or keys, of a client.
pub const MAX_CREDENTIALS: i64 = 2;

/// Why a client cannot be registered or changed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum RegistryError {
    /// The identifier is in use.
    #[error("there is a client {0} already")]
    Taken(String),
    /// The identifier is invalid.
    #[error("an identifier has 1 to 255 characters: letters, digits and -._~")]
    Identifier,
    /// No client has the identifier.
    #[error("there is no client {0}")]
    Unknown(String),
    /// A rotation is in progress.
    #[error("client {0} has two already: run the command with --finish first")]
    TwoAlready(String),
    /// More keys than a client can have.
    #[error(
        "a client has at most {MAX_CREDENTIALS} keys, and the file has {0}: remove those that the \
         client does not sign with"
    )]
    TooMany(usize),
    /// Two different keys with the same identifier.
    #[error("two different keys have the kid {0}: give the new one another kid")]
    SameKid(String),
    /// The credential or the issuer does not belong to this kind of client.
    #[error("{0}")]
    Unfit(&'static str),
    /// The store failed.
    #[error(transparent)]
    Server(#[from] ServerError),
}

impl From<StoreError> for RegistryError {
    fn from(error: StoreError) -> Self {
        RegistryError::Server(error.into())
    }
}

const NOTHING_TO_ROTATE: RegistryError =
    RegistryError::Unfit("a public client has nothing to rotate");

const SAML_ISSUER: RegistryError = RegistryError::Unfit(
    "only a client of the kind saml has an issuer of SAML assertions (--saml-issuer)",
);

/// The credentials of a client.
#[derive(Debug, Clone)]
pub enum Proof {
    /// Nothing: a public client.
    None,
    /// A secret of a confidential client.
    Secret(String),
    /// Keys that assertions are signed with.
    Keys(Vec<ClientKey>),
}

impl Proof {
    fn suits(&self, kind: Kind) -> Result<(), RegistryError> {
        match (kind, self) {
            (Kind::Public, Proof::None)
            | (Kind::Confidential, Proof::Secret(_))
            | (Kind::Assertion | Kind::Saml, Proof::Keys(_)) => Ok(()),
            (Kind::Assertion | Kind::Saml, _) => Err(RegistryError::Unfit(
                "a client of this kind needs the key that its assertions are signed with (--key)",
            )),
            (Kind::Public, _) => Err(RegistryError::Unfit("a public client has no credentials")),
            (Kind::Confidential, _) => {
                Err(RegistryError::Unfit("a confidential client has secrets"))
            }
        }
    }

    fn add(&self, tx: &mut Tx<'_>, by: &AuditContext, id: &str) -> Result<(), StoreError> {
        match self {
            Proof::None => Ok(()),
            Proof::Secret(secret) => add_secret(tx, by.server_keys(), id, secret, by.now()),
            // Each key is a millisecond newer than the one before, for `finish`.
            Proof::Keys(keys) => keys
                .iter()
                .zip(by.now()..)
                .try_for_each(|(key, at)| put_key(tx, id, key, at)),
        }
    }
}

/// Registers a new client.
///
/// # Errors
///
/// When it exists, the credentials or the issuer are not of its kind, or there are too many keys.
pub fn register(
    tx: &mut Tx<'_>,
    by: &AuditContext,
    client: &Client,
    proof: &Proof,
) -> Result<(), RegistryError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._~".contains(c);
    if client.id.is_empty() || client.id.len() > 255 || !client.id.chars().all(plain) {
        return Err(RegistryError::Identifier);
    }
    proof.suits(client.kind)?;
    if client.kind != Kind::Saml && client.saml_issuer.is_some() {
        return Err(SAML_ISSUER);
    }
    let same_id = "SELECT 1 FROM oauth_clients WHERE id = $1";
    if tx.exists(same_id, params![&client.id])? {
        return Err(RegistryError::Taken(client.id.clone()));
    }
    if let Proof::Keys(keys) = proof
        && keys.len() as i64 > MAX_CREDENTIALS
    {
        return Err(RegistryError::TooMany(keys.len()));
    }
    check_identifiers(tx, &client.id, proof)?;
    client.save(tx, by.now())?;
    proof.add(tx, by, &client.id)?;
    by.record(
        tx,
        "identity.client.registered",
        &client.id,
        client.kind.as_str(),
    )?;
    Ok(())
}

/// Adds a second secret or key to a client.
///
/// # Errors
///
/// When there are two already, the credentials are not of the client's kind, or a different key has
/// the same identifier.
pub fn rotate(
    tx: &mut Tx<'_>,
    by: &AuditContext,
    id: &str,
    proof: &Proof,
) -> Result<(), RegistryError> {
    proof.suits(kind(tx, id)?)?;
    let (table, more) = match proof {
        Proof::None => return Err(NOTHING_TO_ROTATE),
        Proof::Secret(_) => ("oauth_client_secrets", 1),
        Proof::Keys(keys) => ("oauth_client_keys", keys.len() as i64),
    };
    let there = tx.query_integer(
        &format!("SELECT COUNT(*) FROM {table} WHERE client_id = $1"),
        params![id],
    )?;
    if there + more > MAX_CREDENTIALS {
        return Err(RegistryError::TwoAlready(id.to_owned()));
    }
    check_identifiers(tx, id, proof)?;
    proof.add(tx, by, id)?;
    by.record(tx, "identity.client.rotated", id, "both are valid")?;
    Ok(())
}

/// Checks that no new key replaces a different one, which would then be invalid at once. The same
/// key may come again, with a renewed certificate.
fn check_identifiers(tx: &mut Tx<'_>, id: &str, proof: &Proof) -> Result<(), RegistryError> {
    let Proof::Keys(keys) = proof else {
        return Ok(());
    };
    let mut known = registered_keys(tx, id)?;
    for key in keys {
        let differs = |one: &ClientKey| one.kid == key.kid && one.modulus != key.modulus;
        if known.iter().any(differs) {
            return Err(RegistryError::SameKid(key.kid.clone()));
        }
        known.push(key.clone());
    }
    Ok(())
}

/// Finishes a rotation: the newest secret or key stays, which is the last one of a JWK Set. Returns
/// the number of removed ones.
///
/// # Errors
///
/// When the client does not exist.
pub fn finish(tx: &mut Tx<'_>, by: &AuditContext, id: &str) -> Result<u64, RegistryError> {
    let table = match kind(tx, id)? {
        Kind::Public => return Err(NOTHING_TO_ROTATE),
        Kind::Confidential => "oauth_client_secrets",
        Kind::Assertion | Kind::Saml => "oauth_client_keys",
    };
    let gone = tx.execute(
        &format!(
            "DELETE FROM {table} WHERE client_id = $1 AND created_at < \
             (SELECT MAX(created_at) FROM {table} WHERE client_id = $1)"
        ),
        params![id],
    )?;
    if gone > 0 {
        by.record(
            tx,
            "identity.client.rotated",
            id,
            "the older one was removed",
        )?;
    }
    Ok(gone)
}

/// Disables or enables a client. Its tokens follow at once.
///
/// # Errors
///
/// When the client does not exist.
pub fn set_disabled(
    tx: &mut Tx<'_>,
    by: &AuditContext,
    id: &str,
    disabled: bool,
) -> Result<(), RegistryError> {
    let changed = tx.execute(
        "UPDATE oauth_clients SET disabled = $1 WHERE id = $2",
        params![disabled, id],
    )?;
    if changed == 0 {
        return Err(RegistryError::Unknown(id.to_owned()));
    }
    tokens::changed(tx)?;
    let action = match disabled {
        true => "identity.client.disabled",
        false => "identity.client.enabled",
    };
    by.record(tx, action, id, "")?;
    Ok(())
}

/// A client, for operators.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Listing {
    /// Its identifier.
    pub id: String,
    /// Its name.
    pub name: String,
    /// How it authenticates.
    pub kind: String,
    /// Its roles, separated by spaces.
    pub roles: String,
    /// The number of its secrets or keys.
    pub proofs: i64,
    /// The algorithms of its assertions, if it signs any; separated by spaces.
    pub algorithms: String,
    /// The keys of its assertions.
    pub keys: Vec<KeyListing>,
    /// Whether it is disabled.
    pub disabled: bool,
    /// Lifetime of its access tokens, in seconds.
    pub access_token_seconds: i64,
    /// Whether its assertions are checked strictly.
    pub strict: bool,
    /// The time of its registration, in Unix milliseconds.
    pub created_at: i64,
}

/// A key of a client, for operators.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct KeyListing {
    /// The identifier of the key in the header of a JWT.
    pub kid: String,
    /// The other identifier: the SHA-1 thumbprint of its certificate, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x5t: Option<String>,
    /// The algorithm of JWTs that it signs.
    pub algorithm: String,
}

impl KeyListing {
    /// The listed form of a key that is to be registered.
    pub fn of(key: &ClientKey) -> KeyListing {
        KeyListing {
            kid: key.kid.clone(),
            x5t: key.x5t.clone(),
            algorithm: key.algorithm.as_str().to_owned(),
        }
    }
}

/// All clients, by identifier.
pub fn list(tx: &mut Tx<'_>) -> Result<Vec<Listing>, StoreError> {
    let rows = tx.query(
        "SELECT id, name, kind, roles, disabled, access_token_seconds, strict, created_at, \
         (SELECT COUNT(*) FROM oauth_client_secrets s WHERE s.client_id = c.id) + \
         (SELECT COUNT(*) FROM oauth_client_keys k WHERE k.client_id = c.id) \
         FROM oauth_clients c ORDER BY id",
        &[],
    )?;
    let mut keys = keys(tx)?;
    rows.iter()
        .map(|row| {
            let (id, kind): (String, String) = (row.get(0)?, row.get(2)?);
            let keys = keys.remove(&id).unwrap_or_default();
            Ok(Listing {
                name: row.get(1)?,
                roles: row.get(3)?,
                disabled: row.get(4)?,
                access_token_seconds: row.get(5)?,
                strict: row.get(6)?,
                created_at: row.get(7)?,
                proofs: row.get(8)?,
                algorithms: match kind == Kind::Assertion.as_str() {
                    true => algorithms(&keys),
                    false => String::new(),
                },
                id,
                kind,
                keys,
            })
        })
        .collect()
}

/// The keys of all clients, by client, the newest last.
fn keys(tx: &mut Tx<'_>) -> Result<HashMap<String, Vec<KeyListing>>, StoreError> {
    let rows = tx.query(
        "SELECT client_id, kid, x5t, algorithm FROM oauth_client_keys ORDER BY created_at, kid",
        &[],
    )?;
    let mut keys: HashMap<String, Vec<KeyListing>> = HashMap::new();
    for row in rows {
        keys.entry(row.get(0)?).or_default().push(KeyListing {
            kid: row.get(1)?,
            x5t: row.get(2)?,
            algorithm: row.get(3)?,
        });
    }
    Ok(keys)
}

/// The registered algorithms of these keys, each once.
fn algorithms(keys: &[KeyListing]) -> String {
    let mut names: Vec<_> = keys.iter().map(|key| key.algorithm.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names.join(" ")
}

fn kind(tx: &mut Tx<'_>, id: &str) -> Result<Kind, RegistryError> {
    let row = tx
        .query_opt("SELECT kind FROM oauth_clients WHERE id = $1", params![id])?
        .ok_or_else(|| RegistryError::Unknown(id.to_owned()))?;
    let kind: String = row.get(0)?;
    let corrupt = RegistryError::Server(ServerError::Corrupt("kind of a client"));
    Kind::parse(&kind).ok_or(corrupt)
}
