//! The login of a user: its store, and its refreshes.
//!
//! A refresh token works once: the service revokes the whole approval when one is used again.
//! Therefore one refresh serves all callers. It runs in a task of its own, so that a caller who
//! gives up does not lose the login. Programs that share a store of logins take turns.

use crate::{
    areas::identity::{self, CreateTokenError, types},
    credentials_error::CredentialsError,
    exchange::exchange,
    login_state::{KnownLogin, Outcome, Refresh, RefreshProblem, State},
    retry::RetryPolicy,
    store::{BoxError, LoginKey, LoginStore, LoginStoreError, SharedStore},
    tokens::Login,
};
use chrono::{DateTime, TimeDelta, Utc};
use dropforge_client::Secret;
use futures_util::FutureExt;
use secrecy::{ExposeSecret, SecretString};
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use tokio::sync::Mutex as AsyncMutex;
use tracing::debug;

/// The interval at which a client without a valid login reads the store, where `accord login` may
/// have written one.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// A token of this age that the service refuses is not renewed: the next one would be refused as well.
const MIN_RENEWAL_AGE: TimeDelta = TimeDelta::seconds(30);

/// Clients of the identity service, without a login. Their HTTP client follows no redirects, which would carry the
/// refresh token elsewhere.
#[derive(Debug)]
pub(crate) struct IdentityClients {
    /// The client of all public OAuth clients.
    pub(crate) public: identity::Client,
    /// The client of a confidential OAuth client, with the identifier of the latter.
    pub(crate) confidential: Option<(String, identity::Client)>,
}

/// The login for one identity service.
#[derive(Debug)]
pub(crate) struct Logins {
    /// The identity service, and the profile of the user.
    pub(crate) key: LoginKey,
    /// Where the login is remembered.
    store: SharedStore,
    clients: IdentityClients,
    /// The policy of refreshes.
    retry: RetryPolicy,
    /// When the store was last read. The lock is held while it is read or changed.
    checked_at: AsyncMutex<Option<Instant>>,
    /// This lock is never held across an `await`.
    state: Mutex<State>,
}

impl Logins {
    pub(crate) fn new(
        key: LoginKey,
        store: SharedStore,
        clients: IdentityClients,
        retry: RetryPolicy,
    ) -> Self {
        Self {
            key,
            store,
            clients,
            retry,
            checked_at: AsyncMutex::default(),
            state: Mutex::default(),
        }
    }

    /// The access token and its generation, if there is a login.
    pub(crate) fn token(&self) -> Option<(SecretString, u64)> {
        let state = self.state();
        let known = state.login.as_ref()?;
        Some((known.login.access_token.clone(), state.generation))
    }

    /// The login, looked up in the store if none is known.
    pub(crate) async fn login(&self) -> Result<Option<Login>, LoginStoreError> {
        self.check_store().await?;
        Ok(self.state().login.as_ref().map(|known| known.login.clone()))
    }

    /// Makes sure that the login is valid, if there is one. A token that expires soon is renewed in the background.
    ///
    /// The error says why the login cannot be used.
    pub(crate) async fn ready(self: &Arc<Self>) -> Result<(), CredentialsError> {
        let checked = self.check_store().await;
        checked.map_err(CredentialsError::store)?;
        let outcome = {
            let mut state = self.state();
            let now = Utc::now();
            let Some(KnownLogin { login, .. }) = &state.login else {
                return Ok(());
            };
            // Without a refresh token, the service decides whether the access token is valid.
            if login.is_fresh(now) || login.refresh_token.is_none() {
                return Ok(());
            }
            let is_valid = login.expires_at > now;
            if let Some(error) = state.problem.as_ref().and_then(RefreshProblem::holds) {
                return if is_valid { Ok(()) } else { Err(error) };
            }
            let outcome = self.refresh(&mut state);
            if is_valid {
                return Ok(());
            }
            outcome
        };
        outcome.await
    }

