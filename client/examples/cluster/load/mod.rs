//! The load: callers that use the generated client until they are told to stop.

mod creations;
mod logins;
mod models;
mod revoked;
mod rotations;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use accord_client::inference::types::{
    ChatCompletionRequest, ChatMessage, CreateApiKeyDetails, CreateApiKeyDetailsRequired,
    IssuedApiKey, KeyDetails,
};
use accord_client::{Accord, ChatMessageExt, RetryPolicy};
use anyhow::Context as _;
use tokio::task::JoinSet;

use super::balancer::Endpoint;
use super::browser::Browser;
use super::journal::{Failed, Journal, Kind, Records};
use super::replicas::{MODEL, Running};

pub use logins::log_in;
pub use revoked::try_secret;

/// The entries of the demo catalog that the load uses.
pub mod demo {
    pub const CLIENT: &str = "accord-cli";
    pub const USERNAME: &str = "ana@north.example";
    pub const PASSWORD: &str = "accord-demo-password";
    pub const ORGANIZATION: i64 = 3104;
    pub const COMPARTMENT: &str = "compartment.demo";
}

/// The scopes of the manager of keys and users.
pub const SCOPES: [&str; 5] = [
    "accounts.read",
    "accounts.write",
    "apikeys.read",
    "apikeys.write",
    "offline_access",
];

/// The timeout of one attempt. It is longer than the store of the service waits for its database.
const ATTEMPT: Duration = Duration::from_secs(30);
/// How long a caller repeats a write whose outcome it does not know, after the load was stopped.
const LAST_ATTEMPTS: Duration = Duration::from_secs(20);
/// The pause before a caller repeats a failed write.
const PAUSE: Duration = Duration::from_millis(250);
/// How long the callers may take to stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(90);

/// What every caller needs.
pub struct Context {
    /// The balancer.
    pub endpoint: Endpoint,
    /// The replicas that run.
    pub running: Running,
    /// The client that manages keys and users.
    pub manager: Accord,
    /// The client for calls outside of the documents.
    pub http: reqwest::Client,
    pub journal: Journal,
    /// A text that no other load has in its names.
    pub name: String,
    is_stopped: AtomicBool,
}

/// The load of one failure.
pub struct Load {
    context: Arc<Context>,
    callers: JoinSet<anyhow::Result<()>>,
}

impl Load {
    /// Starts the callers. Each API key serves two of them.
    pub fn start(context: Context, secrets: &[String]) -> Load {
        let context = Arc::new(context);
        let mut callers = JoinSet::new();
        for secret in secrets {
            callers.spawn(models::chats(Arc::clone(&context), secret.clone()));
            callers.spawn(models::streams(Arc::clone(&context), secret.clone()));
        }
        callers.spawn(creations::users(Arc::clone(&context)));
        callers.spawn(creations::keys(Arc::clone(&context)));
        for number in 0..3 {
            callers.spawn(rotations::rotate(Arc::clone(&context), number));
        }
        for _ in 0..2 {
            callers.spawn(logins::logins(Arc::clone(&context)));
        }
        Load { context, callers }
    }

    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// Stops the callers after the calls that they have begun.
    pub async fn stop(mut self) -> anyhow::Result<Records> {
        self.context.is_stopped.store(true, Ordering::Relaxed);
        let ended = async {
            while let Some(ended) = self.callers.join_next().await {
                ended.context("a caller panicked")??;
            }
            anyhow::Ok(())
        };
        let ended = tokio::time::timeout(STOP_TIMEOUT, ended).await;
        ended.context("the callers do not stop")??;
        Ok(self.context.journal.records())
    }
}

impl Context {
    pub fn new(
        endpoint: &Endpoint,
        running: &Running,
        manager: &Accord,
        name: String,
    ) -> anyhow::Result<Context> {
        Ok(Context {
            endpoint: endpoint.clone(),
            running: running.clone(),
            manager: manager.clone(),
            http: reqwest::Client::builder().timeout(ATTEMPT).build()?,
            journal: Journal::default(),
            name,
            is_stopped: AtomicBool::new(false),
        })
    }

    fn is_running(&self) -> bool {
        !self.is_stopped.load(Ordering::Relaxed)
    }

    /// Makes a call with a token of its own until it is acknowledged, or refused for good.
    async fn until_acknowledged<T, Call>(
        &self,
        kind: Kind,
        mut call: impl FnMut() -> Call,
    ) -> Option<T>
    where
        Call: Future<Output = Result<T, Failed>>,
    {
        let mut stopped_at = None;
        loop {
            match self.journal.call(kind, call()).await {
                Ok(value) => return Some(value),
                Err(failed) if failed.status.is_some_and(|status| status < 500) => break,
                Err(_) => {}
            }
            if !self.is_running() {
                let stopped_at = stopped_at.get_or_insert_with(Instant::now);
                if stopped_at.elapsed() > LAST_ATTEMPTS {
                    break;
                }
            }
            tokio::time::sleep(PAUSE).await;
        }
        self.journal.written(|written| written.unknown += 1);
        None
    }
}

/// A client without credentials.
pub fn client(endpoint: &Endpoint) -> accord_client::Builder {
    Accord::builder()
        .base_url(&endpoint.url)
        .root_certificate(endpoint.certificate.clone())
        .timeout(ATTEMPT)
}

/// A client that signs in as the user of the demo catalog, who manages everything.
pub async fn manager(endpoint: &Endpoint) -> anyhow::Result<Accord> {
    let accord = client(endpoint).build()?;
    let mut browser = Browser::new(endpoint.http())?;
    let login = log_in(&accord, &mut browser, &SCOPES).await;
    login.map_err(|failed| anyhow::anyhow!("the login failed: {}", failed.text))?;
    Ok(accord)
}

/// A client that calls models and repeats nothing.
fn with_secret(endpoint: &Endpoint, secret: &str) -> anyhow::Result<Accord> {
    let accord = client(endpoint)
        .api_key(secret)
        .retry(RetryPolicy::never())
        .build()?;
    Ok(accord)
}

/// Creates an API key with one secret.
pub async fn create_key(accord: &Accord, name: &str) -> Result<IssuedApiKey, Failed> {
    let details = CreateApiKeyDetails::new(CreateApiKeyDetailsRequired {
        compartment_id: demo::COMPARTMENT.to_owned(),
        display_name: name.to_owned(),
        key_details: vec![KeyDetails::new("key-one")],
    });
    let request = accord.inference().create_api_key().body(details);
    let created = request.accord_retry_token(name).call().await;
    created
        .map(|key| key.into_inner())
        .map_err(|error| Failed::of(&error))
}

/// The plain value of the secret that a response shows.
pub fn shown(key: &IssuedApiKey) -> Option<String> {
    let shown = key.keys.iter().find_map(|secret| secret.key.as_ref());
    shown.map(|secret| secret.expose().to_owned())
}

/// A chat with the model server.
fn question() -> ChatCompletionRequest {
    ChatCompletionRequest::new([ChatMessage::user("Still there?")], MODEL)
}
