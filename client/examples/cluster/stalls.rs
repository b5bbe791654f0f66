//! How long the machine stood still: its processors were busy elsewhere, or it was paused.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The pause of the thread that measures.
const STEP: Duration = Duration::from_millis(20);

/// Measures until it is dropped. A thread sleeps again and again, and a stall is what it sleeps too long.
pub struct Stalls(Arc<AtomicU64>);

impl Stalls {
    pub fn watch() -> Stalls {
        let stalls = Stalls(Arc::default());
        let longest = Arc::downgrade(&stalls.0);
        std::thread::spawn(move || {
            let mut began = Instant::now();
            while let Some(longest) = longest.upgrade() {
                std::thread::sleep(STEP);
                let late = began.elapsed().saturating_sub(STEP);
                let late = u64::try_from(late.as_millis()).unwrap_or(u64::MAX);
                longest.fetch_max(late, Ordering::Relaxed);
                began = Instant::now();
            }
        });
        stalls
    }

    /// The longest stall so far.
    pub fn longest(&self) -> Duration {
        Duration::from_millis(self.0.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stall_is_not_shorter_for_the_next_one() {
        let stalls = Stalls::watch();
        stalls.0.fetch_max(3_600_000, Ordering::Relaxed);
        std::thread::sleep(5 * STEP);
        assert_eq!(stalls.longest(), Duration::from_secs(3600));
    }
}
