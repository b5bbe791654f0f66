//! The store: where everything that must outlive the process is kept.
//!
//! Handlers are asynchronous and databases are not, so a transaction is a
//! synchronous closure that is sent to a thread which owns a connection. There
//! is one interface and two databases behind it:
//!
//! * [SQLite](sqlite), the embedded default: one writer thread that commits
//!   whatever is waiting in one go, and a few readers beside it;
//! * [PostgreSQL](postgres), for several replicas: a transaction is
//!   `SERIALIZABLE`, if it does not say that less is enough, and runs again when it
//!   lost against another.
//!
//! A transaction that was acknowledged is on disk. Closures may run more than
//! once, so they have no effects outside their transaction.

mod batch;
mod error;
mod job;
mod migrations;
mod notice;
mod postgres;
mod queue;
mod sqlite;
mod tls;
mod tx;
mod value;

use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::watch;

use job::Access;
use queue::Queue;

pub use crate::params;
pub use batch::{BATCH, batches, places};
pub use error::{Constraint, StoreError};
pub use tx::Tx;
pub use value::{FromValue, Row, Value};

/// A handle on the database. Clones share it; when the last one is dropped, its threads end.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    reads: Arc<Queue>,
    writes: Arc<Queue>,
    description: String,
    notices: Option<watch::Receiver<u64>>,
}

impl Store {
    /// Opens a database and brings its schema up to date.
    ///
    /// `database_url` is `sqlite:PATH` (the file is created, readable by its
    /// owner only; its directory must exist) or `postgres://user@host/database`.
    ///
    /// # Errors
    ///
    /// When the address cannot be understood, the database cannot be reached or
    /// was written by another version of this program.
    pub async fn open(database_url: &str) -> Result<Store, StoreError> {
        if let Some(path) = file(database_url) {
            on_thread(move || sqlite::open(&path)).await
        } else if database_url.starts_with("postgres://")
            || database_url.starts_with("postgresql://")
        {
            let url = database_url.to_owned();
            on_thread(move || postgres::open(&url)).await
        } else {
            // The address itself may hold a password: it is not repeated.
            Err(StoreError::Url(
                "expected sqlite:PATH or postgres://user@host/database".into(),
            ))
        }
    }

    fn new(
        reads: Arc<Queue>,
        writes: Arc<Queue>,
        description: String,
        notices: Option<watch::Receiver<u64>>,
    ) -> Self {
        Store {
            inner: Arc::new(Inner {
                reads,
                writes,
                description,
                notices,
            }),
        }
    }

    /// A counter that changes when a replica has called [`Tx::notify`], and sometimes
    /// without. `None` if the database sends no notices. A notice can be lost: poll as
    /// well.
    pub fn notices(&self) -> Option<watch::Receiver<u64>> {
        self.inner.notices.clone()
    }

    /// Which database this is, for people: never with a password.
    pub fn description(&self) -> &str {
        &self.inner.description
    }

    /// Runs one atomic read-only transaction: all of its statements see the same state.
    /// The closure runs on a database thread, and may run more than once.
    ///
    /// # Errors
    ///
    /// The closure's error, or a [`StoreError`] converted into it.
    pub async fn read<T, E, F>(&self, closure: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        E: From<StoreError> + Send + 'static,
        T: Send + 'static,
    {
        self.submit(Access::Read, closure).await
    }

    /// Runs one read-only statement without a transaction: to begin and end one is most of
    /// the cost of a short statement. A second statement fails.
    ///
    /// # Errors
    ///
    /// The closure's error, or a [`StoreError`] converted into it.
    pub async fn read_one<T, E, F>(&self, closure: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        E: From<StoreError> + Send + 'static,
        T: Send + 'static,
    {
        self.submit(Access::ReadOne, closure).await
    }

    /// Runs one atomic, durable, serializable transaction. `Err` from the
    /// closure rolls it back. The closure runs on a database thread, and may
    /// run more than once.
    ///
    /// # Errors
    ///
    /// The closure's error, or a [`StoreError`] converted into it.
    pub async fn write<T, E, F>(&self, closure: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        E: From<StoreError> + Send + 'static,
        T: Send + 'static,
    {
        self.submit(Access::Write, closure).await
    }

    /// Runs one atomic, durable transaction with snapshot isolation, for changes that depend
    /// only on rows that they write, on unique indexes and on foreign keys. Of two that
    /// write the same row or key, one runs again. There is no protection from two
    /// transactions that each write a row that the other one has read. In return,
    /// PostgreSQL, which records reads by the page, reports no conflict of two transactions
    /// that read neighbors in an index.
    ///
    /// # Errors
    ///
    /// The closure's error, or a [`StoreError`] converted into it.
    pub async fn write_snapshot<T, E, F>(&self, closure: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        E: From<StoreError> + Send + 'static,
        T: Send + 'static,
    {
        self.submit(Access::Snapshot, closure).await
    }

    /// The same as [`write`](Store::write), but not durable at once: the change is atomic and
    /// visible to all later transactions, and is lost if the machine loses power within the
    /// next moments. In return, the caller does not wait for the disk.
    ///
    /// # Errors
    ///
    /// The closure's error, or a [`StoreError`] converted into it.
    pub async fn write_relaxed<T, E, F>(&self, closure: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        E: From<StoreError> + Send + 'static,
        T: Send + 'static,
    {
        self.submit(Access::WriteRelaxed, closure).await
    }

    /// Whether the database responds.
    ///
    /// # Errors
    ///
    /// When it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.read_one(|tx| tx.query("SELECT 1", &[]).map(drop))
            .await
    }

    fn queue(&self, access: Access) -> &Queue {
        match access {
            Access::ReadOne | Access::Read => &self.inner.reads,
            Access::WriteRelaxed | Access::Snapshot | Access::Write => &self.inner.writes,
        }
    }
}

/// The file of a database; none for one that is not a file.
pub fn file(database_url: &str) -> Option<PathBuf> {
    let path = database_url.strip_prefix("sqlite:")?;
    Some(PathBuf::from(path.strip_prefix("//").unwrap_or(path)))
}

/// Opening blocks: not for a thread that serves requests.
async fn on_thread(
    open: impl FnOnce() -> Result<Store, StoreError> + Send + 'static,
) -> Result<Store, StoreError> {
    tokio::task::spawn_blocking(open)
        .await
        .unwrap_or(Err(StoreError::Panicked))
}

/// Starts a named thread of the store.
fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> Result<(), StoreError> {
    std::thread::Builder::new()
        .name(name.to_owned())
        .stack_size(1 << 20)
        .spawn(body)
        .map(drop)
        .map_err(|error| StoreError::Unavailable(error.to_string()))
}
