//! Clients: the applications that may ask for tokens, and how one is told from
//! another (RFC 6749, section 2.3; RFC 7521, section 4.2).
//!
//! A client identifies itself in exactly one way. Which one is right follows
//! from its kind: a confidential client has a secret, a public client only its
//! name, the third kind signs assertions with a key of its own, and an identity
//! provider vouches for the fourth.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use subtle::ConstantTimeEq;

use super::assertions::{self, Audience};
pub use super::client_keys::{ClientKey, put_key};
use super::error::{Refusal, ServerError};
use super::scopes::{Scope, Scopes};
use crate::kernel::Pepper;
use crate::params;
use crate::store::{StoreError, Tx};

/// Purpose of the keyed hash of client secrets.
const SECRET: &str = "identity client secret";

/// How a client proves who it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// With a secret, in the Authorization header.
    Confidential,
    /// Not at all: it runs where no secret is safe.
    Public,
    /// With a JWT that it signs itself.
    Assertion,
    /// With a SAML assertion of its identity provider.
    Saml,
}

impl Kind {
    /// Every kind there is.
    pub const ALL: [Kind; 4] = [
        Kind::Confidential,
        Kind::Public,
        Kind::Assertion,
        Kind::Saml,
    ];

    /// The kind as it is stored and configured.
    pub const fn as_str(self) -> &'static str {
        match self {
            Kind::Confidential => "confidential",
            Kind::Public => "public",
            Kind::Assertion => "assertion",
            Kind::Saml => "saml",
        }
    }

    /// The kind of this name.
    pub fn parse(text: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// A role of an application. Its scopes are what tokens of the application can
/// carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Reads accounts.
    AccountsReader,
    /// Provisions accounts.
    AccountsManager,
    /// Reads agent patterns.
    PatternsReader,
    /// Makes agent patterns.
    PatternsDesigner,
    /// Reads API keys.
    ApiKeysReader,
    /// Manages API keys.
    ApiKeysManager,
}

impl Role {
    /// Every role there is.
    pub const ALL: [Role; 6] = [
        Role::AccountsReader,
        Role::AccountsManager,
        Role::PatternsReader,
        Role::PatternsDesigner,
        Role::ApiKeysReader,
        Role::ApiKeysManager,
    ];

    /// The role as it is stored and configured.
    pub const fn as_str(self) -> &'static str {
        match self {
            Role::AccountsReader => "accounts_reader",
            Role::AccountsManager => "accounts_manager",
            Role::PatternsReader => "patterns_reader",
            Role::PatternsDesigner => "patterns_designer",
            Role::ApiKeysReader => "apikeys_reader",
            Role::ApiKeysManager => "apikeys_manager",
        }
    }

    /// The role of this name.
    pub fn parse(text: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.as_str() == text)
    }

    const fn scopes(self) -> &'static [Scope] {
        match self {
            Role::AccountsReader => &[Scope::AccountsRead],
            Role::AccountsManager => &[Scope::AccountsRead, Scope::AccountsWrite],
            Role::PatternsReader => &[Scope::PatternsRead],
            Role::PatternsDesigner => &[Scope::PatternsRead, Scope::PatternsWrite],
            Role::ApiKeysReader => &[Scope::ApiKeysRead],
            Role::ApiKeysManager => &[Scope::ApiKeysRead, Scope::ApiKeysWrite],
        }
    }
}

/// A grant that a client can be registered for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grant {
    /// RFC 8628.
    DeviceCode,
    /// RFC 6749, section 6.
    RefreshToken,
}

impl Grant {
    /// The grant as it stands in `grant_type`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Grant::DeviceCode => "urn:ietf:params:oauth:grant-type:device_code",
            Grant::RefreshToken => "refresh_token",
        }
    }

    /// The grant of this `grant_type`.
    pub fn parse(text: &str) -> Option<Grant> {
        [Grant::DeviceCode, Grant::RefreshToken]
            .into_iter()
            .find(|grant| grant.as_str() == text)
    }
}

