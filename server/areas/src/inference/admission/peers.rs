//! The other replicas, and whether they are alive.

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use super::shares::Report;

/// The time without a new report after which a replica is treated as stopped.
const REPORT_TIMEOUT: Duration = Duration::from_secs(5);

/// The reports of replicas, with their numbers.
pub(super) type Reports = Vec<(String, i64, Report)>;

/// The last reports of this replica and of the others.
#[derive(Debug, Default)]
pub struct Peers {
    /// The number of this replica's last report.
    pub(super) number: i64,
    /// Whether this replica is stopping.
    pub(super) is_withdrawn: bool,
    /// The beginning of the last successful exchange.
    pub(super) exchanged_at: Option<Instant>,
    /// The number of each replica's last report, if there is one, and the time of its arrival.
    seen: HashMap<String, (Option<i64>, Instant)>,
}

impl Peers {
    /// Returns the other replicas that are alive, of the `running` ones and those with reports.
    pub(super) fn update(
        &mut self,
        own_id: &str,
        running: Vec<String>,
        reports: &Reports,
        now: Instant,
    ) -> BTreeSet<String> {
        let mut found: HashMap<_, _> = running.into_iter().map(|id| (id, None)).collect();
        let reports = reports.iter();
        found.extend(reports.map(|(id, number, _)| (id.clone(), Some(*number))));
        found.remove(own_id);
        self.seen.retain(|id, _| found.contains_key(id));
        // A replica that cannot exchange reports does not know whether others can.
        let is_recent = |at: Instant| now.saturating_duration_since(at) < REPORT_TIMEOUT;
        if !self.exchanged_at.is_some_and(is_recent) {
            self.seen.values_mut().for_each(|seen| seen.1 = now);
        }
        let alive = found.into_iter().filter_map(|(id, number)| {
            let seen = self.seen.entry(id.clone()).or_insert((number, now));
            if seen.0 != number {
                *seen = (number, now);
            }
            is_recent(seen.1).then_some(id)
        });
        alive.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inference::admission::shares::Shares;

    #[test]
    fn a_replica_without_new_reports_is_treated_as_stopped() {
        let mut peers = Peers::default();
        let start = Instant::now();
        let mut update = |seconds, reports: &[(&str, i64)]| {
            // The last exchange is a second ago.
            peers.exchanged_at =
                Some(start + Duration::from_secs(seconds) - Duration::from_secs(1));
            let running = vec!["a".to_owned(), "b".to_owned()];
            let report = |(id, number): &(&str, i64)| {
                ((*id).to_owned(), *number, Shares::default().report())
            };
            let reports = reports.iter().map(report).collect();
            let alive = peers.update("a", running, &reports, start + Duration::from_secs(seconds));
            alive.into_iter().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(update(0, &[("a", 1), ("c", 7)]), "b c");
        assert_eq!(update(4, &[("a", 2), ("b", 1), ("c", 7)]), "b c");
        assert_eq!(update(6, &[("a", 3), ("b", 1), ("c", 7)]), "b");
        assert_eq!(update(10, &[("a", 4), ("b", 2), ("c", 8)]), "b c");
    }

    #[test]
    fn without_exchanges_no_replica_is_treated_as_stopped() {
        let mut peers = Peers::default();
        let start = Instant::now();
        let reports = vec![("b".to_owned(), 1, Shares::default().report())];
        for seconds in [0, 4, 8, 60] {
            let now = start + Duration::from_secs(seconds);
            let others = peers.update("a", vec![], &reports, now);
            assert!(others.contains("b"), "{seconds}");
        }
        // From the first exchange on, others have their whole time.
        let at = |seconds| start + Duration::from_secs(seconds);
        for (seconds, is_alive) in [(61, true), (64, true), (66, false)] {
            peers.exchanged_at = Some(at(seconds - 1));
            let others = peers.update("a", vec![], &reports, at(seconds));
            assert_eq!(others.contains("b"), is_alive, "{seconds}");
        }
    }
}
