//! Identifies the client of a request.
//!
//! A client identifies itself in exactly one way, which depends on its [`Kind`]: it sends a secret
//! as Basic credentials or in the form, only its name, a JWT that it signs, or a SAML assertion of
//! its identity provider.

use std::borrow::Cow;

use accord_identity_server::types::ClientAssertionType;

use super::{Client, Kind, secrets};
use crate::identity::assertions::Audience;
use crate::identity::error::Refusal;
use crate::identity::{Identity, endpoints, jwt, saml};
use crate::kernel::ServerKeys;
use crate::store::Tx;

/// The content of an Authorization header.
#[derive(Clone)]
pub enum Credentials {
    /// Basic credentials.
    Readable {
        /// The text before the colon.
        user: String,
        /// The text after the colon.
        password: String,
    },
    /// Another or a malformed header.
    Unreadable,
}

/// The identification of the client in a request. Parameters without a value count as omitted (RFC
/// 6749, section 3.2).
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
    /// Collects the members of a form and of the Authorization header.
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

    /// The client's identifier, if the request sends nothing else. `None` for one that cannot be
    /// stored, so that no client has it.
    pub fn name_alone(&self) -> Option<&str> {
        let others = self.basic.is_some() || self.assertion_type.is_some() || self.secret.is_some();
        let name = self.client_id.as_deref();
        name.filter(|name| !others && self.assertion.is_none() && !name.contains('\0'))
    }
}

/// How strictly a client must identify itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Required {
    /// A name suffices. If the request sends credentials, they are checked.
    Name,
    /// As strictly as the client's kind can: a public client can only name itself.
    Identification,
    /// With credentials, which excludes public clients.
    Authentication,
}

const MORE_THAN_ONE: Refusal = Refusal::InvalidRequest(Cow::Borrowed(
    "the client identifies itself in more than one way",
));

/// Identifies the client of a request.
///
/// # Errors
///
/// [`Refusal::InvalidRequest`] if the request contradicts itself, [`Refusal::InvalidClient`] if the
/// client is unknown or its credentials are invalid or missing.
pub fn identify(
    tx: &mut Tx<'_>,
    identity: &Identity,
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
    let server_keys = &identity.server_keys;
    match (basic, assertion, secret) {
        (Some(credentials), None, None) => by_basic(tx, server_keys, credentials, client_id),
        (None, Some((kind, text)), None) => {
            let audience = endpoints::audience(identity);
            by_assertion(tx, &audience, kind, text, client_id, now)
        }
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
    // The secret is hashed before the client is loaded, so that an unknown client takes as long.
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
            _ => Refusal::InvalidClient("the request names no client".into()),
        });
    };
    let client =
        Client::load(tx, id)?.ok_or(Refusal::InvalidClient("no client of this name".into()))?;
    if client.kind != Kind::Public && required != Required::Name {
        return Err(Refusal::InvalidClient(
            "the client must authenticate, and sends only its name".into(),
        ));
    }
    Ok(client)
}

/// RFC 6749, section 2.3.1: both halves are encoded as form values before they
/// become Basic credentials.
fn form_decoded(text: &str) -> String {
    // A name cannot contain `&` or `=` in this encoding. A client that does not encode may send
    // them, so they must be preserved.
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
