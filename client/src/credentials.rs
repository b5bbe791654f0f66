//! The credential of a request.
//!
//! A credential knows its source. The login renews its access token, and a [`TokenSource`](crate::TokenSource) may have
//! another one. A rejected API key or token is never replaced by a credential of another source: the service might not be
//! meant to see that one.

use crate::{
    credentials_error::CredentialsError, logins::Logins, store::DEFAULT_PROFILE,
    token_source::SharedSource,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use dropforge_client::{Operation, Requirement, Scheme, SchemeKind};
use reqwest::{
    Request,
    header::{AUTHORIZATION, HeaderValue},
};
use secrecy::{ExposeSecret, SecretString};
use std::sync::Arc;

/// The scheme of the documents that takes the secret of an API key; all other bearer schemes take access tokens.
pub(crate) const API_KEY_SCHEME: &str = "apiKeySecret";

/// The credentials of a client.
#[derive(Debug, Clone, Default)]
pub(crate) struct Credentials {
    /// The secret of an API key.
    pub(crate) api_key: Option<SecretString>,
    /// A source of access tokens. The client prefers it to the login.
    pub(crate) tokens: Option<SharedSource>,
    /// Identifier and secret of a confidential client.
    pub(crate) client: Option<ClientCredentials>,
    /// The login of a user.
    pub(crate) logins: Option<Arc<Logins>>,
}

/// Identifier and secret of a confidential client.
#[derive(Debug, Clone)]
pub(crate) struct ClientCredentials {
    pub(crate) id: String,
    pub(crate) secret: SecretString,
}

/// The source of a credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// The secret of an API key.
    ApiKey,
    /// The source of access tokens.
    Given,
    /// Identifier and secret of a confidential client.
    Client,
    /// The login of this generation; each renewal begins a new one.
    Login(u64),
}

/// The value of an `Authorization` header.
struct Credential {
    value: String,
    source: Source,
}

/// The credential of an operation.
enum Chosen<'a> {
    /// The client has it.
    Known(Credential),
    /// The source has it.
    FromSource(&'a SharedSource),
}

impl Credentials {
    /// Ensures that the operation can be called: reads the login, and renews an expired one. Adds the access token of a
    /// source to the request.
    ///
    /// The error names the missing credential and where to get it.
    pub(crate) async fn prepare(
        &self,
        request: &mut Request,
        operation: &Operation,
    ) -> Result<(), CredentialsError> {
        if let Some(logins) = &self.logins
            && self.prefers_login(operation)
        {
            logins.ready().await?;
        }
        match self.choose(operation)? {
            Some(Chosen::Known(credential)) => header(&credential).map(|_| ()),
            Some(Chosen::FromSource(source)) => {
                let token = source.token().await?;
                insert(request, &Credential::bearer(&token, Source::Given))
            }
            None => Ok(()),
        }
    }

    /// Adds the current credential of the operation to a request, and returns its source. The request already has the
    /// access token of a token source.
    pub(crate) fn authorize(&self, request: &mut Request, operation: &Operation) -> Option<Source> {
        match self.choose(operation).ok().flatten()? {
            Chosen::Known(credential) => {
                insert(request, &credential).ok()?;
                Some(credential.source)
            }
            Chosen::FromSource(_) => Some(Source::Given),
        }
    }

    /// Renews a rejected credential, whose request is repeated as `next`. Returns whether there is a new one.
    pub(crate) async fn renew(&self, rejected: Source, next: &mut Request) -> bool {
        match (rejected, &self.logins, &self.tokens) {
            (Source::Login(generation), Some(logins), _) => logins.renew(generation).await,
            (Source::Given, _, Some(source)) => {
                let Some(refused) = bearer_of(next) else {
                    return false;
                };
                let Some(token) = source.replace(&refused).await else {
                    return false;
                };
                insert(next, &Credential::bearer(&token, Source::Given)).is_ok()
            }
            _ => false,
        }
    }

    /// Whether the operation uses the login, if there is one. A login that cannot be refreshed is not replaced by
    /// another credential.
    fn prefers_login(&self, operation: &Operation) -> bool {
        for alternative in operation.security {
            match alternative {
                [] => return false,
                [requirement] if takes_access_token(requirement.scheme) => {
                    return self.tokens.is_none();
                }
                [requirement] if self.credential(requirement).is_some() => return false,
                _ => {}
            }
        }
        false
    }

