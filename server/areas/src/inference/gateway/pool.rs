//! The upstreams of one model, and the choice of one for a call.
//!
//! A call holds a [`Slot`] of one upstream until its response has ended. While all upstreams are at
//! their limits, calls wait in a queue of bounded length, each for a bounded time. The service
//! rejects a call at once if the queue is full. A fair semaphore for each upstream wakes one
//! waiting call for each returned slot, and a new call never overtakes the waiting ones.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures::future::select_ok;
use http::{HeaderName, HeaderValue, Uri};

use super::breaker::{Admitted, Breaker, KeyHash};
use super::permits::{Permit, Permits};

/// The maximum number of permits of a semaphore on a system with 32 bits.
const MAX_PERMITS: u32 = u32::MAX >> 3;

/// A model server.
#[derive(Debug)]
pub struct Target {
    /// Its address, for people.
    pub address: String,
    /// The URL of chat completions.
    pub chat_completions: Uri,
    /// The URL of responses. `None` if they have to be translated.
    pub responses: Option<Uri>,
    /// The model's name at the model server.
    pub model: Option<String>,
    /// Headers of every call; those with secrets are marked as sensitive.
    pub set_headers: Vec<(HeaderName, HeaderValue)>,
    /// Further headers of the caller that are passed on.
    pub forward_headers: Vec<HeaderName>,
    /// The timeout for the beginning of a response.
    pub timeout: Duration,
    /// The maximum silence within a response.
    pub idle_timeout: Duration,
    /// Its share of the calls.
    pub weight: u32,
    /// The circuit breaker of the upstream.
    pub breaker: Arc<Breaker>,
    /// The maximum of concurrent calls, if there is a limit.
    max_concurrent: Option<u32>,
    /// One permit for each concurrent call, if there is a limit.
    permits: Option<Arc<Permits>>,
}

impl Target {
    /// A model server that serves the conventions at these addresses, without limits.
    pub fn new(address: String, chat_completions: Uri, responses: Option<Uri>) -> Self {
        Target {
            address,
            chat_completions,
            responses,
            model: None,
            set_headers: Vec::new(),
            forward_headers: Vec::new(),
            timeout: Duration::from_secs(600),
            idle_timeout: Duration::from_secs(300),
            weight: 1,
            max_concurrent: None,
            breaker: Arc::default(),
            permits: None,
        }
    }

    /// Limits the upstream to `max` concurrent calls.
    pub fn with_max_concurrent(self, max: usize) -> Self {
        let max = u32::try_from(max).unwrap_or(MAX_PERMITS).min(MAX_PERMITS);
        Target {
            max_concurrent: Some(max),
            permits: Some(Permits::new(max)),
            ..self
        }
    }

    /// Shares the circuit and the permits of a former configuration of the upstream.
    fn follow(&mut self, before: &Target) {
        self.breaker = Arc::clone(&before.breaker);
        if let (Some(own), Some(shared)) = (&mut self.permits, &before.permits) {
            *own = Arc::clone(shared);
        }
    }

    /// The maximum of concurrent calls. `None` if the upstream has no limit.
    pub fn max_concurrent(&self) -> Option<u32> {
        self.max_concurrent
    }

    /// The permits of the upstream. `None` if it has no limit.
    pub fn permits(&self) -> Option<&Arc<Permits>> {
        self.permits.as_ref()
    }

    /// The credentials in the headers for the upstream.
    pub fn secrets(&self) -> impl Iterator<Item = &str> {
        let values = self.set_headers.iter().map(|(_, value)| value);
        let secrets = values.filter(|value| value.is_sensitive());
        let texts = secrets.filter_map(|value| value.to_str().ok());
        // The part after the scheme, such as `Bearer`.
        texts.filter_map(|text| text.split_ascii_whitespace().next_back())
    }

    /// The number of further concurrent calls that the upstream may get at the moment. `None`
    /// without a limit.
    pub fn free(&self) -> Option<usize> {
        let permits = self.permits.as_ref();
        permits.map(|permits| permits.free())
    }

    /// A permit, or `Some(None)` if the upstream has no limit. `None` if it is at its limit, or if
    /// calls wait for it.
    fn try_permit(&self) -> Option<Option<Permit>> {
        match &self.permits {
            None => Some(None),
            Some(permits) => permits.try_permit().map(Some),
        }
    }

    /// Waits for a permit. `None` if the upstream has no limit.
    async fn permit(&self) -> Option<Permit> {
        match &self.permits {
            None => None,
            Some(permits) => permits.permit().await,
        }
    }
}

