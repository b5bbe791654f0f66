//! Delays the rejection of invented secrets during a flood of them.
//!
//! A rejection is cheap, and yet tens of thousands a second would take the processor from admitted
//! calls. So once the service has rejected some hundred calls within a second, it delays each
//! further rejection by a second: the senders wait on their own connections. No other call waits,
//! not even one with a valid secret from the same address. Each replica sends its part of the
//! rejections at once.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The number of rejections within a second that are sent at once.
const AT_ONCE: u32 = 200;
/// The delay of the others, and the time within which rejections are counted.
const DELAY: Duration = Duration::from_secs(1);

/// Counts rejections.
#[derive(Debug, Default)]
pub struct Flood(Mutex<Option<Window>>);

#[derive(Debug, Clone, Copy)]
struct Window {
    begun: Instant,
    count: u32,
}

impl Flood {
    /// The delay of the rejection of a call at `now`, if this replica may send the `part` of the
    /// rejections at once.
    pub fn delay(&self, now: Instant, part: f64) -> Option<Duration> {
        let mut window = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let current = match *window {
            Some(known) if now.saturating_duration_since(known.begun) < DELAY => Window {
                count: known.count.saturating_add(1),
                ..known
            },
            _ => Window {
                begun: now,
                count: 1,
            },
        };
        *window = Some(current);
        (f64::from(current.count) > f64::from(AT_ONCE) * part).then_some(DELAY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_rejections_that_come_too_fast_are_delayed() {
        for (part, at_once) in [(1.0, AT_ONCE), (0.25, AT_ONCE / 4)] {
            let flood = Flood::default();
            let start = Instant::now();
            for _ in 0..at_once {
                assert_eq!(flood.delay(start, part), None);
            }
            assert_eq!(flood.delay(start + DELAY / 2, part), Some(DELAY));
            assert_eq!(flood.delay(start + DELAY, part), None);
        }
    }
}
