//! The permits of an upstream, one for each concurrent call.
//!
//! A replica issues its share of them. If the share shrinks, the permits of calls in progress are
//! withdrawn when these calls end.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The permits of one upstream.
#[derive(Debug)]
pub struct Permits {
    /// The permits of all replicas together.
    max: AtomicU32,
    semaphore: Arc<Semaphore>,
    issued: Mutex<Issued>,
    /// The number of calls that wait.
    waiting: AtomicU32,
    /// The attempts without success since the last reading of the demand.
    rejected: AtomicU32,
}

/// The permits of this replica.
#[derive(Debug)]
struct Issued {
    /// The number of permits that the replica may issue.
    allowed: u32,
    /// Issued permits beyond the allowed ones, all in use.
    surplus: u32,
}

/// A permit. It returns to its upstream when it is dropped.
#[derive(Debug)]
pub struct Permit {
    permits: Arc<Permits>,
    permit: Option<OwnedSemaphorePermit>,
}

/// The use of an upstream, in calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Use {
    /// The calls in progress.
    pub in_progress: u32,
    /// The calls in progress, and those that found no permit.
    pub demanded: u32,
}

impl Permits {
    /// Issues `max` permits.
    pub fn new(max: u32) -> Arc<Self> {
        Arc::new(Permits {
            max: AtomicU32::new(max),
            semaphore: Arc::new(Semaphore::new(max as usize)),
            issued: Mutex::new(Issued {
                allowed: max,
                surplus: 0,
            }),
            waiting: AtomicU32::new(0),
            rejected: AtomicU32::new(0),
        })
    }

    /// The permits of all replicas together.
    pub fn max(&self) -> u32 {
        self.max.load(Ordering::Relaxed)
    }

    /// Changes the number of permits of all replicas together. [`allow`](Self::allow) must follow.
    pub fn set_max(&self, max: u32) {
        self.max.store(max, Ordering::Relaxed);
    }

    /// The permits of this replica that are not in use.
    pub fn free(&self) -> usize {
        self.semaphore.available_permits()
    }

    /// A permit without a wait. `None` if all are in use, or if calls wait for them.
    pub fn try_permit(self: &Arc<Self>) -> Option<Permit> {
        let permit = Arc::clone(&self.semaphore).try_acquire_owned().ok();
        if permit.is_none() {
            self.rejected.fetch_add(1, Ordering::Relaxed);
        }
        permit.map(|permit| self.hold(permit))
    }

    /// Waits for a permit. Always returns one.
    pub async fn permit(self: &Arc<Self>) -> Option<Permit> {
        let _waiting = Waiting::begin(&self.waiting);
        // The only error is a closed semaphore, and this one is never closed.
        let permit = Arc::clone(&self.semaphore).acquire_owned().await.ok();
        permit.map(|permit| self.hold(permit))
    }

    fn hold(self: &Arc<Self>, permit: OwnedSemaphorePermit) -> Permit {
        Permit {
            permits: Arc::clone(self),
            permit: Some(permit),
        }
    }

    /// Changes the number of permits of this replica.
    pub fn allow(&self, count: u32) {
        let mut issued = self.issued();
        if let Some(more) = count.checked_sub(issued.allowed) {
            let kept = more.min(issued.surplus);
            issued.surplus -= kept;
            self.semaphore.add_permits((more - kept) as usize);
        } else {
            let fewer = issued.allowed - count;
            let withdrawn = self.semaphore.forget_permits(fewer as usize);
            issued.surplus += fewer.saturating_sub(u32::try_from(withdrawn).unwrap_or(fewer));
        }
        issued.allowed = count;
    }

    /// The use since the last call of this function.
    pub fn take_use(&self) -> Use {
        let issued = self.issued();
        let free = u32::try_from(self.semaphore.available_permits()).unwrap_or(u32::MAX);
        let in_progress = (issued.allowed + issued.surplus).saturating_sub(free);
        let rejected = self.rejected.swap(0, Ordering::Relaxed);
        let waiting = self.waiting.load(Ordering::Relaxed);
        Use {
            in_progress,
            demanded: in_progress.saturating_add(rejected.max(waiting)),
        }
    }

    fn issued(&self) -> MutexGuard<'_, Issued> {
        self.issued.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        // Locked until the permit has returned.
        let mut issued = self.permits.issued();
        if let Some(permit) = self.permit.take()
            && issued.surplus > 0
        {
            issued.surplus -= 1;
            permit.forget();
        }
    }
}

/// A waiting call.
struct Waiting<'a>(&'a AtomicU32);

impl<'a> Waiting<'a> {
    fn begin(count: &'a AtomicU32) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Waiting(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permits_in_use_are_withdrawn_when_their_calls_end() {
        let permits = Permits::new(4);
        let mut held: Vec<_> = (0..3).filter_map(|_| permits.try_permit()).collect();
        permits.allow(1);
        let all = Use {
            in_progress: 3,
            demanded: 3,
        };
        assert_eq!(permits.take_use(), all);
        for left in [2, 1] {
            held.pop();
            assert!(permits.try_permit().is_none());
            let expected = Use {
                in_progress: left,
                demanded: left + 1,
            };
            assert_eq!(permits.take_use(), expected);
        }
        held.pop();
        assert!(permits.try_permit().is_some());
    }

    #[tokio::test]
    async fn a_waiting_call_gets_a_permit_that_is_allowed_again() {
        let permits = Permits::new(2);
        permits.allow(1);
        let _held = permits.try_permit().expect("a permit");
        let mut waiting = Box::pin(permits.permit());
        assert!(futures::poll!(&mut waiting).is_pending());
        assert_eq!(permits.take_use().demanded, 2);
        permits.allow(2);
        assert!(waiting.await.is_some());
        assert_eq!(permits.take_use().in_progress, 1);
    }
}
