//! What every area stands on.
//!
//! A [`Kernel`] holds the store, the time, randomness, the key of keyed hashes,
//! the configuration, the addresses, the counters and the traces, and knows
//! nothing of what is built on it. Time and randomness are parts of it, so that tests own both.

mod clock;
pub mod metrics;
mod observer;
mod pepper;
mod random;
pub mod tls;
pub mod traces;
mod urls;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

pub use clock::{Clock, ShiftedClock, SystemClock};
pub use metrics::Metrics;
pub use observer::Observer;
pub use pepper::{Pepper, PepperError};
pub use random::{Random, SystemRandom};
pub use traces::Traces;
pub use urls::Urls;

use crate::config::Config;
use crate::params;
use crate::store::{Store, StoreError, Tx};

/// What every area stands on.
pub struct Kernel {
    /// Everything that outlives the process.
    pub store: Store,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness fit for secrets.
    pub random: Arc<dyn Random>,
    /// The key of keyed hashes at rest.
    pub pepper: Pepper,
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
    /// There is no server key.
    #[error("server key: {0}")]
    Pepper(#[from] PepperError),
    /// The server key is not the one that the store was written with.
    #[error(
        "the server key is not the one that this database was written with: \
         nothing in it could be verified. Use the other key (server.key), or another database"
    )]
    WrongKey,
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
        let pepper = match &config.server.key {
            Some(key) => Pepper::parse(key.expose(), "server.key")?,
            None => Pepper::from_file(&directory.join("server.key"), random.as_ref())?,
        };
        let metrics = Metrics::new()?;
        let traces = Traces::open(&config.telemetry, &metrics)?;
        let store = Store::open(config.database_url().expose()).await?;
        check_key(&store, &pepper).await?;
        Ok(Kernel {
            store,
            clock,
            random,
            pepper,
            config: Arc::new(config),
            metrics,
            traces,
            observer: Observer::default(),
            urls: OnceLock::new(),
            stopping: AtomicBool::new(false),
        })
    }

    /// The addresses that clients use. Waits until the listeners are known,
    /// which a request can only do for a moment.
    pub fn urls(&self) -> &Urls {
        self.urls.wait()
    }

    /// Whether the service was told to stop: what waits for long should end.
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
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
fn make_private(path: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Replicas with different keys would reject each other's secrets; so would one
/// that lost its key file. The store remembers a mark of the key.
async fn check_key(store: &Store, pepper: &Pepper) -> Result<(), KernelError> {
    let mac = pepper.mac("store", b"the key that this store is written with");
    let mark: String = mac.iter().map(|byte| format!("{byte:02x}")).collect();
    let known = store
        .write({
            let mark = mark.clone();
            move |tx: &mut Tx<'_>| {
                tx.execute(
                    "INSERT INTO meta (name, value) VALUES ('server-key', $1) \
                     ON CONFLICT (name) DO NOTHING",
                    params![&mark],
                )?;
                let row = tx.query_opt("SELECT value FROM meta WHERE name = 'server-key'", &[])?;
                row.map(|row| row.get::<String>(0)).transpose()
            }
        })
        .await
        .map_err(|error: StoreError| error)?;
    match known == Some(mark) {
        true => Ok(()),
        false => Err(KernelError::WrongKey),
    }
}
