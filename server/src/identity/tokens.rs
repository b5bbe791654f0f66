//! Tokens: access tokens are signed JWTs (RFC 9068), refresh tokens random
//! texts that are good for one use (RFC 6749, section 6; RFC 9700, section
//! 4.14).
//!
//! All tokens that come from one approval of a user belong to it and are
//! revoked with it. Every access token has a row, by its `jti`, so that one that
//! was revoked, or that the database has never seen, is refused everywhere at
//! once although its signature is good.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde::{Deserialize, Serialize};

use std::sync::Arc;

use super::clients::Client;
use super::error::{Refusal, ServerError};
use super::keys::{self, KeyError, KeyRing, SigningKey};
use super::scopes::Scopes;
use super::users::User;
use crate::audit::{self, Actor, Event};
use crate::kernel::Pepper;
use crate::params;
use crate::store::{StoreError, Tx};

/// Whom access tokens are for: the other areas of this service.
pub const AUDIENCE: &str = "urn:accord:api";
/// Type in the header of an access token (RFC 9068, section 2.1).
const TYPE: &str = "at+jwt";
/// What refresh tokens begin with, so that they are told from other secrets.
const REFRESH_PREFIX: &str = "rt_";

/// Claims of an access token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// The issuer.
    pub iss: String,
    /// The user.
    pub sub: String,
    /// [`AUDIENCE`].
    pub aud: String,
    /// Expiry, in seconds since 1970.
    pub exp: i64,
    /// When it was issued.
    pub iat: i64,
    /// From when on it is good.
    pub nbf: i64,
    /// Identifier of the token.
    pub jti: String,
    /// The client.
    pub client_id: String,
    /// Its scopes, separated by spaces.
    pub scope: String,
    /// `AT`: an access token.
    pub tok_type: String,
    /// `user`: the subject is a user.
    pub sub_type: String,
    /// The user.
    pub user_id: String,
    /// The user's name.
    pub user_displayname: String,
}

/// An access token that has its row and still lacks its signature: signing is
/// work, and done when the transaction is over.
pub struct Unsigned {
    claims: Claims,
    key: Arc<SigningKey>,
}

impl Unsigned {
    /// Seconds for which the token is good.
    pub fn expires_in(&self) -> i64 {
        self.claims.exp - self.claims.iat
    }

    /// The scopes of the token.
    pub fn scope(&self) -> &str {
        &self.claims.scope
    }

    /// The token.
    ///
    /// # Errors
    ///
    /// When the cryptographic library fails.
    pub fn sign(&self) -> Result<String, KeyError> {
        let header = serde_json::json!({ "alg": "RS256", "typ": TYPE, "kid": self.key.kid() });
        let claims = serde_json::to_vec(&self.claims)
            .map_err(|_| KeyError::Crypto("the claims cannot be written"))?;
        let encode = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        let message = format!(
            "{}.{}",
            encode(header.to_string().as_bytes()),
            encode(&claims)
        );
        let signature = self.key.sign(message.as_bytes())?;
        Ok(format!("{message}.{}", encode(&signature)))
    }
}

/// What a transaction needs to make tokens. Randomness is drawn before it, since
/// a transaction can run more than once.
#[derive(Clone)]
pub struct Mint {
    /// The issuer.
    pub issuer: String,
    /// Identifier of the next access token.
    pub jti: String,
    /// The next refresh token.
    pub refresh_token: String,
    /// Seconds for which the refresh token waits.
    pub refresh_seconds: i64,
    /// Now, in Unix milliseconds.
    pub now: i64,
}

/// Makes a refresh token out of a random text.
pub fn refresh_token(random: &str) -> String {
    format!("{REFRESH_PREFIX}{random}")
}

/// Records what a user has approved. Tokens are issued for it.
///
/// # Errors
///
/// When the store fails.
pub fn approve(
    tx: &mut Tx<'_>,
    id: &str,
    client_id: &str,
    user_id: &str,
    scopes: &Scopes,
    now: i64,
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO approvals (id, client_id, user_id, scopes, created_at) \
         VALUES ($1, $2, $3, $4, $5)",
        params![id, client_id, user_id, scopes.to_string(), now],
    )?;
    Ok(())
}

