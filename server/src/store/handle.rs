//! The handle on a database: the kinds of transactions.

use std::sync::Arc;

use tokio::sync::watch;

use super::job::{Access, job};
use super::queue::Queue;
use super::{StoreError, Tx};

/// A handle on the database. Clones share it; when the last one is gone, its
/// threads end.
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
    pub(super) fn new(
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

    /// Changes its value when a replica said [`Tx::notify`], and sometimes
    /// without; nothing where the database has no such thing. A notice can be
    /// lost: look for yourself from time to time.
    pub fn notices(&self) -> Option<watch::Receiver<u64>> {
        self.inner.notices.clone()
    }

    /// Which database this is, for people: never with a password.
    pub fn description(&self) -> &str {
        &self.inner.description
    }

    /// Runs one atomic read-only transaction: all of its statements see the
    /// same state. The closure runs on a database thread, and may run more than
    /// once.
    ///
    /// # Errors
    ///
    /// The closure's own, or a [`StoreError`] in its clothes.
    pub async fn read<T, E, F>(&self, closure: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        E: From<StoreError> + Send + 'static,
        T: Send + 'static,
    {
        self.submit(Access::Read, closure).await
    }

    /// The same for one statement, which sees one state by itself: there is no
    /// transaction to begin and to end, and that is most of what a short one costs. A
    /// second statement is refused.
    ///
    /// # Errors
    ///
    /// The closure's own, or a [`StoreError`] in its clothes.
    pub async fn look<T, E, F>(&self, closure: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        E: From<StoreError> + Send + 'static,
        T: Send + 'static,
    {
        self.submit(Access::Look, closure).await
    }

    /// Runs one atomic, durable, serializable transaction. `Err` from the
    /// closure rolls it back. The closure runs on a database thread, and may
    /// run more than once.
    ///
    /// # Errors
    ///
    /// The closure's own, or a [`StoreError`] in its clothes.
    pub async fn write<T, E, F>(&self, closure: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        E: From<StoreError> + Send + 'static,
        T: Send + 'static,
    {
        self.submit(Access::Write, closure).await
    }

    /// The same for a change that needs no more than a snapshot: everything that it
    /// depends on is held by a row that it writes, a unique index or a foreign key.
    /// Of two that write the same row or the same key, one runs again, as above.
    /// What is lost is protection from two transactions that each write what the
    /// other one read; what is won is that PostgreSQL, which remembers what was read
    /// by the page, no longer takes neighbours in an index for such a pair.
    ///
    /// # Errors
    ///
    /// The closure's own, or a [`StoreError`] in its clothes.
    pub async fn write_snapshot<T, E, F>(&self, closure: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        E: From<StoreError> + Send + 'static,
        T: Send + 'static,
    {
        self.submit(Access::Snapshot, closure).await
    }

    /// The same as [`write`](Store::write) for what can be spared: it is atomic and seen by all that
    /// follows, and may yet be lost when the machine loses power within the
    /// next moments. In return nobody waits for the disk.
    ///
    /// # Errors
    ///
    /// The closure's own, or a [`StoreError`] in its clothes.
    pub async fn note<T, E, F>(&self, closure: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        E: From<StoreError> + Send + 'static,
        T: Send + 'static,
    {
        self.submit(Access::Note, closure).await
    }

    /// Whether the database answers.
    ///
    /// # Errors
    ///
    /// Why it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.look(|tx| tx.query("SELECT 1", &[]).map(drop)).await
    }

    /// Puts a closure into the queue of a database thread and waits for it.
    async fn submit<T, E, F>(&self, access: Access, closure: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        E: From<StoreError> + Send + 'static,
        T: Send + 'static,
    {
        let (job, outcome) = job(access, closure);
        self.queue(access).put(job).await?;
        outcome
            .await
            .unwrap_or_else(|_| Err(StoreError::Closed.into()))
    }

    fn queue(&self, access: Access) -> &Queue {
        match access {
            Access::Look | Access::Read => &self.inner.reads,
            Access::Note | Access::Snapshot | Access::Write => &self.inner.writes,
        }
    }
}