/// The model servers of one model.
#[derive(Debug)]
pub struct Pool {
    /// The upstreams.
    pub targets: Vec<Target>,
    /// The maximum of waiting calls.
    pub queue: usize,
    /// The maximum time that each waits.
    pub queue_timeout: Duration,
    /// Further attempts before the first byte.
    pub retries: u32,
    /// Whether calls may refer to data that the upstreams store for all callers.
    pub shared_store: bool,
    /// The number of choices so far, which distributes the calls by weight.
    turn: AtomicUsize,
    /// The number of calls that wait.
    waiting: AtomicUsize,
}

/// A call's place at a model server, until it is dropped.
#[derive(Debug)]
pub struct Slot {
    pool: Arc<Pool>,
    index: usize,
    caller: KeyHash,
    admitted: Admitted,
    _permit: Option<Permit>,
}

/// Why there is no slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoSlot {
    /// All upstreams are at their limits, and the queue is full, or the wait was too long.
    Busy,
    /// The circuits of all remaining upstreams are open. One of them is tried at this time.
    Broken(Instant),
    /// All were tried.
    Tried,
}

impl Pool {
    /// A pool of these model servers.
    pub fn new(targets: Vec<Target>, queue: usize, queue_timeout: Duration, retries: u32) -> Self {
        Pool {
            targets,
            queue,
            queue_timeout,
            retries,
            shared_store: false,
            turn: AtomicUsize::new(0),
            waiting: AtomicUsize::new(0),
        }
    }

    /// Shares circuits and permits with the upstreams of a former pool that have the same addresses.
    pub fn follow(&mut self, before: &Pool) {
        let mut left: Vec<_> = before.targets.iter().collect();
        for target in &mut self.targets {
            let same = left.iter().position(|old| old.address == target.address);
            if let Some(same) = same {
                target.follow(left.remove(same));
            }
        }
    }