/// Issues an access token for an approval.
///
/// # Errors
///
/// When the store fails, or there is no key to sign with.
pub fn issue_access(
    tx: &mut Tx<'_>,
    keys: &KeyRing,
    mint: &Mint,
    client: &Client,
    user: &User,
    scopes: &Scopes,
    approval_id: &str,
) -> Result<Unsigned, ServerError> {
    let issued = mint.now.div_euclid(1000);
    let expires = issued + client.access_token_seconds;
    let key = keys.current(tx, mint.now)?;
    tx.execute(
        "INSERT INTO access_tokens (jti, approval_id, expires_at) VALUES ($1, $2, $3)",
        params![&mint.jti, approval_id, expires * 1000],
    )?;
    let claims = Claims {
        iss: mint.issuer.clone(),
        sub: user.id.clone(),
        aud: AUDIENCE.into(),
        exp: expires,
        iat: issued,
        nbf: issued,
        jti: mint.jti.clone(),
        client_id: client.id.clone(),
        scope: scopes.to_string(),
        tok_type: "AT".into(),
        sub_type: "user".into(),
        user_id: user.id.clone(),
        user_displayname: user.display_name.clone(),
    };
    Ok(Unsigned { claims, key })
}

/// Issues a refresh token for an approval.
///
/// # Errors
///
/// When the store fails.
pub fn issue_refresh(
    tx: &mut Tx<'_>,
    pepper: &Pepper,
    mint: &Mint,
    approval_id: &str,
) -> Result<String, StoreError> {
    tx.execute(
        "INSERT INTO refresh_tokens (mac, approval_id, issued_at, expires_at) \
         VALUES ($1, $2, $3, $4)",
        params![
            refresh_mac(pepper, &mint.refresh_token),
            approval_id,
            mint.now,
            mint.now + mint.refresh_seconds * 1000,
        ],
    )?;
    Ok(mint.refresh_token.clone())
}

/// A refresh token, as the store knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refresh {
    /// The approval that it comes from.
    pub approval_id: String,
    /// The client it was given to.
    pub client_id: String,
    /// The user it acts for.
    pub user_id: String,
    /// The scopes that were approved.
    pub scopes: Scopes,
    /// When it was issued.
    pub issued_at: i64,
    /// When it expires.
    pub expires_at: i64,
    /// Whether it has been used.
    pub used: bool,
    /// Whether the approval was revoked.
    pub revoked: bool,
}

impl Refresh {
    /// Finds a refresh token.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn find(
        tx: &mut Tx<'_>,
        pepper: &Pepper,
        token: &str,
    ) -> Result<Option<Refresh>, ServerError> {
        if !token.starts_with(REFRESH_PREFIX) {
            return Ok(None);
        }
        let Some(row) = tx.query_opt(
            "SELECT r.approval_id, a.client_id, a.user_id, a.scopes, r.issued_at, r.expires_at, \
             r.used_at, a.revoked_at \
             FROM refresh_tokens r JOIN approvals a ON a.id = r.approval_id WHERE r.mac = $1",
            params![refresh_mac(pepper, token)],
        )?
        else {
            return Ok(None);
        };
        let scopes: String = row.get(3)?;
        Ok(Some(Refresh {
            approval_id: row.get(0)?,
            client_id: row.get(1)?,
            user_id: row.get(2)?,
            scopes: Scopes::parse(&scopes).map_err(|_| ServerError::Corrupt("approved scopes"))?,
            issued_at: row.get(4)?,
            expires_at: row.get(5)?,
            used: row.get::<Option<i64>>(6)?.is_some(),
            revoked: row.get::<Option<i64>>(7)?.is_some(),
        }))
    }

    /// Whether the token would be taken now.
    pub fn is_active(&self, now: i64) -> bool {
        !self.used && !self.revoked && self.expires_at > now
    }
}

