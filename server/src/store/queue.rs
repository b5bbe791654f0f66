//! Jobs that wait for the threads of a database.
//!
//! Of the threads that wait for a job, the one that began to wait last gets it: what
//! its connection has read lately is still at hand, here and at the database. Nobody
//! else is woken.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Semaphore, oneshot};

use super::StoreError;
use super::job::Job;

/// Jobs that may wait before callers have to.
const ROOM: usize = 1024;

type Handed = Box<dyn Job>;

/// Where jobs are put. When it is gone, and all that was put there is done, its
/// threads end.
pub(super) struct Queue(Arc<Shared>);

/// Where a thread gets them.
#[derive(Clone)]
pub(super) struct Crew(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    room: Semaphore,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Handed>,
    idle: Vec<oneshot::Sender<Handed>>,
    closed: bool,
}

/// A queue and its other end.
pub(super) fn queue() -> (Queue, Crew) {
    let shared = Arc::new(Shared {
        state: Mutex::default(),
        room: Semaphore::new(ROOM),
    });
    (Queue(Arc::clone(&shared)), Crew(shared))
}

impl Queue {
    /// Puts a job in, once there is room for it.
    pub(super) async fn put(&self, mut job: Handed) -> Result<(), StoreError> {
        let room = self.0.room.acquire().await;
        let room = room.map_err(|_| StoreError::Closed)?;
        let mut state = self.0.lock();
        while let Some(idle) = state.idle.pop() {
            match idle.send(job) {
                Ok(()) => return Ok(()),
                // A thread that has died.
                Err(refused) => job = refused,
            }
        }
        state.jobs.push_back(job);
        // Given back when the job is taken.
        room.forget();
        Ok(())
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.closed = true;
        state.idle.clear();
    }
}

impl Crew {
    /// The next job that somebody waits for; blocks until there is one. None when
    /// there will be no more.
    pub(super) fn next(&self) -> Option<Handed> {
        loop {
            let mut state = self.0.lock();
            let job = match self.0.take(&mut state) {
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

    /// The same for so many at most: those that wait together.
    pub(super) fn next_few(&self, most: usize) -> Option<Vec<Handed>> {
        let mut few = vec![self.next()?];
        let mut state = self.0.lock();
        while few.len() < most
            && let Some(job) = self.0.take(&mut state)
        {
            if !job.is_abandoned() {
                few.push(job);
            }
        }
        Some(few)
    }
}

impl Shared {
    fn take(&self, state: &mut State) -> Option<Handed> {
        let job = state.jobs.pop_front()?;
        self.room.add_permits(1);
        Some(job)
    }

    /// No panic happens while the lock is held, but nothing would be broken.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
