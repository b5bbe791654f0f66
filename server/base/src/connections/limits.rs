//! Decides which connections to close, and why.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use super::descriptors::usable;
use super::requests::Requests;
use crate::kernel::proxies::network;

/// The limits of connections.
#[derive(Debug, Clone)]
pub(super) struct Limits {
    /// Time from the beginning of a connection to the end of its first request's head.
    pub(super) head: Duration,
    /// Time between two requests.
    pub(super) idle: Duration,
    /// How long a caller may leave all responses in progress unread.
    pub(super) unread: Duration,
    /// Maximum number of connections from one address; 0 for no limit.
    pub(super) per_address: usize,
    /// Maximum number of open descriptors.
    pub(super) descriptors: Option<usize>,
}

/// A connection as a sweep found it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    pub(super) peer: SocketAddr,
    /// When a sweep first found it.
    pub(super) since: Instant,
    /// Its requests; `None` before the first.
    pub(super) requests: Option<Requests>,
    /// Whether the peer has not acknowledged all written bytes.
    pub(super) has_unsent: bool,
}

/// Why a connection is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Reason {
    /// Its first request did not arrive in time.
    Head,
    /// It had no request for too long.
    Idle,
    /// Its caller read none of its streams for too long.
    Unread,
    /// Its address has too many connections.
    Address,
    /// The process is near its limit of descriptors.
    Descriptors,
}

impl Reason {
    /// The name of the reason in metrics.
    pub(super) fn name(self) -> &'static str {
        match self {
            Reason::Head => "head",
            Reason::Idle => "idle",
            Reason::Unread => "unread",
            Reason::Address => "address",
            Reason::Descriptors => "descriptors",
        }
    }
}

impl Seen {
    fn is_busy(&self) -> bool {
        self.requests
            .is_some_and(|requests| requests.in_progress > 0)
    }

    /// The time of the last activity.
    fn last(&self) -> Instant {
        self.requests.map_or(self.since, |requests| requests.last)
    }

    /// Why the connection has expired, if it has. A connection with a request in progress
    /// does not expire, unless its caller does not read the response. While bytes are
    /// unacknowledged, the operating system ends the connection of an unresponsive peer.
    fn expired(&self, now: Instant, limits: &Limits) -> Option<Reason> {
        let passed = now.saturating_duration_since(self.last());
        match self.requests {
            None => (passed >= limits.head).then_some(Reason::Head),
            Some(_) if self.has_unsent => None,
            Some(requests) if self.is_busy() => {
                let since = requests.unread_since?;
                let unread = now.saturating_duration_since(since);
                (unread >= limits.unread).then_some(Reason::Unread)
            }
            Some(_) => (passed >= limits.idle).then_some(Reason::Idle),
        }
    }
}

impl Limits {
    /// The number of open descriptors in the reserve.
    fn excess(&self, open: usize) -> usize {
        let usable = self.descriptors.map(usable);
        usable.map_or(0, |usable| open.saturating_sub(usable))
    }
}

