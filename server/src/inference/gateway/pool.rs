//! The model servers of one model: whose turn it is, and who has room.
//!
//! A call takes a [`Slot`] at one of them and holds it until its answer has
//! ended. With every slot taken it waits in a queue of bounded length and for a
//! bounded time; a call that finds the queue full is turned away at once, for
//! it would only make the others wait longer.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use http::{HeaderName, HeaderValue, Uri};
use tokio::sync::Notify;

use super::breaker::Breaker;

/// A model server.
#[derive(Debug)]
pub struct Target {
    /// Its address, for people.
    pub address: String,
    /// Where chat completions go.
    pub chat_completions: Uri,
    /// Where responses go; absent when they have to be translated.
    pub responses: Option<Uri>,
    /// The model's name there.
    pub model: Option<String>,
    /// Headers of every call; those with secrets are marked as sensitive.
    pub set_headers: Vec<(HeaderName, HeaderValue)>,
    /// Further headers of the caller that are passed on.
    pub forward_headers: Vec<HeaderName>,
    /// How long the beginning of an answer may take.
    pub timeout: Duration,
    /// Its share of the calls.
    pub weight: u32,
    /// The most calls at once; they are counted where there is a limit.
    pub max_concurrent: Option<usize>,
    /// Whether it is left alone for now.
    pub breaker: Breaker,
    in_flight: AtomicUsize,
}

impl Target {
    /// A model server that serves both conventions at these addresses, without
    /// limits.
    pub fn new(address: String, chat_completions: Uri, responses: Option<Uri>) -> Self {
        Target {
            address,
            chat_completions,
            responses,
            model: None,
            set_headers: Vec::new(),
            forward_headers: Vec::new(),
            timeout: Duration::from_secs(600),
            weight: 1,
            max_concurrent: None,
            breaker: Breaker::default(),
            in_flight: AtomicUsize::new(0),
        }
    }

    fn enter(&self) -> bool {
        let Some(most) = self.max_concurrent else {
            return true;
        };
        let room = |count| (count < most).then_some(count + 1);
        let entered = self
            .in_flight
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, room);
        entered.is_ok()
    }

    fn leave(&self) {
        if self.max_concurrent.is_some() {
            self.in_flight.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

/// The model servers of one model.
#[derive(Debug)]
pub struct Pool {
    /// Who can answer.
    pub targets: Vec<Target>,
    /// Calls that may wait.
    pub queue: usize,
    /// How long each may.
    pub patience: Duration,
    /// Further attempts before the first byte.
    pub retries: u32,
    turn: AtomicUsize,
    waiting: AtomicUsize,
    room: Notify,
}

/// A call's place at a model server, until it is dropped.
#[derive(Debug)]
pub struct Slot {
    pool: Arc<Pool>,
    index: usize,
}

/// Why there is no slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoSlot {
    /// All are busy, and so is the queue, or the wait was too long.
    Busy,
    /// All that are left have failed too often; one is tried again then.
    Broken(Instant),
    /// All were tried.
    Tried,
}

impl Pool {
    /// A pool of these model servers.
    pub fn new(targets: Vec<Target>, queue: usize, patience: Duration, retries: u32) -> Self {
        Pool {
            targets,
            queue,
            patience,
            retries,
            turn: AtomicUsize::new(0),
            waiting: AtomicUsize::new(0),
            room: Notify::new(),
        }
    }

    /// A place at a model server, at once or never, except at the `tried` ones.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub fn try_slot(self: &Arc<Self>, tried: &[usize]) -> Result<Slot, NoSlot> {
        let now = Instant::now();
        let mut left: Vec<usize> = (0..self.targets.len())
            .filter(|index| !tried.contains(index))
            .collect();
        let mut reason = NoSlot::Tried;
        while !left.is_empty() {
            let index = left.remove(self.whose_turn(&left));
            let target = &self.targets[index];
            if !target.enter() {
                reason = NoSlot::Busy;
                continue;
            }
            let slot = Slot {
                pool: Arc::clone(self),
                index,
            };
            match target.breaker.admit(now) {
                Ok(()) => return Ok(slot),
                Err(until) => {
                    reason = match reason {
                        NoSlot::Busy => NoSlot::Busy,
                        NoSlot::Broken(other) => NoSlot::Broken(until.min(other)),
                        NoSlot::Tried => NoSlot::Broken(until),
                    };
                }
            }
        }
        Err(reason)
    }

    /// The position in `left` whose turn it is, by weight.
    fn whose_turn(&self, left: &[usize]) -> usize {
        if left.len() < 2 {
            return 0;
        }
        let weight = |index: &usize| self.targets[*index].weight as usize;
        let total: usize = left.iter().map(weight).sum();
        let mut ticket = self.turn.fetch_add(1, Ordering::Relaxed) % total.max(1);
        for (position, index) in left.iter().enumerate() {
            match ticket.checked_sub(weight(index)) {
                Some(rest) => ticket = rest,
                None => return position,
            }
        }
        0
    }

    /// A place at a model server, after a wait if need be.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub async fn slot(self: &Arc<Self>) -> Result<Slot, NoSlot> {
        match self.try_slot(&[]) {
            Err(NoSlot::Busy) => {}
            outcome => return outcome,
        }
        let Some(_place) = Waiting::enter(self) else {
            return Err(NoSlot::Busy);
        };
        let deadline = tokio::time::Instant::now() + self.patience;
        loop {
            let mut room = std::pin::pin!(self.room.notified());
            // From here on no release is missed.
            room.as_mut().enable();
            match self.try_slot(&[]) {
                Err(NoSlot::Busy) => {}
                outcome => return outcome,
            }
            if tokio::time::timeout_at(deadline, room).await.is_err() {
                return Err(NoSlot::Busy);
            }
        }
    }

    /// Calls that wait.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }
}

