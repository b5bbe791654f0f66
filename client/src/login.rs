//! Logging in on a device: RFC 8628.
//!
//! The client shows a code and an address, the user approves somewhere else, and the client asks for the token until
//! the user has, no faster than it is told.

use crate::{
    Accord,
    credentials::login_of,
    identity::{CreateDeviceAuthorizationError, CreateTokenError, RevokeTokenError, types},
    tokens::{Login, TokenFileError},
};
use chrono::Utc;
use secrecy::ExposeSecret;
use std::time::Duration;
use thiserror::Error;
use tokio::time::Instant;

/// The grant of RFC 8628, section 3.4.
const DEVICE_CODE: &str = "urn:ietf:params:oauth:grant-type:device_code";

/// What the user needs to see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// The code to enter.
    pub user_code: String,
    /// Where to enter it.
    pub verification_uri: String,
    /// The same address with the code filled in, for a link or a picture.
    pub verification_uri_complete: Option<String>,
    /// How long the code is good for.
    pub expires_in: Duration,
}

/// Why nobody is logged in.
#[derive(Debug, Error)]
pub enum LoginError {
    /// The login could not be started.
    #[error("the login cannot be started: {}", crate::explain(&**.0))]
    Start(#[source] Box<CreateDeviceAuthorizationError>),
    /// The user has said no.
    #[error("the login was denied")]
    Denied,
    /// The user has not decided in time.
    #[error("the code has expired before it was approved; log in again")]
    Expired,
    /// The service gives no token.
    #[error("the service gives no token: {}", crate::explain(&**.0))]
    Token(#[source] Box<CreateTokenError>),
    /// The token could not be revoked.
    #[error("the login is forgotten here, but could not be revoked: {}", crate::explain(&**.0))]
    Revoke(#[source] Box<RevokeTokenError>),
    /// The login cannot be remembered.
    #[error(transparent)]
    File(#[from] TokenFileError),
}

impl Accord {
    /// Logs in as a public client: shows the code with `show`, waits for the approval and remembers the tokens.
    ///
    /// All clones of this client use the login from then on, and refresh it when it is about to expire if
    /// `offline_access` is among the scopes.
    ///
    /// # Errors
    ///
    /// When the user denies or does not decide, or the service refuses. When only the file cannot be written, the login
    /// is good for as long as this client lives.
    pub async fn login(
        &self,
        client_id: &str,
        scopes: &[&str],
        show: impl FnOnce(&Prompt),
    ) -> Result<Login, LoginError> {
        let request = types::DeviceAuthorizationRequest::builder()
            .response_type("device_code".to_owned())
            .client_id(client_id.to_owned())
            .scope(scopes.join(" "));
        let started = self
            .identity
            .create_device_authorization()
            .body(request)
            .call()
            .await;
        let pending = started
            .map_err(|error| LoginError::Start(Box::new(error)))?
            .into_inner();
        let seconds = |number: i32| Duration::from_secs(u64::try_from(number).unwrap_or(0));
        let prompt = Prompt {
            user_code: pending.user_code,
            verification_uri: pending.verification_uri,
            verification_uri_complete: pending.verification_uri_complete,
            expires_in: seconds(pending.expires_in),
        };
        let deadline = Instant::now() + prompt.expires_in;
        show(&prompt);
        let login = self
            .poll(
                client_id,
                &pending.device_code,
                seconds(pending.interval),
                deadline,
            )
            .await?;
        self.credentials.remember(login.clone()).await?;
        Ok(login)
    }

    async fn poll(
        &self,
        client_id: &str,
        device_code: &str,
        mut interval: Duration,
        deadline: Instant,
    ) -> Result<Login, LoginError> {
        loop {
            if Instant::now() + interval >= deadline {
                return Err(LoginError::Expired);
            }
            tokio::time::sleep(interval).await;
            let asked_at = Utc::now();
            let request = types::TokenRequest::builder()
                .grant_type(DEVICE_CODE)
                .device_code(device_code.to_owned())
                .client_id(client_id.to_owned());
            match self.identity.create_token().body(request).call().await {
                Ok(answer) => {
                    return Ok(login_of(
                        &self.credentials.identity,
                        client_id,
                        answer.into_inner(),
                        asked_at,
                        None,
                    ));
                }
                Err(CreateTokenError::BadRequest(refusal)) => match refusal.error.as_str() {
                    "authorization_pending" => {}
                    // For this and all later polls (section 3.5).
                    "slow_down" => interval += Duration::from_secs(5),
                    "access_denied" => return Err(LoginError::Denied),
                    "expired_token" => return Err(LoginError::Expired),
                    _ => {
                        return Err(LoginError::Token(Box::new(CreateTokenError::BadRequest(
                            refusal,
                        ))));
                    }
                },
                // A connection that fails is no answer; come back later, and less often (section 3.5).
                Err(CreateTokenError::Other(progenitor_client::Error::CommunicationError(_))) => {
                    interval = interval.max(Duration::from_secs(1)).saturating_mul(2);
                }
                Err(error) => return Err(LoginError::Token(Box::new(error))),
            }
        }
    }

    /// Forgets the login and revokes its tokens. Answers whether there was one.
    ///
    /// # Errors
    ///
    /// When the file cannot be removed, or the service does not take the revocation; the login is forgotten then too.
    pub async fn logout(&self) -> Result<bool, LoginError> {
        let Some(login) = self.credentials.login().await? else {
            return Ok(false);
        };
        self.credentials.forget().await?;
        // Revoking the refresh token revokes all that came of the same approval.
        let (token, hint) = match &login.refresh_token {
            Some(token) => (token, "refresh_token"),
            None => (&login.access_token, "access_token"),
        };
        let request = types::RevocationRequest::builder()
            .token(token.expose_secret().to_owned())
            .token_type_hint(hint.to_owned())
            .client_id(login.client_id);
        let revoked = self.identity.revoke_token().body(request).call().await;
        revoked
            .map(|_| true)
            .map_err(|error| LoginError::Revoke(Box::new(error)))
    }
}
