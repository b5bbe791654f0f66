//! The kernel: its parts, and how it is opened.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use super::files::make_private;
use super::keyring::{self, Address, KeySource};
use super::mark::Mark;
use super::{
    Clock, KernelError, Metrics, Observer, Proxies, Random, ServerKeys, Traces, Urls, upkeep,
};
use crate::config::Config;
use crate::store::{MigrationMode, Store};

/// The foundation of every area.
pub struct Kernel {
    /// The durable data.
    pub store: Store,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness fit for secrets.
    pub random: Arc<dyn Random>,
    /// The keys of keyed hashes at rest.
    pub server_keys: ServerKeys,
    /// The source of these keys.
    pub key_source: KeySource,
    /// The identifier of this process among the replicas.
    pub replica: String,
    /// The proxies that are trusted to name the caller of a request.
    pub proxies: Proxies,
    /// The configuration, complete and checked.
    pub config: Arc<Config>,
    /// The counters and times.
    pub metrics: Metrics,
    /// The source of spans, if requests are traced.
    pub traces: Option<Traces>,
    /// The responses that violated their document.
    pub observer: Observer,
    urls: OnceLock<Urls>,
    leaving: AtomicBool,
    stopping: AtomicBool,
    misses_keys: AtomicBool,
}

/// Checks that the database file of the configuration is not lost: a new one would be created in its
/// place.
///
/// # Errors
///
/// [`KernelError::LostDatabase`] when the file is missing, but there was one.
pub fn check_database(config: &Config) -> Result<(), KernelError> {
    let Some(mark) = mark(config) else {
        return Ok(());
    };
    match KeySource::of(&config.server) {
        KeySource::File(key) if !key.is_mounted() => mark.check(Some(key.path())),
        KeySource::File(_) | KeySource::Configuration(_) => mark.check(None),
    }
}

/// The mark of the database of the configuration. `None` if it is not a file.
fn mark(config: &Config) -> Option<Mark> {
    Mark::of(&config.server.data_dir, config.database_url().expose())
}

impl Kernel {
    /// Opens the store, and reads or creates the server's key.
    ///
    /// # Errors
    ///
    /// When one of these fails; the text says what to do.
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
        let key_source = KeySource::of(&config.server);
        check_database(&config)?;
        let metrics = Metrics::new()?;
        upkeep::register(&metrics);
        let traces = Traces::open(&config.telemetry, &metrics)?;
        let mode = match config.database.migrate {
            true => MigrationMode::Apply,
            false => MigrationMode::Check,
        };
        let store = Store::open_with(
            config.database_url().expose(),
            &(&config.database).into(),
            mode,
        )
        .await?;
        if let Some(mark) = mark(&config) {
            mark.write().map_err(|source| KernelError::DataDirectory {
                path: directory.display().to_string(),
                source,
            })?;
        }
        // A key is created only for a new database: a new key could not verify the hashes under a
        // lost one.
        let keys = match store.read(keyring::promoted).await?.is_empty() {
            true => key_source.read_or_make(random.as_ref())?,
            false => key_source.read()?,
        };
        let (here, now) = (keys.clone(), clock.now().timestamp_millis());
        let promoted = store
            .write(move |tx| keyring::begin(tx, &here, now))
            .await?;
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
            leaving: AtomicBool::new(false),
            stopping: AtomicBool::new(false),
            misses_keys: AtomicBool::new(false),
        })
    }

    /// The addresses that clients use. Waits until the listeners are known, which delays a request
    /// only at the start.
    pub fn urls(&self) -> &Urls {
        self.urls.wait()
    }

    /// The public address in the announcement to other replicas.
    pub(super) fn address(&self) -> Address {
        match self.urls.get() {
            Some(urls) => Address::new(&self.config.server, urls),
            None => Address::new(&self.config.server, &Urls::planned(&self.config.server)),
        }
    }

    /// Whether the addresses of callers are known: no proxy hides them, or a trusted proxy names
    /// them.
    pub fn knows_callers(&self) -> bool {
        !self.proxies.is_empty() || self.urls().pages_are_direct()
    }

    /// Whether the service will stop, so that balancers should choose other replicas.
    pub fn is_leaving(&self) -> bool {
        self.leaving.load(Ordering::Relaxed)
    }

    /// Whether the service is stopping, so that long waits should end.
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// Whether the key file of this replica lacks a key that others use, or cannot be used otherwise.
    pub fn misses_keys(&self) -> bool {
        self.misses_keys.load(Ordering::Relaxed)
    }

    pub(super) fn miss_keys(&self, misses: bool) {
        self.misses_keys.store(misses, Ordering::Relaxed);
    }

    /// Sets the addresses at which the service can be reached.
    pub fn announce(&self, urls: Urls) {
        // Only the first service of a context sets addresses.
        let _ = self.urls.set(urls);
    }

    /// Reports this replica as leaving, so that balancers send no further requests.
    pub fn leave(&self) {
        self.leaving.store(true, Ordering::Relaxed);
    }

    /// Asks the tasks beside the service to end.
    pub fn stopping(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }
}