/// Takes a refresh token out of use, for its client. A second use is the sign of
/// a theft: it revokes everything that came from the approval.
///
/// # Errors
///
/// [`Refusal::InvalidGrant`] for every token that is not good, and
/// [`Refusal::InvalidScope`] when more is wanted than was approved; the token
/// then stays good.
pub fn spend(
    tx: &mut Tx<'_>,
    pepper: &Pepper,
    token: &str,
    client_id: &str,
    wanted: Option<&Scopes>,
    origin: &str,
    now: i64,
) -> Result<Refresh, Refusal> {
    const BAD: Refusal = Refusal::InvalidGrant(
        "the refresh token is unknown, was used or revoked, or belongs to another client",
    );
    let refresh = Refresh::find(tx, pepper, token)?
        .filter(|refresh| refresh.client_id == client_id)
        .ok_or(BAD)?;
    if refresh.used && revoke_approval(tx, &refresh.approval_id, now)? {
        let event = Event {
            at: now,
            actor: Actor::Client(client_id),
            action: "identity.refresh_token.reused",
            subject: &refresh.approval_id,
            origin,
            detail: "everything of its approval has been revoked",
        };
        audit::record(tx, pepper, &event)?;
    }
    if !refresh.is_active(now) {
        return Err(BAD);
    }
    if wanted.is_some_and(|wanted| !wanted.is_subset(&refresh.scopes)) {
        return Err(Refusal::InvalidScope(
            "the scope goes beyond what the user has approved",
        ));
    }
    let changed = tx.execute(
        "UPDATE refresh_tokens SET used_at = $1 WHERE mac = $2 AND used_at IS NULL",
        params![now, refresh_mac(pepper, token)],
    )?;
    match changed {
        1 => Ok(refresh),
        _ => Err(BAD),
    }
}

/// Revokes everything that came from an approval; says whether there was
/// anything to revoke.
///
/// # Errors
///
/// When the store fails.
pub fn revoke_approval(tx: &mut Tx<'_>, id: &str, now: i64) -> Result<bool, StoreError> {
    let changed = tx.execute(
        "UPDATE approvals SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL",
        params![now, id],
    )?;
    Ok(changed == 1)
}

/// A device that is connected: an approval with a token that is still good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connected {
    /// The approval.
    pub id: String,
    /// Name of the application.
    pub client_name: String,
    /// What was approved.
    pub scopes: Scopes,
    /// When, in Unix milliseconds.
    pub created_at: i64,
}

/// The devices that are connected for a user, the newest first.
///
/// # Errors
///
/// When the store fails.
pub fn connected(tx: &mut Tx<'_>, user_id: &str, now: i64) -> Result<Vec<Connected>, ServerError> {
    let rows = tx.query(
        "SELECT a.id, c.name, a.scopes, a.created_at \
         FROM approvals a JOIN oauth_clients c ON c.id = a.client_id \
         WHERE a.user_id = $1 AND a.revoked_at IS NULL AND (\
         EXISTS (SELECT 1 FROM access_tokens t WHERE t.approval_id = a.id \
         AND t.expires_at > $2 AND t.revoked_at IS NULL) OR \
         EXISTS (SELECT 1 FROM refresh_tokens r WHERE r.approval_id = a.id \
         AND r.expires_at > $2 AND r.used_at IS NULL)) ORDER BY a.created_at DESC",
        params![user_id, now],
    )?;
    rows.iter()
        .map(|row| {
            let scopes: String = row.get(2)?;
            Ok(Connected {
                id: row.get(0)?,
                client_name: row.get(1)?,
                scopes: Scopes::parse(&scopes)
                    .map_err(|_| ServerError::Corrupt("approved scopes"))?,
                created_at: row.get(3)?,
            })
        })
        .collect()
}

/// Revokes everything that came from an approval of this user; says whether
/// there was anything to revoke.
///
/// # Errors
///
/// When the store fails.
pub fn revoke_own(tx: &mut Tx<'_>, user_id: &str, id: &str, now: i64) -> Result<bool, StoreError> {
    let changed = tx.execute(
        "UPDATE approvals SET revoked_at = $1 \
         WHERE id = $2 AND user_id = $3 AND revoked_at IS NULL",
        params![now, id, user_id],
    )?;
    Ok(changed == 1)
}

/// Revokes everything that a user has approved.
///
/// # Errors
///
/// When the store fails.
pub fn revoke_all(tx: &mut Tx<'_>, user_id: &str, now: i64) -> Result<u64, StoreError> {
    tx.execute(
        "UPDATE approvals SET revoked_at = $1 WHERE user_id = $2 AND revoked_at IS NULL",
        params![now, user_id],
    )
}

