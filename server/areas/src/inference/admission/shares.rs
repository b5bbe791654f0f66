//! Divides the limits of each key among replicas.
//!
//! Each replica reports its claim on a key and the demand of its calls. A share follows demand in
//! two steps: a replica first reduces its claim by the part that another one lacks. The other one
//! then claims only the part that the reports of all others leave. So the sum of the claims never
//! exceeds the whole, even if a replica has read old reports. The rest of a limit is divided
//! evenly, and so is a key without a report. A replica applies a reduced claim before it reports
//! it, and a raised one afterward.
//!
//! This module only calculates, and [`exchange`](super::exchange) transports reports.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use super::demand::Demand;
use super::share::{EPSILON, Share};

/// Rounds without demand after which a key is divided evenly again. They take a minute, in which
/// all allowances are refilled.
const QUIET_ROUNDS: u32 = 120;

/// A replica's demand for a limit, and its claim on it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Part {
    demand: f64,
    claim: f64,
}

/// A replica's report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The claim on each key that is not in `keys`.
    others: f64,
    /// The parts of rates, and of concurrent calls and streams, by key.
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
    /// The shares of the only replica.
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
                concurrent: parts[1].claim,
            },
        }
    }

    /// The keys with different shares. `None` if the share of all other keys differs.
    pub fn changed<'a>(&'a self, before: &'a Shares) -> Option<BTreeSet<&'a str>> {
        if (self.others - before.others).abs() > EPSILON {
            return None;
        }
        let keys = self.keys.keys().chain(before.keys.keys());
        let changed = keys.filter(|key| self.of(key) != before.of(key));
        Some(changed.map(String::as_str).collect())
    }

    /// The report for the other replicas.
    pub fn report(&self) -> Report {
        let keys = self.keys.iter();
        Report {
            others: self.others,
            keys: keys.map(|(key, one)| (key.clone(), one.parts)).collect(),
        }
    }

    /// The shares after a round with these reports and this demand. `None` represents a replica
    /// without a report.
    pub fn next(&self, others: &[Option<Report>], demands: &HashMap<String, Demand>) -> Shares {
        let even = 1.0 / (others.len() as f64 + 1.0);
        let reported = others.iter().flatten().flat_map(|one| one.keys.keys());
        let keys: BTreeSet<&String> = self
            .keys
            .keys()
            .chain(demands.keys())
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
            let before = self.keys.get(key).copied();
            let before = before.unwrap_or(Claims::idle(self.others));
            let claims = before.next(
                even,
                &reports,
                demands.get(key).copied().unwrap_or_default(),
            );
            let is_even = |part: &Part| (part.claim - even).abs() < EPSILON;
            let is_over = claims.quiet >= QUIET_ROUNDS && claims.parts.iter().all(is_even);
            (!is_over).then(|| (key.clone(), claims))
        });
        Shares {
            keys: claims.collect(),
            others: even,
        }
    }

    /// These shares with the lower claims of `next`, to be applied before they are reported.
    pub fn reduced(&self, next: &Shares) -> Shares {
        let mut reduced = self.clone();
        for key in next.keys.keys() {
            let before = reduced
                .keys
                .entry(key.clone())
                .or_insert(Claims::idle(self.others));
            before.adjust(next.parts(key), f64::min);
        }
        reduced.others = self.others.min(next.others);
        reduced
    }

    /// These shares with the higher claims of `applied`, to be reported while those apply.
    pub fn raised(mut self, applied: &Shares) -> Shares {
        for key in applied.keys.keys() {
            if let Some(claims) = self.keys.get_mut(key) {
                claims.adjust(applied.parts(key), f64::max);
            }
        }
        self
    }

    fn parts(&self, key: &str) -> [Part; 2] {
        let claims = self.keys.get(key);
        claims.map_or([Part::idle(self.others); 2], |claims| claims.parts)
    }
}

impl Claims {
    /// The claims on a key without a report.
    fn idle(claim: f64) -> Claims {
        Claims {
            parts: [Part::idle(claim); 2],
            quiet: 0,
            last: [0.0; 2],
        }
    }

    fn adjust(&mut self, others: [Part; 2], choose: fn(f64, f64) -> f64) {
        for (part, other) in self.parts.iter_mut().zip(others) {
            part.claim = choose(part.claim, other.claim);
        }
    }

    fn next(self, even: f64, reports: &[[Part; 2]], demand: Demand) -> Claims {
        let fresh = [demand.rate, demand.concurrent];
        // A call in progress holds a part of its limit. A request does not.
        let held = [0.0, demand.held];
        // Half of the demand of the last round stays, because a caller may wait between calls.
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
            let free = (1.0 - claimed).max(0.0);
            let excess = (claim - free).max(0.0);
            // Calls may move to another replica at any time, so each has a part of the rest.
            let spare = (1.0 - totals[one]).max(0.0) * even;
            let desired = |demand: f64, claim: f64| match totals[one] > 0.0 {
                true if demand > 0.0 => demand / totals[one].max(1.0) + spare,
                // A replica without calls may have a full allowance that others have used.
                true => spare.min(claim),
                false if quiet >= QUIET_ROUNDS || excess > EPSILON => even,
                // Only the replica that has used an allowance knows its rest.
                false => claim,
            };
            let mine = desired(demand[one], claim).max(held[one]);
            let lacking = of(one).map(|part| desired(part.demand, part.claim) - part.claim);
            let lacking: f64 = lacking.map(|lack| lack.max(0.0)).sum();
            let claim = match mine > claim {
                true => mine.min(free).max(claim - excess),
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
