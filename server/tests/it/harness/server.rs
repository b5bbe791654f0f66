//! A running service and what a test needs of it.

use std::collections::HashMap;
use std::future::Future;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant};

use accord_server::app::App;
use accord_server::area::Area;
use accord_server::config::{Config, Layer, Secret};
use accord_server::demo;
use accord_server::identity::{self, keys::NewKey};
use accord_server::kernel::{ShiftedClock, SystemRandom, files};
use accord_server::serve::{self, Service};
use accord_server::store::{Store, StoreError, Tx};
use chrono::{DateTime, TimeDelta, Utc};
use confique::Layer as _;
use futures::FutureExt as _;
use futures::future::{BoxFuture, LocalBoxFuture};

use super::postgres::{self, FreshDatabase};

/// Which database a test runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Database {
    /// A file in a directory of the test's own.
    Sqlite,
    /// A database of the test's own in the process' cluster.
    Postgres,
}

/// A running service. Clones share it.
#[derive(Clone)]
pub struct Server {
    inner: Arc<Inner>,
}

/// Tokens by user and scopes, with the service's time at which they were issued.
type Tokens = HashMap<[String; 2], (DateTime<Utc>, String)>;

struct Inner {
    app: Arc<App>,
    clock: Arc<ShiftedClock>,
    http: reqwest::Client,
    address: std::net::SocketAddr,
    service: Mutex<Option<Service>>,
    tokens: Mutex<Tokens>,
    _directory: tempfile::TempDir,
    database: Option<FreshDatabase>,
}

impl Server {
    /// Starts a service with the demo catalog on a free port.
    pub async fn start(database: Database) -> Server {
        Server::start_with(database, |_| {}).await
    }

    /// The same with another configuration.
    pub async fn start_with(database: Database, change: impl FnOnce(&mut Layer) + Send) -> Server {
        Server::start_at(database, TimeDelta::zero(), change).await
    }

    /// The same with a clock that is `shift` ahead of the machine's from the start.
    pub async fn start_at(
        database: Database,
        shift: TimeDelta,
        change: impl FnOnce(&mut Layer) + Send,
    ) -> Server {
        Server::start_boxed(database, shift, Box::new(change)).await
    }

