//! A flood of invented secrets costs whoever sends it more than the service.
//!
//! A refusal is cheap, and yet tens of thousands a second would take the
//! processor from calls that are let in. So when this replica has refused more
//! than some hundred within a second, further refusals are held back for a
//! second each: whoever floods waits on their own connections. Nothing else
//! waits, not even a good secret from the same address.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Refusals within a second that are answered at once.
const AT_ONCE: u32 = 200;
/// How long the others are held back.
const HELD: Duration = Duration::from_secs(1);

/// Counts refusals.
#[derive(Debug, Default)]
pub struct Flood(Mutex<Option<Window>>);

#[derive(Debug, Clone, Copy)]
struct Window {
    begun: Instant,
    count: u32,
}

impl Flood {
    /// How long the refusal of a call at `now` is held back.
    pub fn delay(&self, now: Instant) -> Option<Duration> {
        let mut window = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let current = match *window {
            Some(known) if now.saturating_duration_since(known.begun) < HELD => Window {
                count: known.count.saturating_add(1),
                ..known
            },
            _ => Window {
                begun: now,
                count: 1,
            },
        };
        *window = Some(current);
        (current.count > AT_ONCE).then_some(HELD)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_comes_too_fast_is_held_back() {
        let flood = Flood::default();
        let start = Instant::now();
        for _ in 0..AT_ONCE {
            assert_eq!(flood.delay(start), None);
        }
        assert_eq!(flood.delay(start + HELD / 2), Some(HELD));
        assert_eq!(flood.delay(start + HELD), None);
    }
}
