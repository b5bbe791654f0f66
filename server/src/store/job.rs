//! A transaction on its way from a task to a database thread and back.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tokio::sync::oneshot;

use super::StoreError;
use super::tx::{Connection, RetryAction, Tx};

/// How a job's closure came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TxOutcome {
    /// It returned `Ok`.
    Commit,
    /// It returned `Err`: its effects are undone, its error is the answer.
    Rollback,
    /// A statement failed in a way that running it again may cure.
    Rerun(RetryAction),
}

/// What a transaction may do, and what its end promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// It changes nothing, and is one statement.
    ReadOne,
    /// It changes nothing.
    Read,
    /// What it changes may be lost when the machine loses power soon.
    WriteRelaxed,
    /// What it changes is on disk, and only writers of the same rows lose against
    /// each other.
    Snapshot,
    /// What it changes is on disk.
    Write,
}

/// A transaction with its types erased, so that jobs of all types can wait in
/// one queue.
pub(super) trait Job: Send {
    /// What the transaction may do.
    fn access(&self) -> Access;
    /// Whether nobody waits for the outcome any more.
    fn is_abandoned(&self) -> bool;
    /// Runs the closure, and keeps its outcome.
    fn run(&mut self, connection: &mut dyn Connection) -> TxOutcome;
    /// Replaces the outcome with an error.
    fn fail(&mut self, error: StoreError);
    /// Sends the outcome to the task that waits.
    fn finish(self: Box<Self>);
}

struct Typed<T, E, F> {
    access: Access,
    closure: F,
    outcome: Result<T, E>,
    reply: oneshot::Sender<Result<T, E>>,
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
        // The closure's effects are all inside the transaction, which is
        // rolled back, so nothing half-done can be seen after a panic.
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
        // A task that has gone away does not want to know.
        let _ = self.reply.send(self.outcome);
    }
}

/// A closure as a job, and where its outcome arrives.
pub(super) fn job<T, E, F>(
    access: Access,
    closure: F,
) -> (Box<dyn Job>, oneshot::Receiver<Result<T, E>>)
where
    F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    E: From<StoreError> + Send + 'static,
    T: Send + 'static,
{
    let (reply, outcome) = oneshot::channel();
    let job = Typed {
        access,
        closure,
        outcome: Err(StoreError::Closed.into()),
        reply,
    };
    (Box::new(job), outcome)
}
