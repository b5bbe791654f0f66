//! Logging in on a device: RFC 8628.
//!
//! The client shows a code and an address, the user approves on another device, and the client polls for the token at
//! the interval that the service sets.

use crate::{
    Accord, OperationError,
    identity::{self, CreateDeviceAuthorizationError, CreateTokenError, RevokeTokenError, types},
    logins::login_of,
    tokens::{Login, TokenFileError},
};
use chrono::Utc;
use dropforge_client::Secret;
use secrecy::ExposeSecret;
use std::time::Duration;
use thiserror::Error;
use tokio::time::Instant;

/// The grant of RFC 8628, section 3.4.
const DEVICE_CODE: &str = "urn:ietf:params:oauth:grant-type:device_code";

/// The minimum time between two polls, even if the service sets a shorter one.
const MIN_INTERVAL: Duration = Duration::from_secs(1);

/// The maximum time between two polls after failures, unless the service sets a longer one.
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// The code and the addresses to show to the user.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Prompt {
    /// The code to enter.
    pub user_code: String,
    /// The address at which to enter the code.
    pub verification_uri: String,
    /// The same address with the code filled in, for a link or a picture.
    pub verification_uri_complete: String,
    /// How long the code is valid.
    pub expires_in: Duration,
}

/// Why nobody is logged in.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoginError {
    /// The login could not be started.
    #[error("the login cannot be started: {}", crate::explain(&**.0))]
    Start(#[source] Box<CreateDeviceAuthorizationError>),
    /// The user denied the login.
    #[error("the login was denied")]
    Denied,
    /// The user did not decide in time.
    #[error("the code has expired before it was approved; log in again")]
    Expired,
    /// The service did not issue a token.
    #[error("the service did not issue a token: {}", crate::explain(&**.0))]
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
    /// lasts as long as this client.
    pub async fn login(
        &self,
        client_id: &str,
        scopes: &[&str],
        show: impl FnOnce(&Prompt),
    ) -> Result<Login, LoginError> {
        // The user should not approve a login that cannot be stored.
        self.logins.prepare().await?;
        let identity = self.logins.identity_client(client_id);
        let request = types::DeviceAuthorizationRequest::new()
            .response_type(types::ResponseType::DeviceCode)
            .client_id(client_id)
            .scope(scopes.join(" "));
        let started = identity
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
        let polling = Polling {
            client: identity,
            client_id,
            device_code: &pending.device_code,
            deadline,
        };
        let interval = seconds(pending.interval).max(MIN_INTERVAL);
        let login = polling.poll(interval, &self.logins.identity).await?;
        self.logins.remember(login.clone()).await?;
        Ok(login)
    }

    /// Forgets the login and revokes its tokens. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// When the file cannot be removed, or the service does not take the revocation; the login is forgotten then too.
    pub async fn logout(&self) -> Result<bool, LoginError> {
        let Some(login) = self.logins.login().await? else {
            return Ok(false);
        };
        self.logins.forget().await?;
        // Revoking the refresh token revokes all tokens of the same approval.
        let (token, hint) = match &login.refresh_token {
            Some(token) => (token, "refresh_token"),
            None => (&login.access_token, "access_token"),
        };
        let request = types::RevocationRequest::new(token.expose_secret())
            .token_type_hint(hint)
            .client_id(login.client_id.clone());
        let identity = self.logins.identity_client(&login.client_id);
        let revoked = identity.revoke_token().body(request).call().await;
        revoked
            .map(|_| true)
            .map_err(|error| LoginError::Revoke(Box::new(error)))
    }
}

/// A device authorization that waits for the user.
struct Polling<'a> {
    client: &'a identity::Client,
    client_id: &'a str,
    device_code: &'a Secret,
    deadline: Instant,
}

impl Polling<'_> {
    /// Polls for the token until the user has decided, for the last time at the deadline.
    async fn poll(&self, mut interval: Duration, identity: &str) -> Result<Login, LoginError> {
        let mut failures = 0;
        let mut wait = interval;
        loop {
            let left = self.deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(LoginError::Expired);
            }
            tokio::time::sleep(wait.min(left)).await;
            let asked_at = Utc::now();
            let request = types::TokenRequest::new(DEVICE_CODE)
                .device_code(self.device_code.clone())
                .client_id(self.client_id);
            let error = match self.client.create_token().body(request).call().await {
                Ok(response) => {
                    let response = response.into_inner();
                    return Ok(login_of(identity, self.client_id, response, asked_at, None));
                }
                Err(error) => error,
            };
            if error.is_retryable() {
                // The service did not process the request: poll later, and less often (section 3.5).
                failures += 1;
                wait = interval
                    .saturating_mul(2u32.saturating_pow(failures))
                    .min(MAX_PAUSE)
                    .max(interval)
                    .max(error.retry_after().unwrap_or_default());
                continue;
            }
            let CreateTokenError::BadRequest(refusal) = error else {
                return Err(LoginError::Token(Box::new(error)));
            };
            match refusal.error.as_str() {
                "authorization_pending" => {}
                // For this and all later polls (section 3.5).
                "slow_down" => interval += Duration::from_secs(5),
                "access_denied" => return Err(LoginError::Denied),
                "expired_token" => return Err(LoginError::Expired),
                _ => {
                    let error = CreateTokenError::BadRequest(refusal);
                    return Err(LoginError::Token(Box::new(error)));
                }
            }
            failures = 0;
            wait = interval;
        }
    }
}
