//! Jobs that wait for the threads of a database.
//!
//! Of the waiting threads, the one that began to wait last gets the job. The data that its
//! connection has read lately is still cached, here and in the database, which makes lists cheap on
//! PostgreSQL. No other thread wakes up. A channel of `flume` or tokio would save the
//! queue, but gives jobs to the thread that has waited longest.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::StoreError;
use super::job::Job;

/// The number of waiting jobs at which callers block.
const CAPACITY: usize = 1024;

type BoxedJob = Box<dyn Job>;

/// The load of a queue and its threads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Load {
    /// The number of jobs that wait.
    pub waiting: usize,
    /// The longest waiting time of one of them.
    pub age: Duration,
    /// The number of threads that run a job, each with a connection of its own.
    pub busy: usize,
    /// How often a transaction has run again since the start, after a conflict or a lost connection.
    pub repeats: u64,
}

/// The sending end. Threads end when it was dropped and all jobs are done.
pub(super) struct Queue(Arc<Shared>);

/// The receiving end, one for each thread.
#[derive(Clone)]
pub(super) struct JobReceiver(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    /// A permit for each further job that may wait.
    room: Arc<Semaphore>,
    /// The number of receiving threads.
    threads: usize,
    repeats: AtomicU64,
}

#[derive(Default)]
struct State {
    /// The jobs that wait for a thread, in their order.
    jobs: VecDeque<Waiting>,
    /// The threads that wait for a job, in the order in which they began.
    idle: Vec<oneshot::Sender<BoxedJob>>,
    /// Whether the sending end was dropped.
    closed: bool,
}

/// A job that no thread has taken.
struct Waiting {
    since: Instant,
    job: BoxedJob,
    /// Returned when a thread takes the job. A job that runs again needs none.
    _permit: Option<OwnedSemaphorePermit>,
}

/// A queue and its other end, of which this many threads have a clone.
pub(super) fn queue(threads: usize) -> (Queue, JobReceiver) {
    let shared = Arc::new(Shared {
        state: Mutex::default(),
        room: Arc::new(Semaphore::new(CAPACITY)),
        threads,
        repeats: AtomicU64::default(),
    });
    (Queue(Arc::clone(&shared)), JobReceiver(shared))
}

impl Queue {
    /// Adds a job as soon as there is room for it.
    pub(super) async fn put(&self, job: BoxedJob) -> Result<(), StoreError> {
        let since = Instant::now();
        let room = Arc::clone(&self.0.room).acquire_owned().await;
        let room = room.map_err(|_| StoreError::Closed)?;
        let mut state = self.0.lock();
        if let Some(job) = state.hand(job) {
            state.jobs.push_back(Waiting {
                since,
                job,
                _permit: Some(room),
            });
        }
        Ok(())
    }

    /// Adds a job that runs again, before the others: it has waited before.
    pub(super) fn put_again(&self, job: BoxedJob) {
        let mut state = self.0.lock();
        if let Some(job) = state.hand(job) {
            state.jobs.push_front(Waiting {
                since: Instant::now(),
                job,
                _permit: None,
            });
        }
    }

    /// The jobs that no thread has taken, and the threads that have one.
    pub(super) fn load(&self) -> Load {
        let state = self.0.lock();
        let first = state.jobs.iter().map(|waiting| waiting.since).min();
        Load {
            waiting: state.jobs.len(),
            age: first.map_or(Duration::ZERO, |since| since.elapsed()),
            busy: self.0.threads.saturating_sub(state.idle.len()),
            repeats: self.0.repeats.load(Ordering::Relaxed),
        }
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.closed = true;
        state.idle.clear();
    }
}

impl JobReceiver {
    /// The next job whose caller still waits; blocks until there is one. `None` once the queue has
    /// closed.
    pub(super) fn next(&self) -> Option<BoxedJob> {
        loop {
            let mut state = self.0.lock();
            let job = match state.take() {
                Some(job) => job,
                None if state.closed => return None,
                None => {
                    let (hand, handed) = oneshot::channel();
                    state.idle.push(hand);
                    drop(state);
                    handed.blocking_recv().ok()?
                }
            };
            if !job.is_abandoned() {
                return Some(job);
            }
        }
    }

