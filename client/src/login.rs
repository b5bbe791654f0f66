//! Logging in on a device: RFC 8628.
//!
//! The client shows a code and an address, the user approves on another device, and the client polls for the token at
//! the interval that the service sets.

use crate::{
    Accord, OperationError,
    areas::identity::{CreateDeviceAuthorizationError, CreateTokenError, RevokeTokenError, types},
    explain,
    logins::{Logins, login_of},
    store::LoginStoreError,
    tokens::Login,
};
use chrono::Utc;
use dropforge_client::Secret;
use secrecy::ExposeSecret;
use std::{error::Error, fmt, sync::Arc, time::Duration};
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
#[derive(Debug)]
#[non_exhaustive]
pub enum LoginError {
    /// The login could not be started.
    Start(Box<CreateDeviceAuthorizationError>),
    /// The user denied the login.
    Denied,
    /// The user did not decide in time.
    Expired,
    /// The service did not issue a token.
    Token(Box<CreateTokenError>),
    /// The token could not be revoked.
    Revoke(Box<RevokeTokenError>),
    /// The login cannot be remembered, or the remembered one cannot be read.
    Store(LoginStoreError),
}

impl fmt::Display for LoginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(error) => {
                write!(f, "the login cannot be started: {}", explain(&**error))
            }
            Self::Denied => f.write_str("the login was denied"),
            Self::Expired => {
                f.write_str("the code has expired before it was approved; log in again")
            }
            Self::Token(error) => {
                write!(
                    f,
                    "the service did not issue a token: {}",
                    explain(&**error)
                )
            }
            Self::Revoke(error) => write!(
                f,
                "the login is forgotten here, but could not be revoked: {}",
                explain(&**error)
            ),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl Error for LoginError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Start(error) => Some(&**error),
            Self::Token(error) => Some(&**error),
            Self::Revoke(error) => Some(&**error),
            Self::Store(error) => error.source(),
            Self::Denied | Self::Expired => None,
        }
    }
}

impl From<LoginStoreError> for LoginError {
    fn from(error: LoginStoreError) -> Self {
        Self::Store(error)
    }
}

/// A login that waits for the approval of the user, from [`Accord::start_login`].
///
/// Dropping it cancels the login: nothing polls for the token any more, and the code expires.
#[derive(Debug)]
#[must_use = "nobody is logged in before `wait` has ended"]
pub struct PendingLogin {
    prompt: Prompt,
    logins: Arc<Logins>,
    client_id: String,
    device_code: Secret,
    interval: Duration,
    deadline: Instant,
}

impl Accord {
    /// Starts a login as a public client, and returns the code for the user. [`PendingLogin::wait`] finishes it.
    ///
    /// ```no_run
    /// # async fn example(accord: accord_client::Accord) -> Result<(), accord_client::LoginError> {
    /// let pending = accord.start_login("accord-cli", &["accounts.read", "offline_access"]).await?;
    /// println!("Open {}", pending.prompt().verification_uri_complete);
    /// let login = pending.wait().await?;
    /// println!("Logged in, with {}.", login.scope);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// When a login cannot be stored ([`LoginError::Store`]), or the service refuses ([`LoginError::Start`]).
    pub async fn start_login(
        &self,
        client_id: &str,
        scopes: &[&str],
    ) -> Result<PendingLogin, LoginError> {
        // The user should not approve a login that cannot be stored.
        self.logins.prepare().await?;
        let request = types::DeviceAuthorizationRequest::new()
            .response_type(types::ResponseType::DeviceCode)
            .client_id(client_id)
            .scope(scopes.join(" "));
        let identity = self.logins.identity_client(client_id);
        let started = identity
            .create_device_authorization()
            .body(request)
            .call()
            .await;
        let started = started
            .map_err(|error| LoginError::Start(Box::new(error)))?
            .into_inner();
        let seconds = |number: i32| Duration::from_secs(u64::try_from(number).unwrap_or(0));
        let prompt = Prompt {
            user_code: started.user_code,
            verification_uri: started.verification_uri,
            verification_uri_complete: started.verification_uri_complete,
            expires_in: seconds(started.expires_in),
        };
        Ok(PendingLogin {
            deadline: Instant::now() + prompt.expires_in,
            prompt,
            logins: Arc::clone(&self.logins),
            client_id: client_id.to_owned(),
            device_code: started.device_code,
            interval: seconds(started.interval).max(MIN_INTERVAL),
        })
    }

    /// Logs in as a public client: shows the code with `show`, waits for the approval and remembers the tokens. This is
    /// [`Accord::start_login`] and [`PendingLogin::wait`] in one.
    ///
    /// # Errors
    ///
    /// When the login cannot be started, and as [`PendingLogin::wait`].
    pub async fn login(
        &self,
        client_id: &str,
        scopes: &[&str],
        show: impl FnOnce(&Prompt),
    ) -> Result<Login, LoginError> {
        let pending = self.start_login(client_id, scopes).await?;
        show(pending.prompt());
        pending.wait().await
    }

    /// Forgets the login and revokes its tokens. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// When the store cannot be changed, or the service rejects the revocation. This client forgets the login even then.
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

impl PendingLogin {
    /// The code and the addresses to show to the user.
    pub fn prompt(&self) -> &Prompt {
        &self.prompt
    }

    /// Waits until the user has approved, and remembers the tokens.
    ///
    /// All clones of the client use the login from then on, and refresh it when it is about to expire if
    /// `offline_access` is among the scopes.
    ///
    /// # Errors
    ///
    /// When the user denies ([`LoginError::Denied`]) or does not decide in time ([`LoginError::Expired`]), or the service
    /// refuses ([`LoginError::Token`]). When only the store fails ([`LoginError::Store`]), the login lasts as long as the
    /// client.
    pub async fn wait(self) -> Result<Login, LoginError> {
        let login = self.poll().await?;
        self.logins.remember(login.clone()).await?;
        Ok(login)
    }

    /// Polls for the token until the user has decided, for the last time at the deadline.
    async fn poll(&self) -> Result<Login, LoginError> {
        let client = self.logins.identity_client(&self.client_id);
        let mut interval = self.interval;
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
                .client_id(self.client_id.clone());
            let error = match client.create_token().body(request).call().await {
                Ok(response) => {
                    let response = response.into_inner();
                    let identity = &self.logins.key.identity;
                    return Ok(login_of(
                        identity,
                        &self.client_id,
                        response,
                        asked_at,
                        None,
                    ));
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
