//! Starts and stops the listening service.
//!
//! One listener serves all areas, except those with a listener of their own. Each listener has an
//! API description with its areas and the published documents. The main one also has health and
//! metrics, unless these have a listener of their own.
//!
//! A service that will stop first says so to balancers, and still accepts requests for a while.
//! Then it closes its listeners, and waits for requests in flight with a timeout.

#[cfg(test)]
mod access;
mod banner;
mod redirect;
mod reload;
#[cfg(target_os = "linux")]
mod running;
mod strict;
mod tls;

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dropforge_runtime::{set_nodelay, set_unread_timeout, stop_listening};
use dropshot::{
    ApiDescription, ConfigDropshot, ConfigTls, HandlerTaskMode, HttpServer, ServerBuilder,
    VersionPolicy,
};
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, JoinSet};

use crate::app::App;
use crate::area::Area;
use crate::config::ServerConfig;
use crate::inference::keys::retry;
use crate::kernel::Urls;
use crate::kernel::idempotency;
use crate::kernel::{KernelError, keyring, supervised};
use crate::{
    accounts, api, audit, connections, demo, identity, inference, mail, ops, publish, retention,
};

use strict::Strict;
use tls::Certificate;

pub use banner::banner;
pub use reload::{Hangup, ReloadError, follow as follow_configuration};
#[cfg(target_os = "linux")]
pub use running::{AskError, Running, ask_to_reload};
pub use tls::TlsError;

/// Maximum size of a body of hand-written routes. The pages and the operations of the documents have
/// limits of their own.
const BODY_BYTES: usize = 64 << 10;
/// Minimum time for the last writes together, if requests have used the whole time for stopping.
/// While the database is away, each of them would wait for some 10 seconds.
const LAST_WRITES_TIMEOUT: Duration = Duration::from_secs(5);
/// Timeout for exporting the last traces, if the steps before have used the whole time for stopping.
const LAST_TRACES_TIMEOUT: Duration = Duration::from_secs(1);

type Api = ApiDescription<Arc<App>>;

