//! How replicas divide the limits of each key among themselves.
//!
//! Each replica reports what it claims of a key and what calls demand of it there. A share
//! follows demand, in two steps: a replica first gives up what another one lacks, and another
//! one claims only what the reports of all others leave. So the claims never add up to more than
//! the whole, however old the reports are that a replica has read. A key without a report is
//! divided evenly. This module only calculates; [`exchange`](super::exchange) transports reports.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use super::meter::Wanted;
use super::share::{EPSILON, Share};

/// Rounds without demand after which a key is divided evenly again: a minute, in which all
/// allowances are whole again.
const QUIET_ROUNDS: u32 = 120;

/// What calls demand of a share, and what a replica claims of it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Part {
    demand: f64,
    claim: f64,
}

/// A replica's report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Its claim on each key that is not among the following.
    others: f64,
    /// Rates and streams of each key.
    keys: BTreeMap<String, [Part; 2]>,
}

/// The shares of a replica.
#[derive(Debug, Clone, PartialEq)]
pub struct Shares {
    others: f64,
    keys: HashMap<String, Claims>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Claims {
    parts: [Part; 2],
    /// Rounds in which no replica had any demand.
    quiet: u32,
    /// The demand of the last round alone.
    last: [f64; 2],
}

impl Default for Shares {
    /// Those of a replica that is alone.
    fn default() -> Self {
        Shares {
            others: 1.0,
            keys: HashMap::new(),
        }
    }
}

impl Shares {
    /// The share of a key.
    pub fn of(&self, key_id: &str) -> Share {
        match self.keys.get(key_id) {
            None => Share::even(self.others),
            Some(Claims { parts, .. }) => Share {
                rate: parts[0].claim,
                streams: parts[1].claim,
            },
        }
    }

    /// Whether this replica is alone.
    pub fn are_whole(&self) -> bool {
        *self == Shares::default()
    }

    /// The keys whose shares differ, unless those of all others do, too.
    pub fn changed<'a>(&'a self, before: &'a Shares) -> Option<BTreeSet<&'a str>> {
        if (self.others - before.others).abs() > EPSILON {
            return None;
        }
        let keys = self.keys.keys().chain(before.keys.keys());
        let changed = keys.filter(|key| self.of(key) != before.of(key));
        Some(changed.map(String::as_str).collect())
    }

    /// What the other replicas have to know.
    pub fn report(&self) -> Report {
        let keys = self.keys.iter();
        Report {
            others: self.others,
            keys: keys.map(|(key, one)| (key.clone(), one.parts)).collect(),
        }
    }

    /// The shares after a round, in which the `others` have reported and calls have demanded
    /// what is `wanted`. `None` stands for a replica that has not reported yet.
    pub fn next(&self, others: &[Option<Report>], wanted: &HashMap<String, Wanted>) -> Shares {
        let even = 1.0 / (others.len() as f64 + 1.0);
        let reported = others.iter().flatten().flat_map(|one| one.keys.keys());
        let keys: BTreeSet<&String> = self
            .keys
            .keys()
            .chain(wanted.keys())
            .chain(reported)
            .collect();
        let claims = keys.into_iter().filter_map(|key| {
            let reports = others.iter().map(|one| match one {
                None => [Part::idle(even); 2],
                Some(one) => one
                    .keys
                    .get(key)
                    .copied()
                    .unwrap_or([Part::idle(one.others); 2]),
            });
            let reports: Vec<_> = reports.collect();
            let before = self.keys.get(key).copied().unwrap_or(Claims {
                parts: [Part::idle(self.others); 2],
                quiet: 0,
                last: [0.0; 2],
            });
            let claims = before.next(even, &reports, wanted.get(key).copied().unwrap_or_default());
            let is_even = |part: &Part| (part.claim - even).abs() < EPSILON;
            let is_over = claims.quiet >= QUIET_ROUNDS && claims.parts.iter().all(is_even);
            (!is_over).then(|| (key.clone(), claims))
        });
        Shares {
            keys: claims.collect(),
            others: even,
        }
    }
}

impl Claims {
    fn next(self, even: f64, reports: &[[Part; 2]], wanted: Wanted) -> Claims {
        let fresh = [wanted.rate, wanted.streams];
        let held = [wanted.held_budget, wanted.held_streams];
        // Half of the demand of the round before: a caller that waits is not gone.
        let demand = [0, 1].map(|one| f64::max(fresh[one], self.last[one] / 2.0));
        let of = |one: usize| reports.iter().map(move |report| report[one]);
        let totals = [0, 1].map(|one| demand[one] + of(one).map(|part| part.demand).sum::<f64>());
        let quiet = match totals == [0.0; 2] {
            true => self.quiet.saturating_add(1).min(QUIET_ROUNDS),
            false => 0,
        };
        let parts = [0, 1].map(|one| {
            let claim = self.parts[one].claim;
            let claimed: f64 = of(one).map(|part| part.claim).sum();
            let room = (1.0 - claimed).max(0.0);
            let excess = (claim - room).max(0.0);
            let desired = |demand: f64, claim: f64| match totals[one] > 0.0 {
                true => demand / totals[one],
                false if quiet >= QUIET_ROUNDS || excess > EPSILON => even,
                // Allowances are not whole yet: who has used them knows that.
                false => claim,
            };
            let mine = desired(demand[one], claim).max(held[one]);
            let lacking = of(one).map(|part| desired(part.demand, part.claim) - part.claim);
            let lacking: f64 = lacking.map(|lack| lack.max(0.0)).sum();
            let claim = match mine > claim {
                true => (mine.min(room)).max(claim - excess),
                false => mine.max(claim - lacking - excess),
            };
            Part {
                demand: demand[one],
                claim: claim.clamp(0.0, 1.0),
            }
        });
        Claims {
            parts,
            quiet,
            last: fresh,
        }
    }
}

impl Part {
    fn idle(claim: f64) -> Part {
        Part { demand: 0.0, claim }
    }
}
