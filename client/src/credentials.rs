//! What the client proves itself with, and how it stays good.

use crate::{
    identity::{self, CreateTokenError, types},
    tokens::{Login, TokenFile, TokenFileError},
};
use chrono::{DateTime, TimeDelta, Utc};
use secrecy::{ExposeSecret, SecretString};
use std::fs::File;
use tokio::sync::Mutex;

/// The scheme of the documents that takes the secret of an API key; all other bearer schemes take access tokens.
const API_KEY_SCHEME: &str = "apiKeySecret";

/// An access token, an API key's secret, or both.
#[derive(Debug)]
pub(crate) struct Credentials {
    /// The secret of an API key.
    api_key: Option<SecretString>,
    /// An access token that came from somewhere else, which cannot be refreshed here.
    access_token: Option<SecretString>,
    /// Where a login is remembered.
    file: Option<TokenFile>,
    /// The login of this process. The lock is held while it is refreshed, so that one request does it for all.
    login: Mutex<Known>,
    /// Address of the identity service; a login of another one is none.
    pub(crate) identity: String,
}

/// What is known about the login.
#[derive(Debug)]
enum Known {
    /// The file has not been looked at.
    Nothing,
    /// There is none.
    None,
    /// This one.
    Login(Box<Login>),
}

impl Credentials {
    pub(crate) fn new(
        identity: String,
        api_key: Option<SecretString>,
        access_token: Option<SecretString>,
        file: Option<TokenFile>,
    ) -> Self {
        Self {
            api_key,
            access_token,
            file,
            login: Mutex::new(Known::Nothing),
            identity,
        }
    }

    /// The bearer value for an operation: nothing where the document asks for none.
    ///
    /// The error says what is missing and where to get it.
    pub(crate) async fn bearer(
        &self,
        operation: &dropforge_client::Operation,
    ) -> Result<Option<SecretString>, String> {
        use dropforge_client::SchemeKind::Bearer;
        if operation.asks_for(|scheme| scheme.kind == Bearer && scheme.name == API_KEY_SCHEME) {
            return match &self.api_key {
                Some(secret) => Ok(Some(secret.clone())),
                None if operation.is_public() => Ok(None),
                None => Err(format!(
                    "{} needs the secret of an API key, and there is none",
                    operation.id
                )),
            };
        }
        if !operation.asks_for(|scheme| scheme.kind == Bearer) {
            return Ok(None);
        }
        if let Some(token) = &self.access_token {
            return Ok(Some(token.clone()));
        }
        match self.fresh().await? {
            Some(token) => Ok(Some(token)),
            None if operation.is_public() => Ok(None),
            None => Err(format!(
                "{} needs an access token, and nobody is logged in",
                operation.id
            )),
        }
    }

    /// The access token of the login, refreshed if it is about to expire.
    async fn fresh(&self) -> Result<Option<SecretString>, String> {
        let mut known = self.login.lock().await;
        self.look(&mut known)
            .await
            .map_err(|error| error.to_string())?;
        let Known::Login(login) = &*known else {
            return Ok(None);
        };
        if login.is_fresh(Utc::now()) || login.refresh_token.is_none() {
            return Ok(Some(login.access_token.clone()));
        }
        let expires_at = login.expires_at;
        match self.refresh(&mut known).await {
            Ok(token) => Ok(Some(token)),
            // It may still be good for this one.
            Err(_) if expires_at > Utc::now() => match &*known {
                Known::Login(login) => Ok(Some(login.access_token.clone())),
                _ => Ok(None),
            },
            Err(message) => Err(message),
        }
    }

    /// Another access token in place of one that the service has refused; nothing if there is none to be had.
    pub(crate) async fn instead_of(&self, refused: &SecretString) -> Option<SecretString> {
        let mut known = self.login.lock().await;
        let Known::Login(login) = &*known else {
            return None;
        };
        if login.access_token.expose_secret() != refused.expose_secret() {
            // Another request was faster.
            return Some(login.access_token.clone());
        }
        login.refresh_token.as_ref()?;
        self.refresh(&mut known).await.ok()
    }

    /// The login, read from its file the first time.
    pub(crate) async fn login(&self) -> Result<Option<Login>, TokenFileError> {
        let mut known = self.login.lock().await;
        self.look(&mut known).await?;
        match &*known {
            Known::Login(login) => Ok(Some(Login::clone(login))),
            _ => Ok(None),
        }
    }

