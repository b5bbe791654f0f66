//! What every area stands on.
//!
//! A [`Kernel`] holds the store, the time, randomness, the key of keyed hashes,
//! the configuration, the addresses, the counters and the traces, and knows
//! nothing of what is built on it. Time and randomness are parts of it, so that tests own both.

mod clock;
pub mod keyring;
mod mark;
pub mod metrics;
mod observer;
pub mod proxies;
mod random;
pub mod server_keys;
pub mod shared;
mod short;
pub mod texts;
pub mod tls;
pub mod traces;
pub(crate) mod urls;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

pub use clock::{Clock, ShiftedClock, SystemClock};
pub use metrics::Metrics;
pub use observer::Observer;
pub use proxies::Proxies;
pub use random::{Random, SystemRandom};
pub use server_keys::{Mac, ServerKeys};
pub use short::Short;
pub use traces::Traces;
pub use urls::Urls;

use crate::config::Config;
use crate::store::{Store, StoreError};
use keyring::text::{KeyFile, ServerKeyError};
use keyring::{KeySource, MissingKey};
use mark::Mark;

/// What every area stands on.
pub struct Kernel {
    /// Everything that outlives the process.
    pub store: Store,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness fit for secrets.
    pub random: Arc<dyn Random>,
    /// The keys of keyed hashes at rest.
    pub server_keys: ServerKeys,
    /// Where these keys are kept.
    pub key_source: KeySource,
    /// What this process is called among the replicas.
    pub replica: String,
    /// The proxies that are trusted to say who made a request.
    pub proxies: Proxies,
    /// The configuration, complete and checked.
    pub config: Arc<Config>,
    /// What is counted and timed.
    pub metrics: Metrics,
    /// Where spans are made, if requests are traced.
    pub traces: Option<Traces>,
    /// What was seen of answers that did not keep their document.
    pub observer: Observer,
    urls: OnceLock<Urls>,
    stopping: AtomicBool,
    misses_keys: AtomicBool,
}

/// Why there is no [`Kernel`].
#[derive(Debug, thiserror::Error)]
pub enum KernelError {
    /// The data directory cannot be made.
    #[error("data directory {path}: {source}")]
    DataDirectory {
        /// The directory.
        path: String,
        /// What the operating system says.
        source: std::io::Error,
    },
    /// The database file no longer exists. A new one in its place would hide that everything
    /// in it is lost.
    #[error(
        "the database file {database} is missing, but there was one, as these files show: \
         {witnesses}. It was deleted or moved, its volume is not mounted, or database.url is \
         wrong. Put it back. To begin a new, empty database, move these files away"
    )]
    LostDatabase {
        /// The file that is missing.
        database: String,
        /// The files that show that there was a database.
        witnesses: String,
    },
    /// There is no server key.
    #[error("server key: {0}")]
    ServerKeys(#[from] ServerKeyError),
    /// A server key that the store was written with is not there.
    #[error(transparent)]
    WrongKey(#[from] MissingKey),
    /// The store cannot be opened.
    #[error("store: {0}")]
    Store(#[from] StoreError),
    /// Metrics cannot be set up.
    #[error("metrics: {0}")]
    Metrics(#[from] metrics_exporter_prometheus::BuildError),
    /// Traces cannot be sent.
    #[error(transparent)]
    Traces(#[from] traces::TracesError),
}

impl Kernel {
    /// Opens the store, and reads or makes the server's key.
    ///
    /// # Errors
    ///
    /// When one of these cannot be done; the text says what to do.
    pub async fn open(
        config: Config,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
    ) -> Result<Kernel, KernelError> {
        let directory = &config.server.data_dir;
        make_private(directory).map_err(|source| KernelError::DataDirectory {
            path: directory.display().to_string(),
            source,
        })?;
        let key_source = match &config.server.key {
            Some(keys) => KeySource::Configuration(keys.clone()),
            None => KeySource::File(KeyFile::new(directory.join("server.key"))),
        };
        let mark = Mark::of(directory, config.database_url().expose());
        if let Some(mark) = &mark {
            mark.check(match &key_source {
                KeySource::File(key) => Some(key.path()),
                KeySource::Configuration(_) => None,
            })?;
        }
        let metrics = Metrics::new()?;
        let traces = Traces::open(&config.telemetry, &metrics)?;
        let store = Store::open(config.database_url().expose()).await?;
        if let Some(mark) = &mark {
            mark.write().map_err(|source| KernelError::DataDirectory {
                path: directory.display().to_string(),
                source,
            })?;
        }
        // A key is made for a new database only: what is hashed with one that is lost
        // could not be verified with another.
        let known = store.read(keyring::promoted).await;
        let keys = match known.map_err(|error: StoreError| error)?.is_empty() {
            true => key_source.read_or_make(random.as_ref())?,
            false => key_source.read()?,
        };
        let (here, now) = (keys.clone(), clock.now().timestamp_millis());
        let promoted = store.write(move |tx| keyring::begin(tx, &here, now)).await;
        let promoted = promoted.map_err(|error: StoreError| error)?;
        Ok(Kernel {
            store,
            clock,
            server_keys: ServerKeys::of(keyring::ring(keys, &promoted)?),
            key_source,
            replica: random.uuid().to_string(),
            random,
            proxies: Proxies::new(&config.server),
            config: Arc::new(config),
            metrics,
            traces,
            observer: Observer::default(),
            urls: OnceLock::new(),
            stopping: AtomicBool::new(false),
            misses_keys: AtomicBool::new(false),
        })
    }

    /// The addresses that clients use. Waits until the listeners are known,
    /// which a request can only do for a moment.
    pub fn urls(&self) -> &Urls {
        self.urls.wait()
    }

    /// Whether the addresses of callers are known: no proxy hides them, or one
    /// that is trusted names them.
    pub fn knows_callers(&self) -> bool {
        !self.proxies.is_empty() || self.urls().pages_are_direct()
    }

    /// Whether the service stops: long waits should end.
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// Whether a server key is missing that others use: what they make with it is
    /// refused here.
    pub fn misses_keys(&self) -> bool {
        self.misses_keys.load(Ordering::Relaxed)
    }

    fn miss_keys(&self, misses: bool) {
        self.misses_keys.store(misses, Ordering::Relaxed);
    }

    pub(crate) fn announce(&self, urls: Urls) {
        // Only the first service of a context has addresses.
        let _ = self.urls.set(urls);
    }

    pub(crate) fn stopping(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }
}

/// Makes a directory, readable by its owner only, if it is not there.
pub(crate) fn make_private(path: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}
