//! Closes connections that are idle or too slow, and those beyond the limits on their number.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dropforge_runtime::{Accepted, Connection, Found};

use super::Connections;
use super::descriptors::Gauge;
use super::limits::{Limits, Reason, Seen, to_close};
use crate::kernel::{Kernel, Proxies};

/// Time between two sweeps over all connections.
const PAUSE: Duration = Duration::from_secs(1);
/// Time between two checks of the number of free descriptors. A burst of connections
/// could use all of them before the next sweep, and opening a file would fail.
const SHORT_PAUSE: Duration = Duration::from_millis(100);
/// Minimum time between two log lines about connections beyond the limits.
const QUIET: Duration = Duration::from_secs(60);

/// Closes connections of these listeners until the future is dropped. `descriptors` is the maximum of
/// open file descriptors of the process, if it is known.
pub async fn run(
    kernel: Arc<Kernel>,
    connections: Arc<Connections>,
    listeners: Vec<SocketAddr>,
    descriptors: Option<usize>,
) {
    let config = &kernel.config.server;
    let seconds = |seconds: u32| Duration::from_secs(seconds.into());
    let limits = Limits {
        head: seconds(config.head_seconds),
        idle: seconds(config.idle_seconds),
        unread: seconds(config.unread_seconds),
        per_address: config.connections_per_address as usize,
        descriptors,
    };
    let accepted = match Accepted::open() {
        Ok(accepted) => accepted,
        Err(error) => {
            tracing::error!(%error, "idle connections are not closed: cannot list descriptors");
            return;
        }
    };
    let mut reaper = Reaper {
        limits,
        listeners,
        accepted,
        connections,
        proxies: kernel.proxies.clone(),
        since: HashMap::new(),
    };
    let gauge = descriptors.and_then(Gauge::new);
    let mut logged_at: Option<Instant> = None;
    let mut swept_at = Instant::now();
    // The gauge also reports a connection with a high number after others have closed.
    let mut uses_gauge = true;
    loop {
        tokio::time::sleep(SHORT_PAUSE).await;
        let is_crowded = gauge.as_ref().is_some_and(Gauge::is_crowded);
        if swept_at.elapsed() < PAUSE && !(is_crowded && uses_gauge) {
            continue;
        }
        swept_at = Instant::now();
        // A sweep over thousands of connections takes some milliseconds.
        let swept = tokio::task::spawn_blocking(move || {
            let closed = reaper.sweep();
            (reaper, closed)
        });
        let Ok((back, outcome)) = swept.await else {
            tracing::error!("idle connections are no longer closed");
            return;
        };
        reaper = back;
        let sweep = outcome.unwrap_or_else(|error| {
            tracing::warn!(%error, "cannot find idle connections");
            Sweep::default()
        });
        uses_gauge = !is_crowded || sweep.closed.contains_key(&Reason::Descriptors);
        for (reason, count) in &sweep.closed {
            kernel.metrics.closed(reason.name(), *count);
        }
        let is_over_limit =
            |reason: &Reason| matches!(reason, Reason::Address | Reason::Descriptors);
        let is_quiet = logged_at.is_some_and(|logged_at| logged_at.elapsed() < QUIET);
        if sweep.closed.keys().any(is_over_limit) && !is_quiet {
            logged_at = Some(Instant::now());
            let count = |reason| sweep.closed.get(&reason).copied().unwrap_or_default();
            tracing::warn!(
                open = sweep.open,
                for_their_address = count(Reason::Address),
                for_descriptors = count(Reason::Descriptors),
                "closed connections: too many from one address, or too many altogether"
            );
        }
    }
}

struct Reaper {
    /// Proxies, whose connections carry the requests of many callers: their number is not
    /// limited.
    proxies: Proxies,
    limits: Limits,
    listeners: Vec<SocketAddr>,
    accepted: Accepted,
    connections: Arc<Connections>,
    /// The time of the first sweep that found each connection.
    since: HashMap<Connection, Instant>,
}

/// The result of one sweep.
#[derive(Default)]
struct Sweep {
    /// The number of open connections.
    open: usize,
    /// The numbers of closed connections by reason.
    closed: HashMap<Reason, u64>,
}

impl Reaper {
    /// Finds the open connections, and closes those that must end.
    fn sweep(&mut self) -> std::io::Result<Sweep> {
        let Found {
            connections,
            descriptors,
        } = self.accepted.find(&self.listeners)?;
        let now = Instant::now();
        self.since = connections
            .iter()
            .map(|one| (*one, self.since.get(one).copied().unwrap_or(now)))
            .collect();
        let seen: Vec<Seen> = connections
            .iter()
            .map(|connection| self.seen(now, connection))
            .collect();
        let closing = to_close(now, &self.limits, &seen, descriptors, |address| {
            self.proxies.trusts(address)
        });
        let mut sweep = Sweep {
            open: seen.len(),
            ..Sweep::default()
        };
        for (index, reason) in closing {
            let Seen { peer, requests, .. } = seen[index];
            // A request may have arrived in the meantime.
            let is_as_seen = self.connections.of(peer) == requests;
            if is_as_seen && matches!(connections[index].shut_down(), Ok(true)) {
                *sweep.closed.entry(reason).or_default() += 1;
            }
        }
        let open: std::collections::HashSet<_> = seen.iter().map(|seen| seen.peer).collect();
        self.connections.retain(|peer| open.contains(peer));
        Ok(sweep)
    }

    /// A connection with its requests, as the limits judge it.
    fn seen(&self, now: Instant, connection: &Connection) -> Seen {
        let requests = self.connections.of(connection.peer);
        let passed = |since, limit| now.saturating_duration_since(since) >= limit;
        let may_end = requests.is_some_and(|requests| match requests.unread_since {
            Some(since) => passed(since, self.limits.unread),
            None => requests.in_progress == 0 && passed(requests.last, self.limits.idle),
        });
        Seen {
            peer: connection.peer,
            since: self.since.get(connection).copied().unwrap_or(now),
            requests,
            has_unsent: may_end && connection.has_unsent(),
        }
    }
}