/// The connections to close, by their indices. `open` is the number of open descriptors
/// of the process. `is_exempt` decides for which addresses the number of connections is
/// not limited.
pub(super) fn to_close(
    now: Instant,
    limits: &Limits,
    connections: &[Seen],
    open: usize,
    is_exempt: impl Fn(IpAddr) -> bool,
) -> BTreeMap<usize, Reason> {
    let mut ending: BTreeMap<usize, Reason> = connections
        .iter()
        .enumerate()
        .filter_map(|(index, seen)| Some((index, seen.expired(now, limits)?)))
        .collect();

    if limits.per_address > 0 {
        let mut addresses: HashMap<IpAddr, Vec<usize>> = HashMap::new();
        for (index, seen) in connections.iter().enumerate() {
            let address = seen.peer.ip();
            if !ending.contains_key(&index) && !is_exempt(address) {
                addresses.entry(network(address)).or_default().push(index);
            }
        }
        for mut indices in addresses.into_values() {
            let excess = indices.len().saturating_sub(limits.per_address);
            // The newest connections are closed first, and before them those without a
            // request.
            indices.sort_by_key(|index| {
                let seen = &connections[*index];
                (seen.is_busy(), Reverse(seen.since))
            });
            let excess = indices.into_iter().take(excess);
            ending.extend(excess.map(|index| (index, Reason::Address)));
        }
    }

    let excess = limits.excess(open).saturating_sub(ending.len());
    let mut idle: Vec<usize> = (0..connections.len())
        .filter(|index| !ending.contains_key(index) && !connections[*index].is_busy())
        .collect();
    if excess < idle.len() {
        idle.sort_by_key(|index| connections[*index].last());
    }
    let oldest = idle.into_iter().take(excess);
    ending.extend(oldest.map(|index| (index, Reason::Descriptors)));
    ending
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        head: Duration::from_secs(30),
        idle: Duration::from_secs(20),
        unread: Duration::from_secs(60),
        per_address: 3,
        descriptors: None,
    };

    /// A connection of this age in seconds, and the age of its last request.
    fn seen(now: Instant, peer: &str, age: u64, requests: Option<(usize, u64)>) -> Seen {
        let ago = |seconds| now - Duration::from_secs(seconds);
        Seen {
            peer: peer.parse().unwrap(),
            since: ago(age),
            requests: requests.map(|(in_progress, last)| Requests {
                in_progress,
                last: ago(last),
                unread_since: None,
            }),
            has_unsent: false,
        }
    }

    /// A time in the future, because the clock may have started with the machine.
    fn now() -> Instant {
        Instant::now() + Duration::from_secs(1000)
    }

    fn ending(limits: &Limits, now: Instant, all: &[Seen], open: usize) -> Vec<(usize, Reason)> {
        let ending = to_close(now, limits, all, open, |_| false);
        ending.into_iter().collect()
    }

    #[test]
    fn a_connection_without_a_request_ends_and_one_with_a_request_in_progress_does_not() {
        let now = now();
        let mut sending = seen(now, "10.0.0.6:1", 500, Some((0, 400)));
        sending.has_unsent = true;
        let all = [
            seen(now, "10.0.0.1:1", 29, None),
            seen(now, "10.0.0.2:1", 30, None),
            seen(now, "10.0.0.3:1", 500, Some((1, 500))),
            seen(now, "10.0.0.4:1", 500, Some((0, 19))),
            seen(now, "10.0.0.5:1", 500, Some((0, 20))),
            sending,
        ];
        let expected = [(1, Reason::Head), (4, Reason::Idle)];
        assert_eq!(ending(&LIMITS, now, &all, 100), expected);
    }

    #[test]
    fn a_connection_ends_when_all_its_streams_are_unread_for_long() {
        let now = now();
        let unread = |peer, seconds: u64, has_unsent| {
            let mut seen = seen(now, peer, 500, Some((2, 500)));
            let since = now - Duration::from_secs(seconds);
            seen.requests.as_mut().unwrap().unread_since = Some(since);
            seen.has_unsent = has_unsent;
            seen
        };
        let all = [
            unread("10.0.0.1:1", 59, false),
            unread("10.0.0.2:1", 60, false),
            unread("10.0.0.3:1", 60, true),
        ];
        assert_eq!(ending(&LIMITS, now, &all, 100), [(1, Reason::Unread)]);
    }

    #[test]
    fn the_number_of_connections_of_an_address_or_an_ipv6_network_is_limited() {
        let now = now();
        let all = [
            seen(now, "10.0.0.1:1", 9, None),
            seen(now, "10.0.0.1:2", 8, None),
            seen(now, "10.0.0.1:3", 1, Some((1, 1))),
            seen(now, "10.0.0.1:4", 2, None),
            seen(now, "[2001:db8::1]:1", 4, None),
            seen(now, "[2001:db8::2]:1", 3, None),
            seen(now, "[2001:db8::3]:1", 2, None),
            seen(now, "[2001:db8::4]:1", 1, None),
            seen(now, "[2001:db8:0:1::4]:1", 1, None),
        ];
        let expected = [(3, Reason::Address), (7, Reason::Address)];
        assert_eq!(ending(&LIMITS, now, &all, 100), expected);
        let none = to_close(now, &LIMITS, &all, 100, |_| true);
        assert!(none.is_empty(), "a trusted proxy has any number");
        let unlimited = Limits {
            per_address: 0,
            ..LIMITS
        };
        assert!(ending(&unlimited, now, &all, 100).is_empty());
    }

    #[test]
    fn near_the_limit_of_descriptors_the_oldest_idle_connections_end() {
        let now = now();
        let limits = Limits {
            per_address: 0,
            descriptors: Some(256),
            ..LIMITS
        };
        let all = [
            seen(now, "10.0.0.1:1", 20, Some((1, 20))),
            seen(now, "10.0.0.1:2", 9, None),
            seen(now, "10.0.0.1:3", 15, Some((0, 3))),
            seen(now, "10.0.0.1:4", 12, None),
        ];
        assert!(ending(&limits, now, &all, 224).is_empty());
        let expected = [(1, Reason::Descriptors), (3, Reason::Descriptors)];
        assert_eq!(ending(&limits, now, &all, 226), expected);
        assert_eq!(ending(&limits, now, &all, 256).len(), 3);
    }
}
