//! Jobs: transactions that tasks send to database threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use tokio::sync::oneshot;

use super::StoreError;
use super::tx::{Connection, RetryAction, Tx};

/// The outcome of a job's closure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TxOutcome {
    /// The closure returned `Ok`.
    Commit,
    /// The closure returned `Err`: its effects are undone, and its error is the
    /// result.
    Rollback,
    /// A statement failed, and the next run may succeed.
    Rerun(RetryAction),
}

/// The access of a transaction, and its guarantees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// One statement without changes.
    ReadOne,
    /// No changes.
    Read,
    /// Changes, which may be lost if the machine loses power soon.
    WriteRelaxed,
    /// Durable changes; only writers of the same rows conflict.
    Snapshot,
    /// Durable, serializable changes.
    Write,
}

/// A transaction without its types, so that all jobs can wait in one queue.
pub(super) trait Job: Send {
    /// The access of the transaction.
    fn access(&self) -> Access;
    /// Whether the task no longer waits for the outcome.
    fn is_abandoned(&self) -> bool;
    /// Runs the closure, and stores its outcome.
    fn run(&mut self, connection: &mut dyn Connection) -> TxOutcome;
    /// Replaces the outcome with an error.
    fn fail(&mut self, error: StoreError);
    /// Sends the outcome to the waiting task.
    fn finish(self: Box<Self>);
    /// Gives the closure back to the waiting task, to run it again. `error` is the reason, and
    /// `began_at` the time at which this run began.
    fn repeat(self: Box<Self>, error: StoreError, began_at: Instant);
}

/// The reply of a database thread to the task that waits for a job.
pub(super) enum Reply<T, E, F> {
    /// The outcome is final.
    Outcome(Result<T, E>),
    /// Nothing was written, and another run may succeed.
    Repeat {
        closure: F,
        error: StoreError,
        began_at: Instant,
    },
}

struct Typed<T, E, F> {
    access: Access,
    closure: F,
    outcome: Result<T, E>,
    reply: oneshot::Sender<Reply<T, E, F>>,
}

impl<T, E, F> Job for Typed<T, E, F>
where
    F: Fn(&mut Tx<'_>) -> Result<T, E> + Send,
    E: From<StoreError> + Send,
    T: Send,
{
    fn access(&self) -> Access {
        self.access
    }

    fn is_abandoned(&self) -> bool {
        self.reply.is_closed()
    }

    fn run(&mut self, connection: &mut dyn Connection) -> TxOutcome {
        let mut tx = match self.access {
            Access::ReadOne => Tx::of_one(connection),
            _ => Tx::new(connection),
        };
        // All effects of the closure are in the transaction. After a panic it
        // is rolled back, so no partial change is visible.
        let result = catch_unwind(AssertUnwindSafe(|| (self.closure)(&mut tx)));
        let failed = tx.failed();
        let (outcome, tx_outcome) = match (result, failed) {
            (Err(_), _) => (Err(StoreError::Panicked.into()), TxOutcome::Rollback),
            (Ok(outcome), Some(action @ (RetryAction::Again | RetryAction::Reconnect))) => {
                (outcome, TxOutcome::Rerun(action))
            }
            (Ok(Ok(_)), Some(RetryAction::Report)) => {
                (Err(StoreError::Aborted.into()), TxOutcome::Rollback)
            }
            (Ok(Err(error)), _) => (Err(error), TxOutcome::Rollback),
            (Ok(Ok(value)), None) => (Ok(value), TxOutcome::Commit),
        };
        self.outcome = outcome;
        tx_outcome
    }

    fn fail(&mut self, error: StoreError) {
        self.outcome = Err(error.into());
    }

    fn finish(self: Box<Self>) {
        // A dropped task does not need the outcome.
        let _ = self.reply.send(Reply::Outcome(self.outcome));
    }

    fn repeat(self: Box<Self>, error: StoreError, began_at: Instant) {
        let closure = self.closure;
        let _ = self.reply.send(Reply::Repeat {
            closure,
            error,
            began_at,
        });
    }
}

/// A job, and the receiver of its reply.
type JobWithReply<T, E, F> = (Box<dyn Job>, oneshot::Receiver<Reply<T, E, F>>);

/// Converts a closure into a job, and returns the receiver of its reply.
pub(super) fn job<T, E, F>(access: Access, closure: F) -> JobWithReply<T, E, F>
where
    F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    E: From<StoreError> + Send + 'static,
    T: Send + 'static,
{
    let (reply, receiver) = oneshot::channel();
    let job = Typed {
        access,
        closure,
        outcome: Err(StoreError::Closed.into()),
        reply,
    };
    (Box::new(job), receiver)
}
