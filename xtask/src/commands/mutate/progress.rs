//! The progress of a run.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Prints the progress on stderr, at intervals, as one line.
pub(super) struct Progress {
    total: usize,
    done: AtomicUsize,
    began: Instant,
    printed_at: Mutex<Instant>,
}

impl Progress {
    /// The minimum time between two lines.
    const PAUSE: Duration = Duration::from_secs(5);

    pub(super) fn new(total: usize) -> Progress {
        Progress {
            total,
            done: AtomicUsize::new(0),
            began: Instant::now(),
            printed_at: Mutex::new(Instant::now()),
        }
    }

    pub(super) fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let Ok(mut printed_at) = self.printed_at.lock() else {
            return;
        };
        if printed_at.elapsed() < Progress::PAUSE {
            return;
        }
        *printed_at = Instant::now();
        let elapsed = self.began.elapsed().as_secs_f64();
        #[allow(clippy::cast_precision_loss)]
        let left = elapsed / done as f64 * self.total.saturating_sub(done) as f64;
        eprintln!("{done} of {}, about {left:.0} s to go", self.total);
    }

    pub(super) fn end(&self) {
        let elapsed = self.began.elapsed().as_secs_f64();
        eprintln!("{} mutants in {elapsed:.0} s", self.total);
    }
}