    /// The next job as [`Self::next`] returns it, and others that wait: `most` jobs at most.
    pub(super) fn next_few(&self, most: usize) -> Option<Vec<BoxedJob>> {
        let mut few = vec![self.next()?];
        let mut state = self.0.lock();
        while few.len() < most
            && let Some(job) = state.take()
        {
            if !job.is_abandoned() {
                few.push(job);
            }
        }
        Some(few)
    }

    /// Fails the jobs that have waited for `limit` or longer, while the database is unreachable. Each run of
    /// a job takes a thread for the time of an attempt to connect, so most jobs would wait for minutes.
    pub(super) fn fail_waiting(&self, limit: Duration, error: &StoreError) {
        let has_waited = |waiting: &Waiting| waiting.since.elapsed() >= limit;
        let mut state = self.0.lock();
        let jobs = std::mem::take(&mut state.jobs).into_iter();
        let (failed, others): (VecDeque<_>, VecDeque<_>) = jobs.partition(has_waited);
        state.jobs = others;
        drop(state);
        for Waiting { mut job, .. } in failed {
            job.fail(error.clone());
            job.finish();
        }
    }

    /// Counts a transaction that runs again.
    pub(super) fn count_repeat(&self) {
        self.0.repeats.fetch_add(1, Ordering::Relaxed);
    }
}

impl State {
    /// Gives a job to the thread that began to wait last. Returns the job if no thread waits.
    fn hand(&mut self, mut job: BoxedJob) -> Option<BoxedJob> {
        while let Some(idle) = self.idle.pop() {
            match idle.send(job) {
                Ok(()) => return None,
                // The thread has died.
                Err(refused) => job = refused,
            }
        }
        Some(job)
    }

    fn take(&mut self) -> Option<BoxedJob> {
        Some(self.jobs.pop_front()?.job)
    }
}

