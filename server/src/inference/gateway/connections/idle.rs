//! Connections that no call uses, until the next call takes one.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use http::Uri;

use super::link::{Link, Origin};

/// How long a connection is kept for the next call.
pub(super) const IDLE: Duration = Duration::from_secs(60);

/// Connections that no call uses, by the thread that used them last: what is kept of
/// them is at hand there, and threads seldom wait for each other.
pub(super) struct IdlePool(Box<[Shard]>);

/// Connections that no call uses, the one used last at the end. There are few origins:
/// comparing with each takes less time than hashing one.
#[derive(Default)]
struct Shard(Mutex<Vec<(Origin, Links)>>);

type Links = Vec<(Instant, Box<Link>)>;

impl IdlePool {
    pub(super) fn new() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        IdlePool((0..threads).map(|_| Shard::default()).collect())
    }

    /// The place of this thread's shard.
    fn place(&self) -> usize {
        static THREADS: AtomicUsize = AtomicUsize::new(0);
        thread_local! {
            static THREAD: usize = THREADS.fetch_add(1, Ordering::Relaxed);
        }
        THREAD.with(|thread| thread % self.0.len())
    }

    /// A connection to the server of this address, if one still stands.
    pub(super) fn take(&self, uri: &Uri) -> Option<Box<Link>> {
        let now = Instant::now();
        let (before, from_here) = self.0.split_at(self.place());
        let mut shards = from_here.iter().chain(before);
        shards.find_map(|shard| shard.take(uri, now))
    }

    /// Keeps a connection for the next call.
    pub(super) fn put(&self, link: Box<Link>) {
        self.0[self.place()].put(link);
    }

    /// Closes connections that were kept too long, or that have ended.
    pub(super) fn tidy(&self, now: Instant) {
        self.0.iter().for_each(|shard| shard.tidy(now));
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|shard| shard.lock().is_empty())
    }
}

impl Shard {
    fn take(&self, uri: &Uri, now: Instant) -> Option<Box<Link>> {
        loop {
            let (since, mut link) = links(&mut self.lock(), uri)?.pop()?;
            if now.saturating_duration_since(since) < IDLE && link.stands() {
                return Some(link);
            }
        }
    }

    fn put(&self, mut link: Box<Link>) {
        link.forget_task();
        let now = Instant::now();
        let mut all = self.lock();
        let links = all.iter_mut().find(|(origin, _)| *origin == link.origin);
        match links {
            Some((_, links)) => links.push((now, link)),
            None => all.push((link.origin.clone(), vec![(now, link)])),
        }
    }

    fn tidy(&self, now: Instant) {
        self.lock().retain_mut(|(_, links)| {
            links.retain_mut(|(since, link)| {
                now.saturating_duration_since(*since) < IDLE && link.stands()
            });
            !links.is_empty()
        });
    }

    /// No panic happens while the lock is held, but nothing would be broken.
    fn lock(&self) -> MutexGuard<'_, Vec<(Origin, Links)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn links<'a>(all: &'a mut [(Origin, Links)], uri: &Uri) -> Option<&'a mut Links> {
    let found = all.iter_mut().find(|(origin, _)| origin.is_of(uri));
    found.map(|(_, links)| links)
}
