//! The state of a login: its tokens, its running refresh, and why it is not refreshed.

use crate::{
    OperationError, credentials_error::CredentialsError, retry::RetryPolicy, tokens::Login,
};
use futures_util::future::{BoxFuture, Shared};
use std::time::{Duration, Instant};
use tokio::task::AbortHandle;

/// The state of the login.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) login: Option<KnownLogin>,
    /// The number of changes of the login.
    pub(crate) generation: u64,
    pub(crate) problem: Option<RefreshProblem>,
    pub(crate) refresh: Option<Refresh>,
}

/// A login, and whether the store has it as well.
#[derive(Debug, Clone)]
pub(crate) struct KnownLogin {
    pub(crate) login: Login,
    pub(crate) is_stored: bool,
}

/// Why the login is not refreshed now.
#[derive(Debug, Clone)]
pub(crate) enum RefreshProblem {
    /// The service has refused the refresh token. The user must log in again.
    Ended(CredentialsError),
    /// The last refresh failed, and the next one has to wait.
    Waiting {
        until: Instant,
        failures: u32,
        error: CredentialsError,
    },
}

/// A running refresh.
#[derive(Debug, Clone)]
pub(crate) struct Refresh {
    pub(crate) task: AbortHandle,
    pub(crate) outcome: Outcome,
}

/// The outcome of a refresh, for all callers.
pub(crate) type Outcome = Shared<BoxFuture<'static, Result<(), CredentialsError>>>;

impl State {
    /// Whether there is a login that the service has not refused.
    pub(crate) fn is_usable(&self) -> bool {
        self.login.is_some() && !matches!(self.problem, Some(RefreshProblem::Ended(_)))
    }

    /// Replaces the login. Callers with a token of an older generation get the new one.
    pub(crate) fn set(&mut self, login: Option<KnownLogin>) {
        self.login = login;
        self.generation += 1;
        self.problem = None;
    }

    /// Stores the outcome of a refresh of this generation.
    pub(crate) fn settle(
        &mut self,
        generation: u64,
        renewed: Result<Option<KnownLogin>, CredentialsError>,
    ) -> Result<(), CredentialsError> {
        if self.generation != generation {
            // The user has logged in or out in the meantime.
            return Ok(());
        }
        match renewed {
            Ok(login) => {
                self.set(login);
                Ok(())
            }
            Err(error @ CredentialsError::LoginEnded { .. }) => {
                self.problem = Some(RefreshProblem::Ended(error.clone()));
                Err(error)
            }
            Err(error) => {
                let failures = match &self.problem {
                    Some(RefreshProblem::Waiting { failures, .. }) => failures + 1,
                    _ => 1,
                };
                let policy = RetryPolicy::default()
                    .first_wait(Duration::from_secs(5))
                    .max_wait(Duration::from_secs(60));
                let asked = match &error {
                    CredentialsError::Refresh(error) => error.retry_after().unwrap_or_default(),
                    _ => Duration::ZERO,
                };
                let wait = asked.min(policy.max_wait).max(policy.backoff(failures));
                self.problem = Some(RefreshProblem::Waiting {
                    until: Instant::now() + wait,
                    failures,
                    error: error.clone(),
                });
                Err(error)
            }
        }
    }
}

impl RefreshProblem {
    /// The failure, as long as another refresh would be useless.
    pub(crate) fn holds(&self) -> Option<CredentialsError> {
        match self {
            Self::Ended(error) => Some(error.clone()),
            Self::Waiting { until, error, .. } => (Instant::now() < *until).then(|| error.clone()),
        }
    }
}