impl Shared {
    /// No panic happens while the lock is held, and a panic would not break the data.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts a named thread of the store.
pub(super) fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> Result<(), StoreError> {
    std::thread::Builder::new()
        .name(name.to_owned())
        .stack_size(1 << 20)
        .spawn(body)
        .map(drop)
        .map_err(|error| StoreError::Unavailable(error.to_string()))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;
    use crate::store::job::{Access, TxOutcome};
    use crate::store::tx::Connection;

    /// A job that sends its number when it is done.
    struct Numbered {
        number: usize,
        done: mpsc::Sender<usize>,
        abandoned: bool,
    }

    impl Job for Numbered {
        fn access(&self) -> Access {
            Access::ReadOne
        }

        fn is_abandoned(&self) -> bool {
            self.abandoned
        }

        fn run(&mut self, _: &mut dyn Connection) -> TxOutcome {
            TxOutcome::Commit
        }

        fn fail(&mut self, _: StoreError) {}

        fn repeat(self: Box<Self>, _: StoreError, _: Instant) {}

        fn finish(self: Box<Self>) {
            self.done.send(self.number).expect("a listener");
        }
    }

    fn job(number: usize, done: &mpsc::Sender<usize>) -> BoxedJob {
        Box::new(Numbered {
            number,
            done: done.clone(),
            abandoned: false,
        })
    }

    /// Waits until this many threads wait for a job.
    fn until_idle(receiver: &JobReceiver, threads: usize) {
        while receiver.0.lock().idle.len() < threads {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[tokio::test]
    async fn the_thread_that_began_to_wait_last_gets_the_job() {
        let (queue, receiver) = queue(1);
        let (send, sent) = mpsc::channel();
        for thread in 0..3 {
            let (own, send) = (receiver.clone(), send.clone());
            std::thread::spawn(move || {
                while own.next().is_some() {
                    send.send(thread).expect("a listener");
                }
            });
            until_idle(&receiver, thread + 1);
        }
        let (done, _) = mpsc::channel();
        for _ in 0..5 {
            queue.put(job(0, &done)).await.expect("room");
            assert_eq!(sent.recv(), Ok(2));
            until_idle(&receiver, 3);
        }
    }

    #[tokio::test]
    async fn jobs_are_taken_in_order_and_to_the_last() {
        let (queue, receiver) = queue(1);
        let (done, finished) = mpsc::channel();
        for number in 0..5 {
            queue.put(job(number, &done)).await.expect("room");
        }
        let abandoned = Box::new(Numbered {
            number: 5,
            done: done.clone(),
            abandoned: true,
        });
        queue.put(abandoned).await.expect("room");
        queue.put(job(6, &done)).await.expect("room");
        drop(queue);
        let few = receiver.next_few(3).expect("jobs");
        few.into_iter().for_each(Job::finish);
        while let Some(job) = receiver.next() {
            job.finish();
        }
        drop((receiver, done));
        let finished: Vec<_> = finished.iter().collect();
        assert_eq!(finished, [0, 1, 2, 3, 4, 6]);
    }

    #[tokio::test]
    async fn a_job_that_runs_again_is_taken_first_and_needs_no_room() {
        let (queue, receiver) = queue(1);
        let (done, finished) = mpsc::channel();
        for number in 0..CAPACITY {
            queue.put(job(number, &done)).await.expect("room");
        }
        queue.put_again(job(CAPACITY, &done));
        for first in [CAPACITY, 0] {
            receiver.next().expect("a job").finish();
            assert_eq!(finished.recv(), Ok(first));
        }
        // Tokio makes a task wait that has used the semaphore this often, unless it has just waited.
        tokio::task::yield_now().await;
        let mut waiting = std::pin::pin!(queue.put(job(0, &done)));
        assert!(futures::poll!(&mut waiting).is_ready(), "room for one");
        let mut waiting = std::pin::pin!(queue.put(job(0, &done)));
        assert!(futures::poll!(&mut waiting).is_pending(), "no room for two");
    }

    #[tokio::test]
    async fn a_caller_without_room_waits_until_a_job_is_taken() {
        let (queue, receiver) = queue(1);
        let (done, _finished) = mpsc::channel();
        for number in 0..CAPACITY {
            queue.put(job(number, &done)).await.expect("room");
        }
        let mut waiting = std::pin::pin!(queue.put(job(CAPACITY, &done)));
        assert!(futures::poll!(&mut waiting).is_pending());
        assert!(receiver.next().is_some());
        waiting.await.expect("room");
    }

    #[tokio::test]
    async fn jobs_that_have_waited_for_long_fail_while_the_database_is_unreachable() {
        let (queue, receiver) = queue(1);
        let (done, finished) = mpsc::channel();
        for number in 0..CAPACITY {
            queue.put(job(number, &done)).await.expect("room");
        }
        let away = StoreError::Unavailable("away".into());
        receiver.fail_waiting(Duration::from_secs(600), &away);
        assert_eq!(queue.load().waiting, CAPACITY);
        receiver.fail_waiting(Duration::ZERO, &away);
        assert_eq!(queue.load().waiting, 0);
        assert_eq!(finished.try_iter().count(), CAPACITY);
        queue.put(job(0, &done)).await.expect("room for others");
    }

    #[tokio::test]
    async fn the_load_counts_jobs_that_wait_and_threads_that_do_not() {
        let (queue, receiver) = queue(2);
        let (done, _finished) = mpsc::channel();
        let empty = Load {
            busy: 2,
            ..Load::default()
        };
        assert_eq!(queue.load(), empty);
        for number in 0..3 {
            queue.put(job(number, &done)).await.expect("room");
        }
        std::thread::sleep(Duration::from_millis(2));
        let load = queue.load();
        assert_eq!(load.waiting, 3);
        assert!(load.age >= Duration::from_millis(2), "{load:?}");
        while queue.load().waiting > 0 {
            assert!(receiver.next().is_some());
        }
        assert_eq!(queue.load(), empty);
        receiver.count_repeat();
        std::thread::spawn({
            let receiver = receiver.clone();
            move || receiver.next()
        });
        until_idle(&receiver, 1);
        assert_eq!((queue.load().busy, queue.load().repeats), (1, 1));
    }

    #[tokio::test]
    async fn threads_that_wait_end_with_the_queue() {
        let (queue, receiver) = queue(1);
        let waiting = {
            let receiver = receiver.clone();
            std::thread::spawn(move || receiver.next().is_none())
        };
        until_idle(&receiver, 1);
        drop(queue);
        assert!(waiting.join().expect("no panic"));
    }
}