/// Why a service cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address cannot be bound.
    #[error("cannot listen on {address}: {message}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The error of the operating system.
        message: String,
    },
    /// The certificate cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// TLS cannot be configured.
    #[error("server.tls: {0}")]
    Protocol(#[from] rustls::Error),
    /// The demo catalog cannot be written, or must not be served at this address.
    #[error("demo catalog: {0}")]
    Demo(#[from] demo::DemoError),
    /// A server key that other replicas use is missing, or they have another public address.
    #[error(transparent)]
    Keys(#[from] KernelError),
    /// Two routes conflict, which is a bug.
    #[error("cannot register the routes: {0}")]
    Routes(String),
}

/// A listening service.
pub struct Service {
    app: Arc<App>,
    servers: Vec<HttpServer<Arc<App>>>,
    /// Background tasks, which end with the service.
    background: JoinSet<()>,
    /// The task that announces this replica to the others. It ends when the sender is dropped.
    announcing: (oneshot::Sender<()>, JoinHandle<()>),
}

/// Fills a new store with the demo catalog if it is configured, and starts to listen.
///
/// # Errors
///
/// When an address is in use or invalid, and when the demo catalog would be served beyond this
/// machine.
pub async fn start(app: Arc<App>) -> Result<Service, ServeError> {
    if app.config.log.contents {
        tracing::warn!(
            "LOG.CONTENTS IS ON: this log contains the prompts of users and the responses \
             of models. Switch it off when the fault is found."
        );
    }
    let has_demo = demo::prepare(&app.identity).await?;
    app.demo.get_or_init(|| has_demo);
    keyring::replicas::join(&app).await?;
    inference::join(&app.inference).await;
    let config = &app.config.server;
    warn_of_mistakes(config);
    let models = &app.config.inference.models;
    app.inference.regions.warn_of_unserved(models);
    let certificate = Certificate::read(&config.tls)?;
    let servers = listen_all(&app, certificate.as_ref())?;
    keyring::replicas::announce(&app)
        .await
        .map_err(KernelError::from)?;
    if !app.knows_callers() {
        tracing::warn!(
            public_address = app.urls().of(Area::Identity),
            "the public address is not the listener's own, and server.trusted_proxies is empty: \
             every caller seems to have the proxy's address, in the audit trail and for limits. \
             Name the proxy's network"
        );
    }
    let (stop, stopped) = oneshot::channel();
    let announcing = tokio::spawn(keyring::run(Arc::clone(&app.kernel), stopped));
    let addresses = servers.iter().map(HttpServer::local_addr).collect();
    let background = begin_tasks(&app, certificate, addresses);
    Ok(Service {
        app,
        servers,
        background,
        announcing: (stop, announcing),
    })
}

/// Starts all listeners, the main one first, and announces their addresses.
fn listen_all(
    app: &Arc<App>,
    certificate: Option<&Arc<Certificate>>,
) -> Result<Vec<HttpServer<Arc<App>>>, ServeError> {
    let config = &app.config.server;
    let shared: Vec<_> = Area::ALL
        .into_iter()
        .filter(|area| config.listener(*area).is_none())
        .collect();
    let api = match config.ops_listen {
        Some(_) => Api::new(),
        None => with_ops()?,
    };
    let routes = with_areas(api, &shared)?;
    let main = listen(app, routes, shared, config.listen, certificate)?;
    let main_address = main.local_addr();
    let mut servers = vec![main];
    let mut addresses = HashMap::new();
    for area in Area::ALL {
        if let Some(address) = config.listener(area) {
            let routes = with_areas(Api::new(), &[area])?;
            let server = listen(app, routes, vec![area], address, certificate)?;
            addresses.insert(area, server.local_addr());
            servers.push(server);
        }
    }
    if let Some(address) = config.ops_listen {
        servers.push(listen(app, with_ops()?, Vec::new(), address, certificate)?);
    }
    if let Some(address) = config.redirect_http {
        let mut api = Api::new();
        redirect::register(&mut api).map_err(|error| ServeError::Routes(error.to_string()))?;
        servers.push(listen(app, api, Vec::new(), address, None)?);
    }
    app.announce(Urls::new(config, main_address, |area| {
        addresses.get(&area).copied().unwrap_or(main_address)
    }));
    Ok(servers)
}

/// Starts the background tasks of a service with these listeners.
fn begin_tasks(
    app: &Arc<App>,
    certificate: Option<Arc<Certificate>>,
    listeners: Vec<SocketAddr>,
) -> JoinSet<()> {
    let mut background = JoinSet::new();
    background.spawn(supervised(Arc::clone(app), ops::upkeep));
    background.spawn(supervised(Arc::clone(&app.identity), identity::upkeep));
    background.spawn(supervised(Arc::clone(&app.kernel), |kernel| {
        idempotency::run(kernel, [&accounts::RESPONSES, &retry::RESPONSES])
    }));
    background.spawn(supervised(Arc::clone(&app.kernel), audit::run));
    background.spawn(supervised(Arc::clone(&app.mail), mail::run));
    background.spawn(supervised(Arc::clone(&app.kernel), retention::run));
    if let Some(certificate) = certificate {
        background.spawn(supervised(Arc::clone(app), move |app| {
            tls::follow(app, Arc::clone(&certificate))
        }));
    }
    let descriptors = connections::raise_limit();
    #[cfg(unix)]
    background.spawn(supervised(Arc::clone(app), move |app| {
        let connections = Arc::clone(&app.connections);
        connections::run(
            Arc::clone(&app.kernel),
            connections,
            listeners.clone(),
            descriptors,
        )
    }));
    #[cfg(not(unix))]
    drop((listeners, descriptors));
    background
}

/// Warns of listeners whose clients send credentials in plain text, and of headers that are ignored.
fn warn_of_mistakes(config: &ServerConfig) {
    if config.trusted_proxies.is_empty() && !config.forwarded_headers.is_empty() {
        tracing::warn!(
            "server.forwarded_headers has no effect, because server.trusted_proxies is empty: name \
             the proxy's network"
        );
    }
    let beyond = |address: &SocketAddr| !address.ip().to_canonical().is_loopback();
    if let Some(address) = config.listeners().find(beyond)
        && !config.tls.is_on()
        && config.trusted_proxies.is_empty()
    {
        tracing::warn!(
            %address,
            "plain HTTP is served beyond this machine: set server.tls, or put a proxy with TLS in front"
        );
    }
}

/// Health and metrics.
fn with_ops() -> Result<Api, ServeError> {
    let mut api = Api::new();
    ops::register(&mut api).map_err(|error| ServeError::Routes(error.to_string()))?;
    Ok(api)
}

/// Adds the published documents and these areas.
fn with_areas(mut api: Api, areas: &[Area]) -> Result<Api, ServeError> {
    publish::register(&mut api).map_err(|error| ServeError::Routes(error.to_string()))?;
    for area in areas {
        api::register(*area, &mut api).map_err(ServeError::Routes)?;
    }
    Ok(api)
}

/// What an operator can do if an address cannot be bound.
fn remedy_of(error: &std::io::Error) -> &'static str {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::AddrInUse => {
            ". Stop the program that uses it, or choose another address with --listen or the key \
             of this listener"
        }
        ErrorKind::PermissionDenied => {
            ". Choose a port of 1024 or more, or give the service the capability \
             CAP_NET_BIND_SERVICE"
        }
        _ => "",
    }
}