/// A registered client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// Its identifier.
    pub id: String,
    /// The name that the consent page shows.
    pub name: String,
    /// How it proves who it is.
    pub kind: Kind,
    /// What its tokens can carry.
    pub roles: Vec<Role>,
    /// The grants it is registered for.
    pub grants: Vec<Grant>,
    /// Whether it may ask about tokens.
    pub introspects: bool,
    /// Lifetime of its access tokens, in seconds.
    pub access_token_seconds: i64,
    /// Whether its assertions must be addressed to the issuer alone and, as
    /// JWTs, be of the explicit type (RFC 10070).
    pub strict: bool,
    /// Who issues its SAML assertions; itself, when nobody is named.
    pub saml_issuer: Option<String>,
}

impl Client {
    /// Whether the client is registered for a grant.
    pub fn may_use(&self, grant: Grant) -> bool {
        self.grants.contains(&grant)
    }

    /// Every scope that a token of the client can carry: those of its roles, and
    /// `offline_access` when it may refresh.
    pub fn scopes(&self) -> Scopes {
        let of_roles = self.roles.iter().flat_map(|role| role.scopes()).copied();
        let offline = self
            .may_use(Grant::RefreshToken)
            .then_some(Scope::OfflineAccess);
        of_roles.chain(offline).collect()
    }

    /// The client of this identifier, unless it is disabled.
    ///
    /// # Errors
    ///
    /// When the store fails, or holds something unexpected.
    pub fn load(tx: &mut Tx<'_>, id: &str) -> Result<Option<Client>, ServerError> {
        if id.contains('\0') {
            // Cannot be stored, so there is none.
            return Ok(None);
        }
        let Some(row) = tx.query_opt(
            "SELECT id, name, kind, roles, grants, introspects, access_token_seconds, strict, \
             saml_issuer FROM oauth_clients WHERE id = $1 AND disabled = 0",
            params![id],
        )?
        else {
            return Ok(None);
        };
        let kind: String = row.get(2)?;
        Ok(Some(Client {
            id: row.get(0)?,
            name: row.get(1)?,
            kind: Kind::parse(&kind).ok_or(ServerError::Corrupt("kind of a client"))?,
            roles: words(row.get(3)?, Role::parse, "role of a client")?,
            grants: words(row.get(4)?, Grant::parse, "grant of a client")?,
            introspects: row.get(5)?,
            access_token_seconds: row.get(6)?,
            strict: row.get(7)?,
            saml_issuer: row.get(8)?,
        }))
    }

    /// Registers the client, or brings its registration up to date.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn save(&self, tx: &mut Tx<'_>, now: i64) -> Result<(), StoreError> {
        let roles: Vec<_> = self.roles.iter().map(|role| role.as_str()).collect();
        let grants: Vec<_> = self.grants.iter().map(|grant| grant.as_str()).collect();
        tx.execute(
            "INSERT INTO oauth_clients \
             (id, name, kind, roles, grants, introspects, access_token_seconds, strict, \
             saml_issuer, disabled, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10) \
             ON CONFLICT (id) DO UPDATE SET name = excluded.name, kind = excluded.kind, \
             roles = excluded.roles, grants = excluded.grants, introspects = excluded.introspects, \
             access_token_seconds = excluded.access_token_seconds, strict = excluded.strict, \
             saml_issuer = excluded.saml_issuer",
            params![
                &self.id,
                &self.name,
                self.kind.as_str(),
                roles.join(" "),
                grants.join(" "),
                self.introspects,
                self.access_token_seconds,
                self.strict,
                self.saml_issuer.as_deref(),
                now,
            ],
        )?;
        Ok(())
    }
}

fn words<T>(
    text: String,
    parse: impl Fn(&str) -> Option<T>,
    what: &'static str,
) -> Result<Vec<T>, ServerError> {
    text.split_ascii_whitespace()
        .map(|word| parse(word).ok_or(ServerError::Corrupt(what)))
        .collect()
}

/// Makes a secret out of 32 random bytes. It is shown once and stored as its
/// keyed hash.
pub fn secret_of(random: &[u8; 32]) -> String {
    format!("cs_{}", URL_SAFE_NO_PAD.encode(random))
}

