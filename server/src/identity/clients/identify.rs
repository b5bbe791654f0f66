//! Which client makes a request.
//!
//! A client identifies itself in exactly one way. Which one is right follows
//! from its kind: a confidential client has a secret, sent as Basic credentials or in
//! the form, a public client only its name, the third kind signs assertions with a key
//! of its own, and an identity provider vouches for the fourth.

use std::borrow::Cow;

use accord::identity::server::types::ClientAssertionType;

use super::{Client, Kind, secrets};
use crate::identity::assertions::Audience;
use crate::identity::error::Refusal;
use crate::identity::{jwt, saml};
use crate::kernel::ServerKeys;
use crate::store::Tx;

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
    pub assertion_type: Option<ClientAssertionType>,
    /// The parameter `client_assertion`.
    pub assertion: Option<String>,
    /// The parameter `client_secret`.
    pub secret: Option<String>,
}

impl Claimed {
    /// Collects what a form and the Authorization header say.
    pub fn new(
        basic: Option<Credentials>,
        client_id: Option<String>,
        assertion_type: Option<ClientAssertionType>,
        assertion: Option<String>,
        secret: Option<String>,
    ) -> Claimed {
        let sent = |value: Option<String>| value.filter(|value| !value.is_empty());
        Claimed {
            basic,
            client_id: sent(client_id),
            assertion_type,
            assertion: sent(assertion),
            secret: sent(secret),
        }
    }

    /// The name of the client, from the form or from Basic credentials. The client is not
    /// authenticated yet, and may not exist.
    pub fn name(&self) -> Option<String> {
        let basic = match &self.basic {
            Some(Credentials::Readable { user, .. }) => Some(form_decoded(user)),
            _ => None,
        };
        self.client_id.clone().or(basic)
    }

    /// The client's identifier, when that is all that the request says.
    pub fn name_alone(&self) -> Option<&str> {
        let others = self.basic.is_some() || self.assertion_type.is_some() || self.secret.is_some();
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
    server_keys: &ServerKeys,
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
    let client_id = client_id.as_deref();
    match (basic, assertion, secret) {
        (Some(credentials), None, None) => by_basic(tx, server_keys, credentials, client_id),
        (None, Some((kind, text)), None) => by_assertion(tx, audience, kind, text, client_id, now),
        (None, None, Some(secret)) => match client_id {
            Some(id) => by_secret(tx, server_keys, id, secret),
            None => Err(Refusal::missing("client_id")),
        },
        (None, None, None) => by_name(tx, client_id, required),
        _ => Err(MORE_THAN_ONE),
    }
    .and_then(|client| match (client.kind, required) {
        (Kind::Public, Required::Authentication) => Err(Refusal::InvalidClient(
            "a public client cannot use this operation".into(),
        )),
        _ => Ok(client),
    })
}

fn by_assertion(
    tx: &mut Tx<'_>,
    audience: &Audience,
    kind: &ClientAssertionType,
    assertion: &str,
    client_id: Option<&str>,
    now: i64,
) -> Result<Client, Refusal> {
    let client = match kind {
        ClientAssertionType::UrnIetfParamsOauthClientAssertionTypeJwtBearer => {
            jwt::authenticate(tx, audience, assertion, now)?
        }
        ClientAssertionType::UrnIetfParamsOauthClientAssertionTypeSaml2Bearer => {
            saml::authenticate(tx, audience, assertion, now)?
        }
    };
    if client_id.is_some_and(|named| named != client.id) {
        return Err(Refusal::InvalidClient(
            "client_id and the assertion name different clients".into(),
        ));
    }
    Ok(client)
}

fn by_basic(
    tx: &mut Tx<'_>,
    server_keys: &ServerKeys,
    credentials: &Credentials,
    client_id: Option<&str>,
) -> Result<Client, Refusal> {
    let Credentials::Readable { user, password } = credentials else {
        return Err(Refusal::InvalidClient(
            "the Authorization header has no Basic credentials".into(),
        ));
    };
    let id = form_decoded(user);
    if client_id.is_some_and(|named| named != id) {
        return Err(Refusal::InvalidClient(
            "client_id and the Authorization header name different clients".into(),
        ));
    }
    by_secret(tx, server_keys, &id, &form_decoded(password))
}

fn by_secret(
    tx: &mut Tx<'_>,
    server_keys: &ServerKeys,
    id: &str,
    secret: &str,
) -> Result<Client, Refusal> {
    // Hashed before the client is loaded: an unknown client takes as long.
    let macs = secrets::macs(server_keys, secret);
    let client = Client::load(tx, id)?
        .filter(|client| client.kind == Kind::Confidential)
        .ok_or(Refusal::InvalidClient(
            "no confidential client of this name".into(),
        ))?;
    if !secrets::is_secret_of(tx, server_keys, &client.id, &macs)? {
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
}