    /// Renews the token of this generation, which the service has refused. Says whether there is another one now.
    pub(crate) async fn renew(self: &Arc<Self>, refused: u64) -> bool {
        let outcome = {
            let mut state = self.state();
            if state.generation != refused {
                // Another request has already renewed the token.
                return state.login.is_some();
            }
            let Some(KnownLogin { login, .. }) = &state.login else {
                return false;
            };
            if login.refresh_token.is_none() {
                let reason = "the service rejects its access token".to_owned();
                let error = CredentialsError::LoginEnded { reason };
                state.problem = Some(RefreshProblem::Ended(error));
                return false;
            }
            let is_held_up = state
                .problem
                .as_ref()
                .and_then(RefreshProblem::holds)
                .is_some();
            if is_held_up || login.is_younger_than(MIN_RENEWAL_AGE, Utc::now()) {
                return false;
            }
            self.refresh(&mut state)
        };
        outcome.await.is_ok()
    }

    /// Waits for the running refresh, if there is one.
    pub(crate) async fn settle(&self) {
        let refresh = self.state().refresh.clone();
        if let Some(refresh) = refresh.filter(|refresh| !refresh.task.is_finished()) {
            // The caller of the refresh receives its outcome.
            let _ = refresh.outcome.await;
        }
    }

    /// Ensures that a login can be stored, before the user has to sign in.
    pub(crate) async fn prepare(&self) -> Result<(), LoginStoreError> {
        self.on_store(|store, _| {
            let _lock = store.lock()?;
            store.check()
        })
        .await
    }

    /// Remembers a login, here and in the store. When it cannot be stored, the login lasts as long as the client.
    pub(crate) async fn remember(&self, login: Login) -> Result<(), LoginStoreError> {
        let mut checked_at = self.checked_at.lock().await;
        let copy = login.clone();
        let saved = self.on_store(move |store, key| {
            let _lock = store.lock()?;
            store.save(key, &copy)
        });
        let saved = saved.await;
        let is_stored = saved.is_ok();
        self.state().set(Some(KnownLogin { login, is_stored }));
        *checked_at = Some(Instant::now());
        saved
    }

    /// Forgets the login, here and in the store.
    pub(crate) async fn forget(&self) -> Result<(), LoginStoreError> {
        let mut checked_at = self.checked_at.lock().await;
        let removed = self.on_store(|store, key| {
            if store.load(key)?.is_none() {
                return Ok(());
            }
            let _lock = store.lock()?;
            store.remove(key)
        });
        let removed = removed.await;
        self.state().set(None);
        *checked_at = Some(Instant::now());
        removed
    }

    /// A client of the identity service that calls as this OAuth client.
    pub(crate) fn identity_client(&self, client_id: &str) -> &identity::Client {
        match &self.clients.confidential {
            Some((id, client)) if id == client_id => client,
            _ => &self.clients.public,
        }
    }

    /// Reads the store the first time, and then as long as there is no usable login, but not more often than
    /// [`POLL_INTERVAL`].
    async fn check_store(&self) -> Result<(), LoginStoreError> {
        if self.state().is_usable() {
            return Ok(());
        }
        let mut checked_at = self.checked_at.lock().await;
        let is_recent = checked_at.is_some_and(|at| at.elapsed() < POLL_INTERVAL);
        if is_recent || self.state().is_usable() {
            return Ok(());
        }
        let found = self.on_store(|store, key| store.load(key)).await?;
        *checked_at = Some(Instant::now());
        let mut state = self.state();
        if let Some(login) = found
            && !state.is_usable()
            && state
                .login
                .as_ref()
                .is_none_or(|old| !old.login.has_tokens_of(&login))
        {
            let is_stored = true;
            state.set(Some(KnownLogin { login, is_stored }));
        }
        Ok(())
    }

    /// The running refresh, or a new one.
    fn refresh(self: &Arc<Self>, state: &mut State) -> Outcome {
        if let Some(refresh) = &state.refresh
            && !refresh.task.is_finished()
        {
            return refresh.outcome.clone();
        }
        let (logins, known, generation) = (Arc::clone(self), state.login.clone(), state.generation);
        let task = tokio::spawn(async move {
            let Some(known) = known else { return Ok(()) };
            debug!("the login is being refreshed");
            let renewed = logins.exchange(known).await;
            match &renewed {
                Ok(Some(known)) => {
                    debug!(expires_at = %known.login.expires_at, "the login has a new access token");
                }
                Ok(None) => debug!("another program has logged out"),
                Err(error) => debug!(%error, "the refresh of the login failed"),
            }
            logins.state().settle(generation, renewed)
        });
        let handle = task.abort_handle();
        let outcome = task.map(|joined| match joined {
            Ok(outcome) => outcome,
            Err(_) => Err(CredentialsError::Interrupted),
        });
        let refresh = Refresh {
            task: handle,
            outcome: outcome.boxed().shared(),
        };
        state.refresh.insert(refresh).outcome.clone()
    }