/// Adds a secret to a confidential client. It keeps those it has.
///
/// # Errors
///
/// When the store fails.
pub fn add_secret(
    tx: &mut Tx<'_>,
    pepper: &Pepper,
    client_id: &str,
    secret: &str,
    now: i64,
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO oauth_client_secrets (client_id, mac, created_at) VALUES ($1, $2, $3) \
         ON CONFLICT (client_id, mac) DO NOTHING",
        params![client_id, pepper.mac(SECRET, secret.as_bytes()), now],
    )?;
    Ok(())
}

/// What an Authorization header holds, as it came.
#[derive(Clone)]
pub enum Credentials {
    /// Basic credentials.
    Readable {
        /// What stood before the colon.
        user: String,
        /// What stood behind it.
        password: String,
    },
    /// Something else.
    Unreadable,
}

/// What a request says about its client. Parameters without a value count as
/// omitted (RFC 6749, section 3.2).
#[derive(Clone, Default)]
pub struct Claimed {
    /// From the Authorization header.
    pub basic: Option<Credentials>,
    /// The parameter `client_id`.
    pub client_id: Option<String>,
    /// The parameter `client_assertion_type`.
    pub assertion_type: Option<String>,
    /// The parameter `client_assertion`.
    pub assertion: Option<String>,
    /// Whether there is a parameter `client_secret`, which is not taken.
    pub secret: bool,
}

impl Claimed {
    /// Collects what a form and the Authorization header say.
    pub fn new(
        basic: Option<Credentials>,
        client_id: Option<String>,
        assertion_type: Option<String>,
        assertion: Option<String>,
        secret: Option<String>,
    ) -> Claimed {
        let sent = |value: Option<String>| value.filter(|value| !value.is_empty());
        Claimed {
            basic,
            client_id: sent(client_id),
            assertion_type: sent(assertion_type),
            assertion: sent(assertion),
            secret: sent(secret).is_some(),
        }
    }

    /// The client that is named, by the form or by Basic credentials. Whether it
    /// is there, and whether it is this one, is not known yet.
    pub fn name(&self) -> Option<String> {
        let basic = match &self.basic {
            Some(Credentials::Readable { user, .. }) => Some(form_decoded(user)),
            _ => None,
        };
        self.client_id.clone().or(basic)
    }

    /// The client's identifier, when that is all that the request says.
    pub fn name_alone(&self) -> Option<&str> {
        let others = self.basic.is_some() || self.assertion_type.is_some() || self.secret;
        let name = self.client_id.as_deref();
        name.filter(|_| !others && self.assertion.is_none())
    }
}

/// How sure the server must be of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Required {
    /// A name will do; what proves more is checked when it is sent.
    Name,
    /// What the client's kind can do: a public client cannot do more than name
    /// itself.
    Identification,
    /// Proof, which excludes public clients.
    Authentication,
}

const MORE_THAN_ONE: Refusal = Refusal::InvalidRequest(Cow::Borrowed(
    "the client identifies itself in more than one way",
));

/// Finds out which client makes a request.
///
/// # Errors
///
/// [`Refusal::InvalidRequest`] when the request contradicts itself,
/// [`Refusal::InvalidClient`] when the client is unknown or proves too little.
pub fn identify(
    tx: &mut Tx<'_>,
    pepper: &Pepper,
    audience: &Audience,
    claimed: &Claimed,
    required: Required,
    now: i64,
) -> Result<Client, Refusal> {
    let Claimed {
        basic,
        client_id,
        assertion_type,
        assertion,
        secret,
    } = claimed;
    let assertion = match (assertion_type, assertion) {
        (None, None) => None,
        (Some(kind), Some(text)) => Some((kind, text)),
        (None, Some(_)) => return Err(Refusal::missing("client_assertion_type")),
        (Some(_), None) => return Err(Refusal::missing("client_assertion")),
    };
    if *secret && basic.is_none() && assertion.is_none() {
        return Err(Refusal::InvalidClient(
            "a secret is taken in the Authorization header only".into(),
        ));
    }
    match (basic, assertion) {
        _ if *secret => Err(MORE_THAN_ONE),
        (Some(_), Some(_)) => Err(MORE_THAN_ONE),
        (Some(credentials), None) => by_secret(tx, pepper, credentials, client_id.as_deref()),
        (None, Some((kind, text))) => {
            assertions::authenticate(tx, audience, kind, text, client_id.as_deref(), now)
        }
        (None, None) => by_name(tx, client_id.as_deref(), required),
    }
    .and_then(|client| match (client.kind, required) {
        (Kind::Public, Required::Authentication) => Err(Refusal::InvalidClient(
            "a public client cannot use this operation".into(),
        )),
        _ => Ok(client),
    })
}