/// Revokes one access token; says whether it was good before.
///
/// # Errors
///
/// When the store fails.
pub fn revoke_access(tx: &mut Tx<'_>, jti: &str, now: i64) -> Result<bool, StoreError> {
    let changed = tx.execute(
        "UPDATE access_tokens SET revoked_at = $1 WHERE jti = $2 AND revoked_at IS NULL",
        params![now, jti],
    )?;
    Ok(changed == 1)
}

/// Why an access token is not good.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Bad {
    /// The token's own fault, in words for its bearer.
    #[error("{0}")]
    Token(&'static str),
    /// It could not be checked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Verifies an access token: its signature, its claims, and that neither it nor
/// what it comes from was revoked.
///
/// # Errors
///
/// [`Bad::Token`] with the reason.
pub fn verify(tx: &mut Tx<'_>, issuer: &str, token: &str, now: i64) -> Result<Claims, Bad> {
    let claims = verify_signature(tx, issuer, token, now)?;
    let row = tx
        .query_opt(
            "SELECT t.revoked_at, a.revoked_at FROM access_tokens t \
             JOIN approvals a ON a.id = t.approval_id \
             JOIN oauth_clients c ON c.id = a.client_id \
             WHERE t.jti = $1 AND c.disabled = 0",
            params![&claims.jti],
        )?
        .ok_or(Bad::Token("the token is not known here"))?;
    if row.get::<Option<i64>>(0)?.is_some() || row.get::<Option<i64>>(1)?.is_some() {
        return Err(Bad::Token("the token has been revoked"));
    }
    Ok(claims)
}

fn verify_signature(tx: &mut Tx<'_>, issuer: &str, token: &str, now: i64) -> Result<Claims, Bad> {
    let header =
        jsonwebtoken::decode_header(token).map_err(|_| Bad::Token("the token is no JWT"))?;
    let of_type = |kind: &str| {
        kind.eq_ignore_ascii_case(TYPE) || kind.eq_ignore_ascii_case("application/at+jwt")
    };
    if header.alg != Algorithm::RS256
        || header.crit.is_some()
        || !header.typ.as_deref().is_some_and(of_type)
    {
        return Err(Bad::Token("the token is no access token of this server"));
    }
    let kid = header.kid.unwrap_or_default();
    if kid.contains('\0') {
        return Err(Bad::Token("the token is no access token of this server"));
    }
    let key = keys::verifying(tx, &kid, now)?.ok_or(Bad::Token(
        "the token was signed with a key that is not known here",
    ))?;
    let key = DecodingKey::from_rsa_components(&key.modulus, &key.exponent)
        .map_err(|_| Bad::Token("the key of the token cannot be used"))?;
    // The claims that matter are checked below, against the server's own clock.
    let mut validation = Validation::new(Algorithm::RS256);
    validation.required_spec_claims.clear();
    validation.validate_exp = false;
    validation.validate_aud = false;
    let claims = jsonwebtoken::decode::<Claims>(token, &key, &validation)
        .map_err(|_| Bad::Token("the signature of the token is not good"))?
        .claims;

    let seconds = now.div_euclid(1000);
    if claims.iss != issuer || claims.aud != AUDIENCE || claims.tok_type != "AT" {
        return Err(Bad::Token("the token is for another service"));
    }
    if claims.exp <= seconds {
        return Err(Bad::Token("the token has expired"));
    }
    // Replicas' clocks may differ a little.
    if claims.nbf > seconds + 60 {
        return Err(Bad::Token("the token is not good yet"));
    }
    Ok(claims)
}

/// Removes what has expired: tokens, and approvals that have none left.
///
/// # Errors
///
/// When the store fails.
pub fn sweep(tx: &mut Tx<'_>, now: i64) -> Result<(), StoreError> {
    tx.execute(
        "DELETE FROM access_tokens WHERE expires_at < $1",
        params![now],
    )?;
    tx.execute(
        "DELETE FROM refresh_tokens WHERE expires_at < $1",
        params![now],
    )?;
    // A new approval gets its first token in its own transaction.
    tx.execute(
        "DELETE FROM approvals WHERE id NOT IN (SELECT approval_id FROM access_tokens) \
         AND id NOT IN (SELECT approval_id FROM refresh_tokens)",
        &[],
    )?;
    Ok(())
}

fn refresh_mac(pepper: &Pepper, token: &str) -> [u8; 32] {
    pepper.mac("identity refresh token", token.as_bytes())
}