    /// The first alternative of the document for which the client has credentials; an empty one needs none.
    fn choose(&self, operation: &Operation) -> Result<Option<Chosen<'_>>, CredentialsError> {
        if operation.security.is_empty() {
            return Ok(None);
        }
        for alternative in operation.security {
            match alternative {
                [] => return Ok(None),
                [requirement] => {
                    if let Some(credential) = self.credential(requirement) {
                        return Ok(Some(credential));
                    }
                }
                // A request has only one `Authorization` header.
                _ => {}
            }
        }
        Err(if operation.requires(takes_api_key) {
            CredentialsError::NoApiKey {
                operation: operation.id,
            }
        } else if operation.requires(takes_access_token) {
            let profile = self.logins.as_ref().map(|logins| &logins.key.profile);
            let profile = profile.filter(|profile| *profile != DEFAULT_PROFILE);
            CredentialsError::NotLoggedIn {
                operation: operation.id,
                profile: profile.cloned(),
            }
        } else if operation.requires(|scheme| scheme.kind == SchemeKind::Basic) {
            CredentialsError::NoClientCredentials {
                operation: operation.id,
            }
        } else {
            CredentialsError::Unsupported {
                operation: operation.id,
            }
        })
    }

    fn credential(&self, requirement: &Requirement) -> Option<Chosen<'_>> {
        let scheme = requirement.scheme;
        if takes_api_key(scheme) {
            let secret = self.api_key.as_ref()?;
            return Some(Chosen::Known(Credential::bearer(secret, Source::ApiKey)));
        }
        if takes_access_token(scheme) {
            if let Some(source) = &self.tokens {
                return Some(Chosen::FromSource(source));
            }
            let (token, generation) = self.logins.as_ref()?.token()?;
            let source = Source::Login(generation);
            return Some(Chosen::Known(Credential::bearer(&token, source)));
        }
        let client = self.client.as_ref()?;
        (scheme.kind == SchemeKind::Basic).then(|| Chosen::Known(Credential::basic(client)))
    }
}

impl Credential {
    fn bearer(secret: &SecretString, source: Source) -> Self {
        Self {
            value: format!("Bearer {}", secret.expose_secret()),
            source,
        }
    }

    /// Identifier and secret are encoded as form values first (RFC 6749, section 2.3.1).
    fn basic(client: &ClientCredentials) -> Self {
        let encode = |text: &str| -> String {
            url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
        };
        let (id, secret) = (encode(&client.id), encode(client.secret.expose_secret()));
        Self {
            value: format!("Basic {}", STANDARD.encode(format!("{id}:{secret}"))),
            source: Source::Client,
        }
    }
}

fn takes_api_key(scheme: &Scheme) -> bool {
    scheme.kind == SchemeKind::Bearer && scheme.name == API_KEY_SCHEME
}

fn takes_access_token(scheme: &Scheme) -> bool {
    scheme.kind == SchemeKind::Bearer && scheme.name != API_KEY_SCHEME
}

fn header(credential: &Credential) -> Result<HeaderValue, CredentialsError> {
    let value = HeaderValue::from_str(&credential.value);
    let mut value = value.map_err(|_| CredentialsError::Invalid)?;
    value.set_sensitive(true);
    Ok(value)
}

fn insert(request: &mut Request, credential: &Credential) -> Result<(), CredentialsError> {
    let value = header(credential)?;
    request.headers_mut().insert(AUTHORIZATION, value);
    Ok(())
}