fn listen(
    app: &Arc<App>,
    api: Api,
    areas: Vec<Area>,
    address: SocketAddr,
    certificate: Option<&Arc<Certificate>>,
) -> Result<HttpServer<Arc<App>>, ServeError> {
    let tls = certificate.map(Certificate::listener).transpose()?;
    let config = ConfigDropshot {
        bind_address: address,
        default_request_body_max_bytes: BODY_BYTES,
        // If a caller disconnects, the request to the model server ends as well.
        default_handler_task_mode: HandlerTaskMode::CancelOnDisconnect,
        ..ConfigDropshot::default()
    };
    let refused = |message| ServeError::Listen { address, message };
    let server = ServerBuilder::new(api, Arc::clone(app), ops::dropshot_log(app))
        .config(config)
        .tls(tls.map(ConfigTls::Dynamic))
        .version_policy(VersionPolicy::Dynamic(Box::new(Strict { areas })))
        .start()
        .map_err(|error| {
            let source = std::error::Error::source(&error);
            let cause = source.and_then(|source| source.downcast_ref::<std::io::Error>());
            let remedy = cause.map_or("", remedy_of);
            let message = source.map_or_else(|| error.to_string(), ToString::to_string);
            refused(format!("{message}{remedy}"))
        })?;
    // With Nagle's algorithm, each event of a stream would wait for an acknowledgment.
    set_nodelay(server.local_addr()).map_err(|error| refused(error.to_string()))?;
    let unread = Duration::from_secs(app.config.server.unread_seconds.into());
    set_unread_timeout(server.local_addr(), unread).map_err(|error| refused(error.to_string()))?;
    Ok(server)
}

impl Service {
    /// The context of all calls.
    pub fn app(&self) -> &Arc<App> {
        &self.app
    }

    /// The address of the main listener.
    pub fn address(&self) -> SocketAddr {
        self.servers[0].local_addr()
    }

    /// Says in `/readyz` that the service will stop, and serves for `delay`, in which balancers
    /// notice it.
    pub async fn leave(&self, delay: Duration) {
        self.app.leave();
        tokio::time::sleep(delay).await;
    }

    /// Stops listening, and waits for requests in flight up to `limit`. Then takes the last steps,
    /// in the rest of it or a few seconds. Returns whether all requests finished.
    pub async fn drain(mut self, limit: Duration) -> bool {
        let told = Instant::now();
        self.app.stopping();
        self.background.abort_all();
        let (stop, announcing) = self.announcing;
        drop(stop);
        let addresses: Vec<_> = self.servers.iter().map(HttpServer::local_addr).collect();
        let closing = self.servers.into_iter().map(HttpServer::close);
        let closed = tokio::spawn(futures::future::join_all(closing));
        for address in addresses {
            if let Err(error) = stop_listening(address) {
                tracing::warn!(%error, "connections may wait instead of being refused");
            }
        }
        let closed = tokio::time::timeout(limit, closed).await;
        let deadline = (told + limit).max(Instant::now() + LAST_WRITES_TIMEOUT);
        finish(&self.app, announcing, deadline).await;
        closed.is_ok()
    }
}

/// Takes the last steps, after the last request. All of them together have this deadline.
async fn finish(app: &Arc<App>, mut announcing: JoinHandle<()>, deadline: Instant) {
    until(
        deadline,
        "usage and limits",
        inference::finish(&app.inference),
    )
    .await;
    until(deadline, "mail", mail::finish(&app.mail)).await;
    let announced = async {
        if let Err(error) = (&mut announcing).await {
            tracing::debug!(%error, "the announcements to other replicas ended early");
        }
    };
    until(deadline, "announcements", announced).await;
    // After a later announcement, others would count this replica for another minute.
    announcing.abort();
    let left = async {
        if let Err(error) = keyring::replicas::leave(app).await {
            tracing::debug!(%error, "other replicas treat this replica as running for another minute");
        }
    };
    until(deadline, "leaving the replicas", left).await;
    let sealed = async {
        if let Err(error) = audit::seal_all(&app.kernel).await {
            tracing::warn!(%error, "events of the audit trail are sealed at the next start");
        }
    };
    until(deadline, "seals of the audit trail", sealed).await;
    if let Some(traces) = &app.traces {
        let left = deadline.saturating_duration_since(Instant::now());
        traces.finish(left.max(LAST_TRACES_TIMEOUT)).await;
    }
}

/// Waits for a last step until the deadline. A step that needs no waiting ends even after it.
async fn until(deadline: Instant, step: &'static str, work: impl Future<Output = ()>) {
    if tokio::time::timeout_at(deadline.into(), work)
        .await
        .is_err()
    {
        tracing::warn!(step, "stopped before the end of a step: its time is over");
    }
}
