//! The credential of a request.
//!
//! A credential knows its source. Only the access token of a login can be renewed. A rejected API key, or a token that
//! the caller gave, is never replaced by another credential: the service might not be meant to see that one.

use crate::logins::Logins;
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
#[derive(Debug, Default)]
pub(crate) struct Credentials {
    /// The secret of an API key.
    pub(crate) api_key: Option<SecretString>,
    /// An access token that the caller gave. The client prefers it to the login, and cannot renew it.
    pub(crate) access_token: Option<SecretString>,
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
    /// An access token that the caller gave.
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

impl Credentials {
    /// Ensures that the operation can be called: reads the login, and renews an expired one.
    ///
    /// The error names the missing credential and where to get it.
    pub(crate) async fn prepare(&self, operation: &Operation) -> Result<(), String> {
        if let Some(logins) = &self.logins
            && self.prefers_login(operation)
        {
            logins.ready().await?;
        }
        match self.choose(operation)? {
            Some(credential) => header(&credential).map(|_| ()),
            None => Ok(()),
        }
    }

    /// Adds the current credential of the operation to a request, and returns its source.
    pub(crate) fn authorize(&self, request: &mut Request, operation: &Operation) -> Option<Source> {
        let credential = self.choose(operation).ok().flatten()?;
        request
            .headers_mut()
            .insert(AUTHORIZATION, header(&credential).ok()?);
        Some(credential.source)
    }

    /// Renews a rejected credential. Returns whether there is a new one.
    pub(crate) async fn renew(&self, rejected: Source) -> bool {
        match (rejected, &self.logins) {
            (Source::Login(generation), Some(logins)) => logins.renew(generation).await,
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
                    return self.access_token.is_none();
                }
                [requirement] if self.credential(requirement).is_some() => return false,
                _ => {}
            }
        }
        false
    }

    /// The first alternative of the document for which the client has credentials; an empty one needs none.
    fn choose(&self, operation: &Operation) -> Result<Option<Credential>, String> {
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
        let what = if operation.requires(takes_api_key) {
            "the secret of an API key, and there is none"
        } else if operation.requires(takes_access_token) {
            "an access token, and nobody is logged in"
        } else {
            "credentials that this client does not have"
        };
        Err(format!("{} needs {what}", operation.id))
    }

    fn credential(&self, requirement: &Requirement) -> Option<Credential> {
        let scheme = requirement.scheme;
        if takes_api_key(scheme) {
            let secret = self.api_key.as_ref()?;
            return Some(Credential::bearer(secret, Source::ApiKey));
        }
        if takes_access_token(scheme) {
            if let Some(token) = &self.access_token {
                return Some(Credential::bearer(token, Source::Given));
            }
            let (token, generation) = self.logins.as_ref()?.token()?;
            return Some(Credential::bearer(&token, Source::Login(generation)));
        }
        match scheme.kind {
            SchemeKind::Basic => self.client.as_ref().map(Credential::basic),
            _ => None,
        }
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

fn header(credential: &Credential) -> Result<HeaderValue, String> {
    let mut value = HeaderValue::from_str(&credential.value)
        .map_err(|_| "the credentials have characters that are invalid in a header".to_owned())?;
    value.set_sensitive(true);
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{builder::identity_clients, tokens::Login, transport::Deadlines};

    static TOKEN: Scheme = Scheme {
        name: "accessToken",
        kind: SchemeKind::Bearer,
    };
    static KEY: Scheme = Scheme {
        name: API_KEY_SCHEME,
        kind: SchemeKind::Bearer,
    };

    const fn operation(security: &'static [&'static [Requirement]]) -> Operation {
        Operation {
            id: "call",
            method: "GET",
            path: "/",
            accept: None,
            content_type: None,
            parameters: &[],
            form: false,
            streams: false,
            security,
            idempotency_keys: &[],
            request_ids: &[],
        }
    }

    const fn needs(scheme: &'static Scheme) -> Requirement {
        let scopes = &[];
        Requirement { scheme, scopes }
    }

    #[test]
    fn the_first_alternative_with_credentials_is_chosen() {
        static EITHER: Operation = operation(&[&[needs(&KEY)], &[needs(&TOKEN)]]);
        static PUBLIC: Operation = operation(&[&[needs(&KEY)], &[]]);
        let source = |credentials: &Credentials, operation: &Operation| {
            let chosen = credentials.choose(operation).ok().flatten();
            chosen.map(|credential| credential.source)
        };
        let mut credentials = Credentials {
            access_token: Some("t".into()),
            ..Credentials::default()
        };
        assert_eq!(source(&credentials, &EITHER), Some(Source::Given));
        assert!(matches!(credentials.choose(&PUBLIC), Ok(None)));
        credentials.api_key = Some("sk".into());
        assert_eq!(source(&credentials, &EITHER), Some(Source::ApiKey));
        let none = Credentials::default().choose(&EITHER);
        assert!(none.is_err_and(|message| message.contains("secret of an API key")));
    }

    /// An expired login of an identity service that does not exist.
    async fn expired() -> Arc<Logins> {
        let second = std::time::Duration::from_secs(1);
        let deadlines = Deadlines {
            attempt: second,
            call: second,
            silence: second,
        };
        // No service listens at the discard port.
        let identity = "http://127.0.0.1:9".to_owned();
        let http = reqwest::Client::new();
        let clients = identity_clients(&identity, &http, deadlines, None);
        let logins = Logins::new(identity.clone(), None, clients);
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
        logins.remember(login).await.expect("there is no file");
        Arc::new(logins)
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
        credentials.prepare(&PUBLIC_FIRST).await.expect("nothing");
        let refused = credentials.prepare(&KEY_FIRST).await;
        assert!(refused.is_err_and(|message| message.contains("could not be refreshed")));
        credentials.api_key = Some("sk".into());
        credentials.prepare(&KEY_FIRST).await.expect("the API key");
        // A call never falls back from the user's login to another credential.
        let refused = credentials.prepare(&LOGIN_FIRST).await;
        assert!(refused.is_err_and(|message| message.contains("could not be refreshed")));
        credentials.logins = None;
        credentials
            .prepare(&LOGIN_FIRST)
            .await
            .expect("the API key");
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
