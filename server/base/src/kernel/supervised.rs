//! Background tasks that survive a panic.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures::FutureExt as _;

/// The pause before a task that has panicked starts again.
const PAUSE: Duration = Duration::from_secs(1);

/// Runs a task, and again after each panic, until it ends or is dropped. Without it, a panic would end the
/// task for the rest of the process's life, and a line in the log would be the only sign.
pub async fn supervised<C: Clone, F: Future<Output = ()>>(context: C, task: impl Fn(C) -> F) {
    // The data that tasks share is consistent whenever it is not locked.
    while AssertUnwindSafe(task(context.clone()))
        .catch_unwind()
        .await
        .is_err()
    {
        tracing::error!("a background task panicked, and starts again");
        tokio::time::sleep(PAUSE).await;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test]
    async fn a_task_that_panics_starts_again_and_one_that_ends_does_not() {
        let runs = Arc::new(AtomicUsize::new(0));
        let task = |runs: Arc<AtomicUsize>| async move {
            assert_eq!(runs.fetch_add(1, Ordering::Relaxed), 1, "on purpose");
        };
        supervised(Arc::clone(&runs), task).await;
        assert_eq!(runs.load(Ordering::Relaxed), 2);
    }
}