/// The access token that a request carries.
fn bearer_of(request: &Request) -> Option<SecretString> {
    let value = request.headers().get(AUTHORIZATION)?.to_str().ok()?;
    Some(value.strip_prefix("Bearer ")?.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        builder::identity_clients,
        middleware::Middleware,
        retry::RetryPolicy,
        store::{LoginKey, SharedStore},
        tokens::Login,
        transport::{Deadlines, Transport},
    };

    static TOKEN: Scheme = Scheme::new("accessToken", SchemeKind::Bearer);
    static KEY: Scheme = Scheme::new(API_KEY_SCHEME, SchemeKind::Bearer);

    const fn operation(security: &'static [&'static [Requirement]]) -> Operation {
        Operation::new("call", "GET", "/").with_security(security)
    }

    const fn needs(scheme: &'static Scheme) -> Requirement {
        let scopes = &[];
        Requirement::new(scheme, scopes)
    }

    #[test]
    fn the_first_alternative_with_credentials_is_chosen() {
        static EITHER: Operation = operation(&[&[needs(&KEY)], &[needs(&TOKEN)]]);
        static PUBLIC: Operation = operation(&[&[needs(&KEY)], &[]]);
        let source = |credentials: &Credentials, operation: &Operation| {
            let chosen = credentials.choose(operation).ok().flatten();
            chosen.map(|chosen| match chosen {
                Chosen::Known(credential) => credential.source,
                Chosen::FromSource(_) => Source::Given,
            })
        };
        let mut credentials = Credentials {
            tokens: Some(SharedSource::fixed("t".into())),
            ..Credentials::default()
        };
        assert_eq!(source(&credentials, &EITHER), Some(Source::Given));
        assert!(matches!(credentials.choose(&PUBLIC), Ok(None)));
        credentials.api_key = Some("sk".into());
        assert_eq!(source(&credentials, &EITHER), Some(Source::ApiKey));
        let nobody = Credentials::default();
        let none = nobody.choose(&EITHER);
        assert!(matches!(none, Err(CredentialsError::NoApiKey { .. })));
    }

    /// An expired login of an identity service that does not exist.
    async fn expired() -> Arc<Logins> {
        let second = std::time::Duration::from_secs(1);
        let deadlines = Deadlines {
            attempt: second,
            call: second,
            silence: second,
            stream: second,
        };
        // No service listens at the discard port.
        let identity = "http://127.0.0.1:9".to_owned();
        let http = reqwest::Client::new();
        let transport = Transport::once(deadlines, Middleware::default());
        let clients = identity_clients(&identity, &http, &transport, None);
        let key = LoginKey::new(identity.clone());
        let logins = Logins::new(key, SharedStore::default(), clients, RetryPolicy::never());
        let expires_at = chrono::Utc::now() - chrono::TimeDelta::hours(1);
        let login = Login {
            identity,
            client_id: "accord-cli".to_owned(),
            scope: "accounts.read".to_owned(),
            access_token: "a-1".into(),
            issued_at: None,
            expires_at,
            refresh_token: Some("r-1".into()),
        };
        logins.remember(login).await.expect("it is in memory");
        Arc::new(logins)
    }

    async fn prepared(
        credentials: &Credentials,
        operation: &Operation,
    ) -> Result<(), CredentialsError> {
        let url = "http://127.0.0.1:9".parse().expect("an address");
        let mut request = Request::new(reqwest::Method::GET, url);
        credentials.prepare(&mut request, operation).await
    }

    #[tokio::test]
    async fn a_login_is_refreshed_only_for_a_call_that_uses_it() {
        static KEY_FIRST: Operation = operation(&[&[needs(&KEY)], &[needs(&TOKEN)]]);
        static PUBLIC_FIRST: Operation = operation(&[&[], &[needs(&TOKEN)]]);
        static LOGIN_FIRST: Operation = operation(&[&[needs(&TOKEN)], &[needs(&KEY)]]);
        let mut credentials = Credentials {
            logins: Some(expired().await),
            ..Credentials::default()
        };
        prepared(&credentials, &PUBLIC_FIRST)
            .await
            .expect("nothing");
        let refused = prepared(&credentials, &KEY_FIRST).await;
        assert!(matches!(refused, Err(CredentialsError::Refresh(_))));
        credentials.api_key = Some("sk".into());
        prepared(&credentials, &KEY_FIRST)
            .await
            .expect("the API key");
        // A call never falls back from the user's login to another credential.
        let refused = prepared(&credentials, &LOGIN_FIRST).await;
        assert!(matches!(refused, Err(CredentialsError::Refresh(_))));
        credentials.logins = None;
        let prepared = prepared(&credentials, &LOGIN_FIRST).await;
        prepared.expect("the API key");
    }

    #[test]
    fn identifier_and_secret_are_encoded_before_they_are_joined() {
        let client = ClientCredentials {
            id: "a:b".to_owned(),
            secret: "p q".into(),
        };
        let credential = Credential::basic(&client);
        let encoded = credential.value.strip_prefix("Basic ").expect("a scheme");
        let text = STANDARD.decode(encoded).expect("base64");
        assert_eq!(text, b"a%3Ab:p+q");
    }
}