    /// [`Server::start_at`], compiled once for all tests.
    async fn start_boxed(
        database: Database,
        shift: TimeDelta,
        change: Box<dyn FnOnce(&mut Layer) + Send + '_>,
    ) -> Server {
        let directory = tempfile::tempdir().unwrap();
        let mut layer = Layer::empty();
        layer.server.listen = Some("127.0.0.1:0".parse().unwrap());
        layer.server.data_dir = Some(directory.path().join("data"));
        // Tests have public addresses that nobody can reach.
        layer.demo.anywhere = Some(true);
        let database = match database {
            Database::Sqlite => None,
            Database::Postgres => {
                let made = tokio::task::spawn_blocking(migrated_database).await;
                Some(made.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic())))
            }
        };
        if let Some(database) = &database {
            layer.database.url = Some(Secret::new(database.url().to_owned()));
        }
        change(&mut layer);
        let uses_file = layer.database.url.is_none();
        let with_file = layer.server.data_dir.clone().filter(|_| uses_file);
        let config = Config::from_layers(layer).unwrap_or_else(|error| panic!("{error}"));
        let clock = Arc::new(ShiftedClock::default());
        clock.advance(shift);
        if let Some(data_dir) = with_file {
            let copy = tokio::task::spawn_blocking(move || copy_migrated_file(&data_dir));
            copy.await.unwrap();
        }
        let app = App::open(config, clock.clone(), Arc::new(SystemRandom))
            .await
            .unwrap_or_else(|error| panic!("{error}"));
        super::recorder::install(&app);
        share_keys(&app).await;
        let service = serve::start(Arc::clone(&app))
            .await
            .unwrap_or_else(|error| panic!("{error}"));
        let http = super::http().build().unwrap();
        Server {
            inner: Arc::new(Inner {
                app,
                clock,
                http,
                address: service.address(),
                service: Mutex::new(Some(service)),
                tokens: Mutex::default(),
                _directory: directory,
                database,
            }),
        }
    }

    /// Another replica: with the same database, key, public address and Redis.
    pub async fn replica(&self) -> Server {
        self.replica_with(|_| {}).await
    }

    /// The same with another configuration.
    pub async fn replica_with(&self, change: impl FnOnce(&mut Layer) + Send) -> Server {
        let config = self.app().config.clone();
        let url = self.app().urls().main().to_owned();
        Server::start_with(Database::Sqlite, |layer| {
            layer.server.data_dir = Some(config.server.data_dir.clone());
            layer.server.public_url = Some(url.parse().unwrap());
            layer.database.url = Some(config.database_url());
            layer.limits.url = config.limits.url.clone();
            change(layer);
        })
        .await
    }

    /// The database of its own.
    pub fn database(&self) -> Database {
        match self.inner.database {
            Some(_) => Database::Postgres,
            None => Database::Sqlite,
        }
    }

    /// The context, for what cannot be reached over HTTP.
    pub fn app(&self) -> &Arc<App> {
        &self.inner.app
    }

    /// Reads from the store.
    pub async fn read<T: Send + 'static>(
        &self,
        read: impl Fn(&mut Tx<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> T {
        let found = self.app().store.read(read).await;
        found.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Writes to the store.
    pub async fn write<T: Send + 'static>(
        &self,
        write: impl Fn(&mut Tx<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> T {
        let written = self.app().store.write(write).await;
        written.unwrap_or_else(|error| panic!("{error}"))
    }

    /// A token of this user with these scopes, as an approved device has one.
    pub async fn token(&self, user_id: &str, scopes: &str) -> String {
        super::tokens::token(self.app(), user_id, scopes).await
    }

    /// The same token for half an hour of the service's clock, for tests with many requests: issuing a token takes as
    /// long as most requests.
    pub async fn shared_token(&self, user_id: &str, scopes: &str) -> String {
        let (key, now) = ([user_id, scopes].map(str::to_owned), self.app().clock.now());
        let known = self.inner.tokens.lock().unwrap().get(&key).cloned();
        if let Some((issued_at, token)) = known
            && now - issued_at < TimeDelta::minutes(30)
        {
            return token;
        }
        let token = self.token(user_id, scopes).await;
        let issued = (now, token.clone());
        self.inner.tokens.lock().unwrap().insert(key, issued);
        token
    }

    /// The service's clock.
    pub fn clock(&self) -> &ShiftedClock {
        &self.inner.clock
    }

    /// Moves the service's clock forward.
    pub fn advance(&self, seconds: i64) {
        self.clock().advance(TimeDelta::seconds(seconds));
    }

    /// Waits until each maintenance task of this replica has run once. The next run is a minute away or
    /// later, so a test that calls a task itself finds its lock free.
    pub async fn first_upkeep(&self) {
        let tasks = [
            "audit_sealing",
            "audit_pruning",
            "identity_expiry",
            "retention",
            "usage",
        ];
        for task in tasks {
            let line = format!("accord_upkeep_runs_total{{task=\"{task}\",outcome=\"done\"}} ");
            let since = Instant::now();
            loop {
                let metrics = self.get("/metrics").await.text().await.unwrap();
                let runs = metrics.lines().find_map(|one| one.strip_prefix(&line));
                if runs.is_some_and(|runs| runs != "0") {
                    break;
                }
                assert!(since.elapsed() < Duration::from_secs(60), "no {line}");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    }

    /// A client that follows no redirects.
    pub fn http(&self) -> &reqwest::Client {
        &self.inner.http
    }

    /// The address of an area, with the path that its document begins with not
    /// added.
    pub fn area(&self, area: Area) -> &str {
        self.app().urls().of(area)
    }

    /// The address that the main listener has, whatever clients are told.
    pub fn address(&self) -> std::net::SocketAddr {
        self.inner.address
    }

    /// `path` on the main listener.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.app().urls().main())
    }

    /// A `GET` of `path`.
    pub async fn get(&self, path: &str) -> reqwest::Response {
        self.http().get(self.url(path)).send().await.unwrap()
    }

    /// Stops the service; answers that did not keep their document come back.
    pub async fn stop(&self) -> Vec<String> {
        let service = self.inner.service.lock().unwrap().take();
        if let Some(service) = service {
            service.drain(Duration::from_secs(5)).await;
        }
        self.app().observer.violations()
    }
}

/// A database of PostgreSQL with all tables. Migrating each database would take most of the time until
/// a service starts.
fn migrated_database() -> FreshDatabase {
    static ORIGINAL: LazyLock<FreshDatabase> = LazyLock::new(|| {
        let database = postgres::fresh_database();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let store = runtime.block_on(Store::open(database.url()));
        drop(store.unwrap_or_else(|error| panic!("{error}")));
        postgres::wait_until_unused(&database);
        database
    });
    postgres::copy_of(&ORIGINAL)
}

/// Puts a SQLite file with all tables where the service would make one. Replicas that share a file find it there.
fn copy_migrated_file(data_dir: &Path) {
    static ORIGINAL: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let directory = tempfile::tempdir().unwrap();
        let [file, copy] = ["accord.db", "copy.db"].map(|name| directory.path().join(name));
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let store = runtime.block_on(Store::open(&format!("sqlite:{}", file.display())));
        drop(store.unwrap_or_else(|error| panic!("{error}")));
        // The last changes may still be in SQLite's log.
        let connection = rusqlite::Connection::open(&file).unwrap();
        connection
            .execute("VACUUM INTO ?1", [copy.to_str()])
            .unwrap();
        std::fs::read(copy).unwrap()
    });
    let file = data_dir.join("accord.db");
    if !file.exists() {
        files::make_private(data_dir).unwrap();
        let mut file = files::private().create(true).open(file).unwrap();
        file.write_all(&ORIGINAL).unwrap();
    }
}

/// Makes two keys once: the signing key of all services of the process, and the key of their demo's
/// robots. To make a key takes a good part of a second. The robots are there when the demo is.
async fn share_keys(app: &Arc<App>) {
    static KEY: LazyLock<Arc<NewKey>> = LazyLock::new(|| Arc::new(NewKey::generate().unwrap()));
    static ROBOT: LazyLock<Arc<NewKey>> = LazyLock::new(|| Arc::new(NewKey::generate().unwrap()));
    let keys = Arc::clone(&app.identity.keys);
    let make = tokio::task::spawn_blocking(|| (Arc::clone(&KEY), Arc::clone(&ROBOT)));
    let (key, robot) = make.await.unwrap();
    demo::prepare(&app.identity)
        .await
        .unwrap_or_else(|error| panic!("{error}"));
    let now = app.clock.now().timestamp_millis();
    app.store
        .write(move |tx| keys.add_first(tx, &key, now))
        .await
        .unwrap_or_else(|error| panic!("{error}"));
    identity::demo::add_robot_key(&app.identity, &robot)
        .await
        .unwrap_or_else(|error| panic!("{error}"));
}

/// Runs a test's body against a new service, and looks at what the contract
/// guard saw.
pub fn run<Fut>(database: Database, body: impl FnOnce(Server) -> Fut)
where
    Fut: Future<Output = ()> + Send + 'static,
{
    run_boxed(database, Box::new(|server| body(server).boxed()));
}

/// [`run`], compiled once for all tests.
fn run_boxed(database: Database, body: Box<dyn FnOnce(Server) -> BoxFuture<'static, ()> + '_>) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let server = Server::start(database).await;
        let outcome = tokio::spawn(body(server.clone())).await;
        let violations = server.stop().await;
        if let Err(panic) = outcome {
            std::panic::resume_unwind(panic.into_panic());
        }
        assert!(
            violations.is_empty(),
            "answers that do not keep their document:\n{}",
            violations.join("\n")
        );
    });
}

/// Runs a test that starts its service itself and gives it back, and looks at
/// what the contract guard saw.
pub fn run_with<Fut: Future<Output = Server>>(body: impl FnOnce() -> Fut) {
    run_boxed_with(async { body().await }.boxed_local());
}

/// [`run_with`], compiled once for all tests.
fn run_boxed_with(body: LocalBoxFuture<'_, Server>) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let violations = body.await.stop().await;
        assert!(violations.is_empty(), "{}", violations.join("\n"));
    });
}