    async fn look(&self, known: &mut Known) -> Result<(), TokenFileError> {
        if matches!(known, Known::Nothing) {
            *known = match self.read().await? {
                Some(login) => Known::Login(Box::new(login)),
                None => Known::None,
            };
        }
        Ok(())
    }

    async fn read(&self) -> Result<Option<Login>, TokenFileError> {
        let login = self.on_file(|file| file.read()).await?.flatten();
        Ok(login.filter(|login| login.identity == self.identity))
    }

    /// Remembers a login, here and in the file.
    pub(crate) async fn remember(&self, login: Login) -> Result<(), TokenFileError> {
        let mut known = self.login.lock().await;
        let copy = login.clone();
        *known = Known::Login(Box::new(login));
        self.on_file(move |file| file.write(&copy))
            .await
            .map(|_| ())
    }

    /// Forgets the login, here and in the file.
    pub(crate) async fn forget(&self) -> Result<(), TokenFileError> {
        let mut known = self.login.lock().await;
        *known = Known::None;
        self.on_file(|file| file.remove()).await.map(|_| ())
    }

    /// Exchanges the refresh token. Programs that share the file take turns: the one that comes second finds a token
    /// that is fresh already.
    async fn refresh(&self, known: &mut Known) -> Result<SecretString, String> {
        let Known::Login(old) = &*known else {
            return Err("nobody is logged in".to_owned());
        };
        let old = Login::clone(old);
        // Held to the end of this function.
        let _turn: Option<File> = self
            .on_file(|file| file.lock())
            .await
            .map_err(|error| error.to_string())?;
        let mut old = old;
        if let Ok(Some(login)) = self.read().await
            && login.access_token.expose_secret() != old.access_token.expose_secret()
        {
            if login.is_fresh(Utc::now()) {
                let token = login.access_token.clone();
                *known = Known::Login(Box::new(login));
                return Ok(token);
            }
            old = login;
        }
        let refresh_token = old
            .refresh_token
            .clone()
            .ok_or("the login has expired; log in again")?;
        let client = identity::Client::new(
            &format!("{}{}", self.identity, identity::BASE_PATH),
            Default::default(),
        );
        let body = types::TokenRequest::builder()
            .grant_type("refresh_token")
            .refresh_token(refresh_token.expose_secret().to_owned())
            .client_id(old.client_id.clone());
        let asked_at = Utc::now();
        match client.create_token().body(body).call().await {
            Ok(answer) => {
                let login = login_of(
                    &self.identity,
                    &old.client_id,
                    answer.into_inner(),
                    asked_at,
                    old.refresh_token,
                );
                let token = login.access_token.clone();
                *known = Known::Login(Box::new(login.clone()));
                // A login that cannot be remembered is still good for this process.
                let _ = self.on_file(move |file| file.write(&login)).await;
                Ok(token)
            }
            Err(CreateTokenError::BadRequest(refusal)) => {
                let what = &refusal.error_description;
                Err(format!(
                    "the login is not good any more; log in again ({what})"
                ))
            }
            Err(error) => Err(format!(
                "the login could not be refreshed: {}",
                crate::explain(&error)
            )),
        }
    }

    /// Does something with the file, if there is one, where it may wait.
    async fn on_file<T: Send + 'static>(
        &self,
        action: impl FnOnce(&TokenFile) -> Result<T, TokenFileError> + Send + 'static,
    ) -> Result<Option<T>, TokenFileError> {
        let Some(file) = self.file.clone() else {
            return Ok(None);
        };
        let path = file.path().to_owned();
        match tokio::task::spawn_blocking(move || action(&file)).await {
            Ok(result) => result.map(Some),
            Err(error) => Err(TokenFileError::File {
                path,
                source: std::io::Error::other(error),
            }),
        }
    }
}

/// The login that an answer of the token endpoint stands for. A refresh that gives no new refresh token leaves the old
/// one good (RFC 6749, section 6).
pub(crate) fn login_of(
    identity: &str,
    client_id: &str,
    answer: types::TokenResponse,
    asked_at: DateTime<Utc>,
    refresh_token: Option<SecretString>,
) -> Login {
    Login {
        identity: identity.to_owned(),
        client_id: client_id.to_owned(),
        scope: answer.scope,
        access_token: answer.access_token.into(),
        expires_at: asked_at + TimeDelta::seconds(answer.expires_in.into()),
        refresh_token: answer.refresh_token.map(Into::into).or(refresh_token),
    }
}
