//! The handle on a database: the kinds of transactions.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::job::{Access, Reply, job};
use super::queue::{Load, Queue};
use super::{StoreError, Turn, Tx};

/// How long a transaction may be repeated because of conflicts, or wait for a connection. It begins
/// with the first run. It does not end a run: `database.statement_seconds` limits each statement. While the
/// database is unreachable, it also limits the wait for the first run.
pub(super) const REPEAT_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum pause between two runs.
const PAUSE: Duration = Duration::from_millis(100);

/// A handle of the database. Clones share its threads, which end when the last clone is dropped.
///
/// The error of a transaction is that of its closure, or a [`StoreError`] converted into it.
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

    /// A counter that changes after [`Tx::notify`] of any replica, and sometimes without it. `None`
    /// if the database does not support notices. A notice can be lost, so poll as well.
    pub fn notices(&self) -> Option<watch::Receiver<u64>> {
        self.inner.notices.clone()
    }

    /// The description of the database for people, without a password.
    pub fn description(&self) -> &str {
        &self.inner.description
    }

    /// Runs one atomic read-only transaction: all of its statements see the same state.
    /// The closure runs on a database thread, and may run more than once.
    pub async fn read<T, E, F>(&self, closure: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        E: From<StoreError> + Send + 'static,
        T: Send + 'static,
    {
        self.submit(Access::Read, closure).await
    }

    /// Runs one read-only statement without a transaction, whose begin and end would be most of the
    /// cost of a short statement. A second statement fails.
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
    pub async fn write<T, E, F>(&self, closure: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        E: From<StoreError> + Send + 'static,
        T: Send + 'static,
    {
        self.submit(Access::Write, closure).await
    }

    /// Like [`write`](Store::write), for a transaction that conflicts with all others of this turn.
    /// SQLite runs one transaction at a time, so it needs no turns.
    pub async fn write_in_turn<T, E, F>(&self, turn: &Turn, closure: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        E: From<StoreError> + Send + 'static,
        T: Send + 'static,
    {
        let _turn = match self.inner.notices {
            // PostgreSQL.
            Some(_) => turn.wait().await,
            None => None,
        };
        self.write(closure).await
    }

    /// Runs one atomic, durable transaction with snapshot isolation, for changes that depend only
    /// on rows that they write, on unique indexes and on foreign keys. If two transactions write
    /// the same row or key, one runs again. Two transactions that each write a row that the other
    /// one has read are not a conflict. In return, PostgreSQL, which records reads by page, reports
    /// no conflict of two transactions that read neighbors in an index.
    pub async fn write_snapshot<T, E, F>(&self, closure: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        E: From<StoreError> + Send + 'static,
        T: Send + 'static,
    {
        self.submit(Access::Snapshot, closure).await
    }

    /// Like [`write`](Store::write), but not durable at once: the change is atomic and visible to
    /// all later transactions, and is lost if the machine loses power within moments. In return,
    /// the caller does not wait for the disk.
    pub async fn write_relaxed<T, E, F>(&self, closure: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        E: From<StoreError> + Send + 'static,
        T: Send + 'static,
    {
        self.submit(Access::WriteRelaxed, closure).await
    }

    /// The load of each queue: `reads` and `writes`, or `all` if reads and writes share one.
    pub fn loads(&self) -> Vec<(&'static str, Load)> {
        let Inner { reads, writes, .. } = &*self.inner;
        match Arc::ptr_eq(reads, writes) {
            true => vec![("all", reads.load())],
            false => vec![("reads", reads.load()), ("writes", writes.load())],
        }
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

    /// Puts a closure into the queue of a database thread and waits for it. If it must run again, it
    /// pauses here, where it has neither a thread nor a connection, and returns to the queue.
    async fn submit<T, E, F>(&self, access: Access, closure: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        E: From<StoreError> + Send + 'static,
        T: Send + 'static,
    {
        let queue = self.queue(access);
        let (first, mut reply) = job(access, closure);
        queue.put(first).await?;
        let mut deadline = None;
        for attempt in 1.. {
            let (closure, error, began_at) = match reply.await {
                Ok(Reply::Outcome(outcome)) => return outcome,
                Ok(Reply::Repeat {
                    closure,
                    error,
                    began_at,
                }) => (closure, error, began_at),
                Err(_) => break,
            };
            if Instant::now() >= *deadline.get_or_insert(began_at + REPEAT_TIMEOUT) {
                return Err(error.into());
            }
            tokio::time::sleep(pause(attempt)).await;
            let again;
            (again, reply) = job(access, closure);
            queue.put_again(again);
        }
        Err(StoreError::Closed.into())
    }

    fn queue(&self, access: Access) -> &Queue {
        match access {
            Access::ReadOne | Access::Read => &self.inner.reads,
            Access::WriteRelaxed | Access::Snapshot | Access::Write => &self.inner.writes,
        }
    }
}

/// Full jitter, so that transactions in conflict do not run again at the same time.
fn pause(attempt: u32) -> Duration {
    let most = PAUSE.min(Duration::from_millis(1 << attempt.min(7)));
    most.mul_f64(fastrand::f64())
}