impl Slot {
    /// The model server.
    pub fn target(&self) -> &Target {
        &self.pool.targets[self.index]
    }

    /// Its place in the pool.
    pub fn index(&self) -> usize {
        self.index
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.target().leave();
        if self.pool.waiting() > 0 {
            self.pool.room.notify_one();
        }
    }
}

/// A place in the queue.
struct Waiting<'a>(&'a Pool);

impl<'a> Waiting<'a> {
    fn enter(pool: &'a Pool) -> Option<Self> {
        let room = |count| (count < pool.queue).then_some(count + 1);
        let entered = pool
            .waiting
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, room);
        // Lazily: a place that was not entered must not be left.
        entered.is_ok().then(|| Waiting(pool))
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(targets: &[(u32, usize)], queue: usize) -> Arc<Pool> {
        patient(targets, queue, Duration::from_secs(20))
    }

    fn patient(targets: &[(u32, usize)], queue: usize, patience: Duration) -> Arc<Pool> {
        let target = |(weight, max_concurrent): &(u32, usize)| Target {
            weight: *weight,
            max_concurrent: Some(*max_concurrent),
            ..Target::new("t".into(), Uri::from_static("/"), None)
        };
        let targets = targets.iter().map(target).collect();
        Arc::new(Pool::new(targets, queue, patience, 0))
    }

    #[test]
    fn calls_are_shared_out_by_weight() {
        let pool = pool(&[(3, 9), (1, 9)], 0);
        let turns = (0..8).map(|_| pool.try_slot(&[]).map(|slot| slot.index()));
        let second = turns.filter(|index| *index == Ok(1)).count();
        assert_eq!(second, 2);
    }

    #[test]
    fn what_is_full_tried_or_broken_is_passed_over() {
        let pool = pool(&[(1, 1), (1, 1)], 0);
        let one = pool.try_slot(&[]).expect("room");
        let two = pool.try_slot(&[]).expect("room");
        assert_ne!(one.index(), two.index());
        assert_eq!(pool.try_slot(&[]).err(), Some(NoSlot::Busy));
        drop((one, two));
        let slot = pool.try_slot(&[0]).expect("room");
        assert_eq!(slot.index(), 1);
        drop(slot);
        assert_eq!(pool.try_slot(&[0, 1]).err(), Some(NoSlot::Tried));
        for _ in 0..5 {
            pool.targets[1].breaker.failed(Instant::now());
        }
        for _ in 0..4 {
            assert_eq!(pool.try_slot(&[]).map(|slot| slot.index()), Ok(0));
        }
        assert!(matches!(pool.try_slot(&[0]), Err(NoSlot::Broken(_))));
    }

    #[tokio::test]
    async fn a_queue_is_served_when_a_call_ends_and_refuses_when_it_is_full() {
        let pool = pool(&[(1, 1)], 1);
        let first = pool.slot().await.expect("room");
        let waiting = tokio::spawn({
            let pool = Arc::clone(&pool);
            async move { pool.slot().await.map(|slot| slot.index()) }
        });
        while pool.waiting() == 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(pool.slot().await.err(), Some(NoSlot::Busy));
        assert_eq!(pool.waiting(), 1);
        drop(first);
        assert_eq!(waiting.await.expect("no panic"), Ok(0));
        assert_eq!(pool.waiting(), 0);
    }

    #[tokio::test]
    async fn nobody_waits_longer_than_the_patience() {
        let pool = patient(&[(1, 1)], 1, Duration::from_millis(50));
        let _first = pool.slot().await.expect("room");
        assert_eq!(pool.slot().await.err(), Some(NoSlot::Busy));
        assert_eq!(pool.waiting(), 0);
    }
}
