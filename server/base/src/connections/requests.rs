//! The requests in progress, by connection.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use dropforge_runtime::UnreadStreams;
use foldhash::HashMap;

use crate::kernel::lock;

/// The shard of a connection is chosen by its port.
const SHARDS: usize = 16;

/// The requests of each connection.
#[derive(Debug, Default)]
pub struct Connections {
    shards: [Mutex<HashMap<SocketAddr, Entry>>; SHARDS],
}

/// One connection.
#[derive(Debug)]
struct Entry {
    in_progress: usize,
    last: Instant,
    streams: Arc<UnreadStreams>,
}

/// The requests of one connection at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Requests {
    pub(super) in_progress: usize,
    /// When the last request finished, or the first one began.
    pub(super) last: Instant,
    /// Since when all of them are streams that their caller does not read.
    pub(super) unread_since: Option<Instant>,
}

/// A request in progress until this value is dropped. A clone counts as another
/// request.
#[derive(Debug)]
pub struct InProgress {
    connections: Arc<Connections>,
    peer: SocketAddr,
    streams: Arc<UnreadStreams>,
}

impl InProgress {
    /// The streams of its connection.
    pub fn streams(&self) -> &Arc<UnreadStreams> {
        &self.streams
    }
}

impl Entry {
    fn requests(&self) -> Requests {
        let (waiting, taken) = self.streams.waiting();
        let all_wait = self.in_progress > 0 && waiting >= self.in_progress;
        Requests {
            in_progress: self.in_progress,
            last: self.last,
            unread_since: all_wait.then_some(taken),
        }
    }
}

impl Connections {
    /// Records a request from this address until the value is dropped.
    pub fn begin(self: &Arc<Self>, peer: SocketAddr) -> InProgress {
        let mut shard = self.shard(peer);
        let entry = shard.entry(peer).or_insert_with(|| Entry {
            in_progress: 0,
            last: Instant::now(),
            streams: Arc::default(),
        });
        entry.in_progress += 1;
        let streams = Arc::clone(&entry.streams);
        drop(shard);
        InProgress {
            connections: Arc::clone(self),
            peer,
            streams,
        }
    }

    fn end(&self, peer: SocketAddr) {
        if let Some(requests) = self.shard(peer).get_mut(&peer) {
            requests.in_progress = requests.in_progress.saturating_sub(1);
            requests.last = Instant::now();
        }
    }

    /// The requests of a connection; `None` before its first.
    pub(super) fn of(&self, peer: SocketAddr) -> Option<Requests> {
        self.shard(peer).get(&peer).map(Entry::requests)
    }

    /// Removes the entries of closed connections without requests in progress.
    pub(super) fn retain(&self, is_open: impl Fn(&SocketAddr) -> bool) {
        for shard in &self.shards {
            lock(shard).retain(|peer, requests| requests.in_progress > 0 || is_open(peer));
        }
    }

    fn shard(&self, peer: SocketAddr) -> MutexGuard<'_, HashMap<SocketAddr, Entry>> {
        lock(&self.shards[usize::from(peer.port()) % SHARDS])
    }
}

impl Clone for InProgress {
    fn clone(&self) -> Self {
        self.connections.begin(self.peer)
    }
}

impl Drop for InProgress {
    fn drop(&mut self) {
        self.connections.end(self.peer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_in_progress_until_the_last_of_its_clones_is_dropped() {
        let connections = Arc::new(Connections::default());
        let peer = "127.0.0.1:1000".parse().unwrap();
        assert_eq!(connections.of(peer), None);
        let in_progress = || connections.of(peer).unwrap().in_progress;
        let first = connections.begin(peer);
        let second = first.clone();
        assert_eq!(in_progress(), 2);
        drop(first);
        assert_eq!(in_progress(), 1);
        connections.retain(|_| false);
        assert_eq!(in_progress(), 1);
        drop(second);
        assert_eq!(in_progress(), 0);
        connections.retain(|_| true);
        assert_eq!(in_progress(), 0);
        connections.retain(|_| false);
        assert_eq!(connections.of(peer), None);
    }
}
