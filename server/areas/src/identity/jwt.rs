//! Client authentication with signed JWTs (RFC 7523, section 3).
//!
//! The server trusts no claim of an assertion before it has verified the signature, with a key that
//! is registered for the client and that key's one algorithm. The caller learns only that
//! authentication failed.

use jsonwebtoken::{DecodingKey, Validation};
use serde::Deserialize;

use super::CLOCK_SKEW;
use super::assertions::{Audience, MAX_LIFETIME, registered_keys, remember};
use super::clients::{Client, ClientKey, Kind};
use super::error::{Refusal, ServerError};
use crate::store::Tx;

/// The type of a JWT for this purpose (RFC 10070).
const EXPLICIT_TYPE: &str = "client-authentication+jwt";
/// The other types that the header may have. Any further type belongs to tokens for other purposes.
const TYPES: [&str; 2] = ["jwt", EXPLICIT_TYPE];

#[derive(Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    aud: OneOrMany,
    exp: f64,
    nbf: Option<f64>,
    iat: Option<f64>,
    jti: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl OneOrMany {
    fn is_only(&self, name: &str) -> bool {
        match self {
            OneOrMany::One(one) => one == name,
            OneOrMany::Many(many) => matches!(many.as_slice(), [one] if one == name),
        }
    }

    fn contains(&self, name: &str) -> bool {
        match self {
            OneOrMany::One(one) => one == name,
            OneOrMany::Many(many) => many.iter().any(|one| one == name),
        }
    }
}

/// The client that the assertion claims to be from. It is not verified yet.
#[derive(Deserialize)]
struct Unverified {
    sub: String,
}

/// Finds the client that has signed a JWT.
///
/// # Errors
///
/// [`Refusal::InvalidClient`] for every JWT that is invalid.
pub(super) fn authenticate(
    tx: &mut Tx<'_>,
    audience: &Audience,
    assertion: &str,
    now: i64,
) -> Result<Client, Refusal> {
    let unreadable = |_| refused("the assertion is not a JWT");
    let header = jsonwebtoken::decode_header(assertion).map_err(unreadable)?;
    let kind = header.typ.as_deref().map(str::to_ascii_lowercase);
    if kind.as_deref().is_some_and(|kind| !TYPES.contains(&kind)) {
        return Err(refused("the type in the header is for another purpose"));
    }
    if header.crit.is_some() {
        return Err(refused("the header has critical extensions"));
    }
    let Unverified { sub } =
        jsonwebtoken::dangerous::insecure_decode_claims(assertion).map_err(unreadable)?;
    let client = Client::load(tx, &sub)?
        .filter(|client| client.kind == Kind::Assertion)
        .ok_or(refused("no client of this name signs assertions"))?;
    if client.strict && kind.as_deref() != Some(EXPLICIT_TYPE) {
        return Err(refused("the type in the header is not explicit"));
    }
    let key = registered_key(tx, &client.id, header.kid.as_deref(), header.x5t.as_deref())?.ok_or(
        refused(
            "the header names no key of the client, or the client has several and it names none",
        ),
    )?;
    if header.alg != key.algorithm.verifier() {
        return Err(refused(
            "the algorithm differs from the one registered with the key",
        ));
    }

    let claims: Claims = verified(assertion, &key)?;
    check(&claims, &client, audience, now)?;
    remember(tx, &client.id, &claims.jti, now)?;
    Ok(client)
}

/// The registered key that the header names with `kid`, `x5t` or both. A header without
/// either means the client's only key.
fn registered_key(
    tx: &mut Tx<'_>,
    client_id: &str,
    kid: Option<&str>,
    x5t: Option<&str>,
) -> Result<Option<ClientKey>, ServerError> {
    let mut keys = registered_keys(tx, client_id)?;
    if kid.is_none() && x5t.is_none() && keys.len() > 1 {
        return Ok(None);
    }
    // If a request has both, they must be the same.
    keys.retain(|key| {
        kid.is_none_or(|kid| kid == key.kid)
            && x5t.is_none_or(|x5t| Some(x5t) == key.x5t.as_deref())
    });
    Ok(keys.into_iter().next())
}

/// Verifies the signature. Times are checked by [`check`], against the
/// server's own clock.
fn verified(assertion: &str, key: &ClientKey) -> Result<Claims, Refusal> {
    let algorithm = key.algorithm.verifier();
    let key = DecodingKey::from_rsa_components(&key.modulus, &key.exponent)
        .map_err(|_| refused("the registered key cannot be used"))?;
    let mut validation = Validation::new(algorithm);
    validation.required_spec_claims.clear();
    validation.validate_exp = false;
    validation.validate_nbf = false;
    validation.validate_aud = false;
    jsonwebtoken::decode(assertion, &key, &validation)
        .map(|token| token.claims)
        .map_err(|_| refused("the signature or the claims are invalid"))
}

fn check(claims: &Claims, client: &Client, audience: &Audience, now: i64) -> Result<(), Refusal> {
    let seconds = |milliseconds: i64| milliseconds as f64 / 1000.0;
    let (now, soon) = (seconds(now), seconds(now + CLOCK_SKEW));
    if claims.iss != client.id || claims.sub != client.id {
        return Err(refused("iss and sub are not both the client"));
    }
    if !claims.aud.contains(&audience.issuer) && !claims.aud.contains(&audience.token_endpoint) {
        return Err(refused("the assertion is for another server"));
    }
    if client.strict && !claims.aud.is_only(&audience.issuer) {
        return Err(refused("the issuer identifier is not the only audience"));
    }
    if claims.exp <= now {
        return Err(refused("the assertion has expired"));
    }
    if claims.exp > soon + seconds(MAX_LIFETIME) {
        return Err(refused("the lifetime of the assertion is too long"));
    }
    if claims.nbf.is_some_and(|nbf| nbf > soon) || claims.iat.is_some_and(|iat| iat > soon) {
        return Err(refused("the assertion was issued in the future"));
    }
    if claims.jti.is_empty() || claims.jti.len() > 255 || claims.jti.contains('\0') {
        return Err(refused("the jti is empty or too long"));
    }
    Ok(())
}

fn refused(reason: &'static str) -> Refusal {
    Refusal::InvalidClient(reason.into())
}