    /// A slot of an upstream, without waiting. Excludes the `tried` ones.
    ///
    /// # Errors
    ///
    /// Why there is no slot.
    pub fn try_slot(self: &Arc<Self>, caller: KeyHash, tried: &[usize]) -> Result<Slot, NoSlot> {
        let now = Instant::now();
        let mut left: Vec<usize> = (0..self.targets.len())
            .filter(|index| !tried.contains(index))
            .collect();
        let mut reason = NoSlot::Tried;
        while !left.is_empty() {
            let index = left.remove(self.next_target(&left));
            let target = &self.targets[index];
            // The permit comes first: a call that the breaker admits must be made.
            let Some(permit) = target.try_permit() else {
                reason = NoSlot::Busy;
                continue;
            };
            match target.breaker.admit(now, caller) {
                Ok(admitted) => return Ok(self.slot_of(index, caller, admitted, permit)),
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

    fn slot_of(
        self: &Arc<Self>,
        index: usize,
        caller: KeyHash,
        admitted: Admitted,
        permit: Option<Permit>,
    ) -> Slot {
        Slot {
            pool: Arc::clone(self),
            index,
            caller,
            admitted,
            _permit: permit,
        }
    }

    /// The position in `left` that is next, by weight.
    fn next_target(&self, left: &[usize]) -> usize {
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

    /// A slot of an upstream, after a wait if necessary.
    ///
    /// # Errors
    ///
    /// Why there is no slot.
    pub async fn slot(self: &Arc<Self>, caller: KeyHash) -> Result<Slot, NoSlot> {
        match self.try_slot(caller, &[]) {
            Err(NoSlot::Busy) => {}
            outcome => return outcome,
        }
        let Some(_place) = Waiting::enter(self) else {
            return Err(NoSlot::Busy);
        };
        let deadline = Instant::now() + self.queue_timeout;
        let indexes = 0..self.targets.len();
        let slots = indexes.map(|index| Box::pin(self.slot_at(index, caller, deadline)));
        match tokio::time::timeout_at(deadline.into(), select_ok(slots)).await {
            Ok(Ok((slot, _others))) => Ok(slot),
            Ok(Err(none)) => Err(none),
            Err(_elapsed) => Err(NoSlot::Busy),
        }
    }

    /// A slot of one upstream: after its circuit admits calls, in its queue. Each round waits for
    /// time to pass or for a permit, so it never spins.
    ///
    /// # Errors
    ///
    /// The circuit stays open beyond the deadline.
    async fn slot_at(
        self: &Arc<Self>,
        index: usize,
        caller: KeyHash,
        deadline: Instant,
    ) -> Result<Slot, NoSlot> {
        let target = &self.targets[index];
        loop {
            let ready = target.breaker.ready(caller, deadline).await;
            ready.map_err(NoSlot::Broken)?;
            let permit = target.permit().await;
            if let Ok(admitted) = target.breaker.admit(Instant::now(), caller) {
                return Ok(self.slot_of(index, caller, admitted, permit));
            }
        }
    }

    /// The number of calls that wait.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }
}

impl Slot {
    /// The upstream.
    pub fn target(&self) -> &Target {
        &self.pool.targets[self.index]
    }

    /// Its index in the pool.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Whether the call's outcome decides whether the upstream is called again.
    pub fn is_trial(&self) -> bool {
        self.admitted == Admitted::Trial
    }

    /// Reports to the upstream's breaker that the upstream responded.
    pub fn succeeded(&mut self) {
        let admitted = std::mem::replace(&mut self.admitted, Admitted::Ordinary);
        let breaker = &self.target().breaker;
        breaker.succeeded(Instant::now(), self.caller, admitted);
    }

    /// Reports to the upstream's breaker that the call failed. Returns whether this opened the
    /// circuit, or kept it open.
    pub fn failed(&mut self) -> bool {
        let admitted = std::mem::replace(&mut self.admitted, Admitted::Ordinary);
        let breaker = &self.target().breaker;
        breaker.failed(Instant::now(), self.caller, admitted)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        if self.admitted == Admitted::Trial {
            self.target().breaker.gave_up(Instant::now(), self.caller);
        }
    }
}

/// A place in the queue.
struct Waiting<'a>(&'a Pool);

impl<'a> Waiting<'a> {
    fn enter(pool: &'a Pool) -> Option<Self> {
        let one_more = |count| (count < pool.queue).then_some(count + 1);
        let entered = pool
            .waiting
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, one_more);
        // Created lazily, because dropping a place leaves the queue.
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

    const CALLER: KeyHash = 1;

    fn pool(targets: &[(u32, usize)], queue: usize) -> Arc<Pool> {
        patient(targets, queue, Duration::from_secs(20))
    }

    fn patient(targets: &[(u32, usize)], queue: usize, patience: Duration) -> Arc<Pool> {
        let target = |(weight, max_concurrent): &(u32, usize)| Target {
            weight: *weight,
            ..Target::new("t".into(), Uri::from_static("/"), None)
                .with_max_concurrent(*max_concurrent)
        };
        let targets = targets.iter().map(target).collect();
        Arc::new(Pool::new(targets, queue, patience, 0))
    }

    #[test]
    fn calls_are_shared_out_by_weight() {
        let pool = pool(&[(3, 9), (1, 9)], 0);
        let turns = (0..8).map(|_| pool.try_slot(CALLER, &[]).map(|slot| slot.index()));
        let second = turns.filter(|index| *index == Ok(1)).count();
        assert_eq!(second, 2);
    }

    #[test]
    fn an_upstream_that_is_full_tried_or_failing_is_skipped() {
        let pool = pool(&[(1, 1), (1, 1)], 0);
        let one = pool.try_slot(CALLER, &[]).expect("room");
        let two = pool.try_slot(CALLER, &[]).expect("room");
        assert_ne!(one.index(), two.index());
        assert_eq!(pool.try_slot(CALLER, &[]).err(), Some(NoSlot::Busy));
        drop((one, two));
        let slot = pool.try_slot(CALLER, &[0]).expect("room");
        assert_eq!(slot.index(), 1);
        drop(slot);
        assert_eq!(pool.try_slot(CALLER, &[0, 1]).err(), Some(NoSlot::Tried));
        for _ in 0..5 {
            pool.targets[1]
                .breaker
                .failed(Instant::now(), CALLER, Admitted::Ordinary);
        }
        for _ in 0..4 {
            assert_eq!(pool.try_slot(CALLER, &[]).map(|slot| slot.index()), Ok(0));
        }
        assert!(matches!(
            pool.try_slot(CALLER, &[0]),
            Err(NoSlot::Broken(_))
        ));
    }

    #[tokio::test]
    async fn a_queue_is_served_when_a_call_ends_and_refuses_when_it_is_full() {
        let pool = pool(&[(1, 1)], 1);
        let first = pool.slot(CALLER).await.expect("room");
        let waiting = tokio::spawn({
            let pool = Arc::clone(&pool);
            async move { pool.slot(CALLER).await.map(|slot| slot.index()) }
        });
        while pool.waiting() == 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(pool.slot(CALLER).await.err(), Some(NoSlot::Busy));
        assert_eq!(pool.waiting(), 1);
        drop(first);
        assert_eq!(waiting.await.expect("no panic"), Ok(0));
        assert_eq!(pool.waiting(), 0);
    }

    #[tokio::test]
    async fn a_call_waits_no_longer_than_the_queue_timeout() {
        let pool = patient(&[(1, 1)], 1, Duration::from_millis(50));
        let _first = pool.slot(CALLER).await.expect("room");
        assert_eq!(pool.slot(CALLER).await.err(), Some(NoSlot::Busy));
        assert_eq!(pool.waiting(), 0);
    }

    /// The number of times that the future was polled, the number of wake-ups, and its output.
    struct Watched<F: Future> {
        future: std::pin::Pin<Box<F>>,
        woken: Arc<Wakes>,
        polls: usize,
        output: Option<F::Output>,
    }

    #[derive(Default)]
    struct Wakes(AtomicUsize);

    impl std::task::Wake for Wakes {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    impl<F: Future> Watched<F> {
        fn new(future: F) -> Self {
            let mut watched = Watched {
                future: Box::pin(future),
                woken: Arc::default(),
                polls: 0,
                output: None,
            };
            watched.poll();
            watched
        }

        fn poll(&mut self) {
            self.polls += 1;
            let waker = Arc::clone(&self.woken).into();
            let mut context = std::task::Context::from_waker(&waker);
            if let std::task::Poll::Ready(output) = self.future.as_mut().poll(&mut context) {
                self.output = Some(output);
            }
        }

        /// Polls it as a runtime does: as long as it wakes itself.
        fn run(&mut self) {
            while self.output.is_none() && self.woken.0.swap(0, Ordering::SeqCst) > 0 {
                assert!(self.polls < 100, "the waiting call wakes itself for ever");
                self.poll();
            }
        }
    }

    /// An ordinary outage: one of two upstreams is down, the other at its limit, and calls wait.
    /// The test counts polls and does not wait for time to pass: the circuit opens in an hour, and
    /// calls wait for two. A call that spins would never return from its first poll, so another
    /// thread has to notice it.
    #[test]
    fn waiting_calls_are_polled_at_most_twice_for_each_release() {
        let (done, outcome) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_time()
                .build()
                .expect("a runtime");
            let _context = runtime.enter();
            let hour = Duration::from_secs(3600);
            let pool = patient(&[(1, 1), (1, 1)], 20, hour * 2);
            for _ in 0..5 {
                let later = Instant::now() + hour;
                pool.targets[1]
                    .breaker
                    .failed(later, CALLER, Admitted::Ordinary);
            }
            let mut held = pool.try_slot(CALLER, &[]).expect("a slot");
            let mut waiting: Vec<_> = (0..20).map(|_| Watched::new(pool.slot(CALLER))).collect();
            assert_eq!(pool.waiting(), 20);
            for next in 0..20 {
                drop(held);
                assert_eq!(
                    pool.try_slot(CALLER, &[]).err(),
                    Some(NoSlot::Busy),
                    "a new call overtook the waiting ones"
                );
                waiting.iter_mut().for_each(Watched::run);
                let slot = waiting[next].output.take();
                held = slot.expect("the first in the queue").expect("a slot");
                assert_eq!(held.index(), 0);
                assert!(waiting[next + 1..].iter().all(|one| one.output.is_none()));
            }
            assert!(waiting.iter().all(|one| one.polls <= 3), "too many polls");
            let _ = done.send(());
        });
        let outcome = outcome.recv_timeout(Duration::from_secs(60));
        assert_eq!(outcome, Ok(()), "a waiting call spins, or the test failed");
    }

    #[tokio::test]
    async fn a_waiting_call_takes_the_upstream_that_recovers() {
        let pool = pool(&[(1, 1), (1, 1)], 1);
        let broken = &pool.targets[1].breaker;
        let now = Instant::now();
        for _ in 0..5 {
            broken.failed(now, CALLER, Admitted::Ordinary);
        }
        let _held = pool.slot(CALLER).await.expect("room");
        let mut waiting = Box::pin(pool.slot(CALLER));
        assert!(futures::poll!(&mut waiting).is_pending());
        broken.succeeded(now, CALLER, Admitted::Trial);
        assert_eq!(waiting.await.map(|slot| slot.index()), Ok(1));
    }

    #[tokio::test]
    async fn a_call_that_leaves_the_queue_gives_its_turn_to_the_next() {
        let pool = pool(&[(1, 1)], 2);
        let held = pool.slot(CALLER).await.expect("room");
        let mut first = Box::pin(pool.slot(CALLER));
        assert!(futures::poll!(&mut first).is_pending());
        let mut second = Box::pin(pool.slot(CALLER));
        assert!(futures::poll!(&mut second).is_pending());
        drop(held);
        drop(first);
        assert_eq!(second.await.map(|slot| slot.index()), Ok(0));
        assert_eq!(pool.waiting(), 0);
    }
}
