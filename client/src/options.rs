//! Options of single calls.

use crate::{
    Accord, RetryPolicy, credentials::Credentials, token_source::SharedSource, transport::Transport,
};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use secrecy::SecretString;
use std::{sync::Arc, time::Duration};

/// What differs for some calls from the options of the [`Builder`](crate::Builder).
///
/// ```no_run
/// # async fn example(accord: accord_client::Accord) -> Result<(), Box<dyn std::error::Error>> {
/// use accord_client::{CallOptions, RetryPolicy};
/// use std::time::Duration;
///
/// let hasty = CallOptions::new().deadline(Duration::from_secs(2)).retry(RetryPolicy::never());
/// let models = accord.with_options(&hasty).inference().list_models().call().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default)]
pub struct CallOptions {
    timeout: Option<Duration>,
    deadline: Option<Duration>,
    stream_timeout: Option<Duration>,
    stream_deadline: Option<Duration>,
    retry: Option<RetryPolicy>,
    headers: HeaderMap,
    access_token: Option<SecretString>,
    api_key: Option<SecretString>,
}

impl CallOptions {
    /// No differences.
    pub fn new() -> Self {
        Self::default()
    }

    /// The timeout of one attempt, as [`Builder::timeout`](crate::Builder::timeout).
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// The deadline of a call, as [`Builder::deadline`](crate::Builder::deadline).
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// How long an event stream may be silent, as [`Builder::stream_timeout`](crate::Builder::stream_timeout).
    #[must_use]
    pub fn stream_timeout(mut self, timeout: Duration) -> Self {
        self.stream_timeout = Some(timeout);
        self
    }

    /// How long an event stream may last, as [`Builder::stream_deadline`](crate::Builder::stream_deadline).
    #[must_use]
    pub fn stream_deadline(mut self, deadline: Duration) -> Self {
        self.stream_deadline = Some(deadline);
        self
    }

    /// The retry policy for failed attempts.
    #[must_use]
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.retry = Some(policy);
        self
    }

    /// The access token of the calls, in place of the login or the source of the client. It is not refreshed.
    #[must_use]
    pub fn access_token(mut self, token: impl Into<String>) -> Self {
        self.access_token = Some(token.into().into());
        self
    }

    /// The secret of the API key of the calls, in place of that of the client.
    #[must_use]
    pub fn api_key(mut self, secret: impl Into<String>) -> Self {
        self.api_key = Some(secret.into().into());
        self
    }

    /// A further header of the requests. It replaces one of the client's own, except `Authorization`.
    #[must_use]
    pub fn header(mut self, name: HeaderName, mut value: HeaderValue) -> Self {
        // It may be a secret, which does not print.
        value.set_sensitive(true);
        self.headers.insert(name, value);
        self
    }
}

impl Accord {
    /// A client whose calls have these options. It shares everything else with this one: connections, other credentials,
    /// the login and the retry budget. Creating it costs little.
    #[must_use]
    pub fn with_options(&self, options: &CallOptions) -> Accord {
        self.with_transport(self.transport.with(options))
    }
}

impl Transport {
    fn with(&self, options: &CallOptions) -> Self {
        let mut transport = self.clone();
        let deadlines = &mut transport.deadlines;
        deadlines.attempt = options.timeout.unwrap_or(deadlines.attempt);
        deadlines.call = options.deadline.unwrap_or(deadlines.call);
        deadlines.silence = options.stream_timeout.unwrap_or(deadlines.silence);
        deadlines.stream = options.stream_deadline.unwrap_or(deadlines.stream);
        if let Some(retry) = &options.retry {
            transport.retry = retry.clone();
        }
        if options.access_token.is_some() || options.api_key.is_some() {
            let mut credentials = Credentials::clone(&transport.credentials);
            if let Some(token) = &options.access_token {
                credentials.tokens = Some(SharedSource::fixed(token.clone()));
            }
            if let Some(secret) = &options.api_key {
                credentials.api_key = Some(secret.clone());
            }
            transport.credentials = Arc::new(credentials);
        }
        for (name, value) in &options.headers {
            transport.headers.insert(name.clone(), value.clone());
        }
        transport
    }
}