    /// Exchanges the refresh token; nothing if another program has logged out.
    async fn exchange(
        &self,
        mut known: KnownLogin,
    ) -> Result<Option<KnownLogin>, CredentialsError> {
        // The lock is held until the end, so that programs that share the store take turns.
        let locked = self.on_store(|store, key| {
            let lock = store.lock()?;
            Ok((lock, store.load(key)))
        });
        let (lock, found) = locked.await.map_err(CredentialsError::store)?;
        // A store that cannot be read stays unchanged.
        let is_readable = found.is_ok();
        match found {
            Ok(Some(login)) if !login.has_tokens_of(&known.login) => {
                let is_stored = true;
                known = KnownLogin { login, is_stored };
                if known.login.is_fresh(Utc::now()) {
                    return Ok(Some(known));
                }
            }
            Ok(None) if known.is_stored => return Ok(None),
            _ => {}
        }
        let old = known.login;
        let Some(refresh_token) = &old.refresh_token else {
            let reason = "it has expired, and has no refresh token".to_owned();
            return Err(CredentialsError::LoginEnded { reason });
        };
        let body = types::TokenRequest::new("refresh_token")
            .refresh_token(Secret::from(refresh_token.expose_secret()))
            .client_id(old.client_id.clone());
        let asked_at = Utc::now();
        let client = self.identity_client(&old.client_id);
        let response = exchange(client, body, &self.retry).await;
        let response = response.map_err(of_exchange)?;
        let login = login_of(
            &self.key.identity,
            &old.client_id,
            response,
            asked_at,
            old.refresh_token,
        );
        let copy = login.clone();
        let saved = self.on_store(move |store, key| {
            if !is_readable {
                return Ok(false);
            }
            let _lock = lock;
            store.save(key, &copy).map(|()| true)
        });
        // A login that cannot be stored still works in this process.
        let is_stored = saved.await.unwrap_or(false);
        Ok(Some(KnownLogin { login, is_stored }))
    }

    /// Runs a function on the store, on a thread that may block.
    async fn on_store<T: Send + 'static>(
        &self,
        action: impl FnOnce(&dyn LoginStore, &LoginKey) -> Result<T, BoxError> + Send + 'static,
    ) -> Result<T, LoginStoreError> {
        let (store, key) = (self.store.clone(), self.key.clone());
        let task = tokio::task::spawn_blocking(move || action(&*store.0, &key));
        let outcome = task.await.unwrap_or_else(|error| Err(error.into()));
        Ok(outcome?)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Every change is complete before the lock ends.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why a refresh token was not exchanged.
fn of_exchange(error: CreateTokenError) -> CredentialsError {
    match error {
        CreateTokenError::BadRequest(refusal) if refusal.error.as_str() == "invalid_grant" => {
            let reason = refusal.into_inner().error_description;
            CredentialsError::LoginEnded { reason }
        }
        error => CredentialsError::Refresh(Arc::new(error)),
    }
}

/// Converts a response of the token endpoint into a login. A refresh without a new refresh token leaves the old one
/// valid (RFC 6749, section 6).
pub(crate) fn login_of(
    identity: &str,
    client_id: &str,
    response: types::TokenResponse,
    asked_at: DateTime<Utc>,
    refresh_token: Option<SecretString>,
) -> Login {
    Login {
        identity: identity.to_owned(),
        client_id: client_id.to_owned(),
        scope: response.scope,
        access_token: response.access_token.into_exposed().into(),
        issued_at: Some(asked_at),
        expires_at: asked_at + TimeDelta::seconds(response.expires_in.into()),
        refresh_token: response
            .refresh_token
            .map(|token| token.into_exposed().into())
            .or(refresh_token),
    }
}