fn by_secret(
    tx: &mut Tx<'_>,
    pepper: &Pepper,
    credentials: &Credentials,
    client_id: Option<&str>,
) -> Result<Client, Refusal> {
    let Credentials::Readable { user, password } = credentials else {
        return Err(Refusal::InvalidClient(
            "the Authorization header holds no Basic credentials".into(),
        ));
    };
    let id = form_decoded(user);
    if client_id.is_some_and(|named| named != id) {
        return Err(Refusal::InvalidRequest(
            "client_id and the Authorization header name different clients".into(),
        ));
    }
    // Hashed before anything is looked up: an unknown client takes as long.
    let mac = pepper.mac(SECRET, form_decoded(password).as_bytes());
    let client = Client::load(tx, &id)?
        .filter(|client| client.kind == Kind::Confidential)
        .ok_or(Refusal::InvalidClient(
            "no confidential client of this name".into(),
        ))?;
    let rows = tx.query(
        "SELECT mac FROM oauth_client_secrets WHERE client_id = $1",
        params![&client.id],
    )?;
    let mut matches = subtle::Choice::from(0);
    for row in rows {
        let stored: Vec<u8> = row.get(0)?;
        matches |= stored.ct_eq(&mac);
    }
    if !bool::from(matches) {
        return Err(Refusal::InvalidClient("wrong secret".into()));
    }
    Ok(client)
}

fn by_name(
    tx: &mut Tx<'_>,
    client_id: Option<&str>,
    required: Required,
) -> Result<Client, Refusal> {
    let Some(id) = client_id else {
        return Err(match required {
            Required::Name => Refusal::missing("client_id"),
            _ => Refusal::InvalidClient("the request does not identify its client".into()),
        });
    };
    let client =
        Client::load(tx, id)?.ok_or(Refusal::InvalidClient("no client of this name".into()))?;
    if client.kind != Kind::Public && required != Required::Name {
        return Err(Refusal::InvalidClient(
            "the client must authenticate, and only names itself".into(),
        ));
    }
    Ok(client)
}

/// RFC 6749, section 2.3.1: both halves are encoded as form values before they
/// become Basic credentials.
fn form_decoded(text: &str) -> String {
    // A name alone cannot hold `&` or `=` in this encoding, but a client that
    // skips it may send them: they must survive.
    let escaped = text.replace('&', "%26").replace('=', "%3D");
    url::form_urlencoded::parse(escaped.as_bytes())
        .next()
        .map(|(name, _)| name.into_owned())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_form_decoded() {
        assert_eq!(form_decoded("a+b%26c%3Ad"), "a b&c:d");
        assert_eq!(form_decoded("a&b=c"), "a&b=c");
        assert_eq!(form_decoded(""), "");
        assert_eq!(form_decoded("100%"), "100%");
    }

    #[test]
    fn offline_access_comes_with_the_refresh_token_grant() {
        let mut client = Client {
            id: "c".into(),
            name: "C".into(),
            kind: Kind::Public,
            roles: vec![Role::PatternsDesigner, Role::PatternsReader],
            grants: vec![Grant::DeviceCode],
            introspects: false,
            access_token_seconds: 3600,
            strict: true,
            saml_issuer: None,
        };
        assert_eq!(client.scopes().to_string(), "patterns.read patterns.write");
        client.grants.push(Grant::RefreshToken);
        assert_eq!(
            client.scopes().to_string(),
            "patterns.read patterns.write offline_access"
        );
    }
}
