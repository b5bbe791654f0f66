//! Replicas tell each other what they claim of each key's limits.
//!
//! Twice a second, each replica reads the reports of the others and writes its own, in one
//! serializable transaction. A report has a number that its replica counts up: a replica whose
//! number stays the same has stopped, whatever the clocks of both say. A service with one
//! replica only reads who else there is.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use super::meter::{Limits, Meter, Wanted};
use super::redis::Held;
use super::share::Share;
use super::shares::{Report, Shares};
use super::state::Admission;
use crate::inference::Inference;
use crate::kernel::keyring::replicas;
use crate::params;
use crate::store::{StoreError, Tx};

/// How often replicas report.
const ROUND: Duration = Duration::from_millis(500);
/// How long a replica that reports nothing new still counts.
const PATIENCE: Duration = Duration::from_secs(5);

/// What this replica knows of the others.
#[derive(Debug, Default)]
pub struct Peers {
    /// The number of this replica's last report.
    number: i64,
    /// The number of each one's last report, if it has made any, and when it was new.
    seen: HashMap<String, (Option<i64>, Instant)>,
}

/// The reports of replicas, with their numbers.
type Reports = Vec<(String, i64, Report)>;

impl Peers {
    /// Which of the running replicas, without this one, live.
    fn notice(
        &mut self,
        me: &str,
        running: Vec<String>,
        reports: &Reports,
        now: Instant,
    ) -> BTreeSet<String> {
        let mut found: HashMap<_, _> = running.into_iter().map(|id| (id, None)).collect();
        let reports = reports.iter();
        found.extend(reports.map(|(id, number, _)| (id.clone(), Some(*number))));
        found.remove(me);
        self.seen.retain(|id, _| found.contains_key(id));
        let living = found.into_iter().filter_map(|(id, number)| {
            let seen = self.seen.entry(id.clone()).or_insert((number, now));
            if seen.0 != number {
                *seen = (number, now);
            }
            (now.saturating_duration_since(seen.1) < PATIENCE).then_some(id)
        });
        living.collect()
    }
}

fn read(tx: &mut Tx<'_>) -> Result<Reports, StoreError> {
    let sql = "SELECT replica, number, report FROM inference_shares ORDER BY replica";
    let mut reports = Vec::new();
    for row in tx.query(sql, &[])? {
        let report: String = row.get(2)?;
        // One of a later version may be unreadable. Its replica then seems to be silent.
        if let Ok(report) = serde_json::from_str(&report) {
            reports.push((row.get(0)?, row.get(1)?, report));
        }
    }
    Ok(reports)
}

impl Admission {
    /// Reads what other replicas claim and demand, and adapts the shares of this one.
    ///
    /// # Errors
    ///
    /// When the store fails; shares then stay as they are.
    pub async fn exchange(&self, inference: &Inference) -> Result<(), StoreError> {
        let mut peers = self.peers.lock().await;
        let now = inference.clock.now().timestamp_millis();
        let found = inference.store.read(move |tx| {
            let running = replicas::list(tx, now)?.into_iter().map(|one| one.id);
            Ok::<_, StoreError>((running.collect::<Vec<_>>(), read(tx)?))
        });
        let (running, reports) = found.await?;
        let me = inference.replica.clone();
        if !running.contains(&me) {
            // A command, or a service that has stopped.
            return Ok(());
        }
        let others = peers.notice(&me, running, &reports, Instant::now());
        let before = self.shares.load_full();
        if others.is_empty() {
            self.adopt(inference, &before, Shares::default());
            if peers.number > 0 {
                peers.number = 0;
                inference.store.write(move |tx| remove(tx, &me)).await?;
            }
            return Ok(());
        }
        let wanted = self.wanted();
        let number = peers.number + 1;
        let old = Arc::clone(&before);
        let write = move |tx: &mut Tx<'_>| {
            let mut reports: HashMap<_, _> = read(tx)?
                .into_iter()
                .map(|(id, _, one)| (id, one))
                .collect();
            let others: Vec<_> = others.iter().map(|id| reports.remove(id)).collect();
            let next = old.next(&others, &wanted);
            let report = serde_json::to_string(&next.report());
            let report = report.map_err(|error| StoreError::Statement(error.to_string()))?;
            tx.execute(
                "INSERT INTO inference_shares (replica, number, report) VALUES ($1, $2, $3) \
                 ON CONFLICT (replica) DO UPDATE SET number = excluded.number, \
                 report = excluded.report",
                params![&me, number, report],
            )?;
            Ok::<_, StoreError>(next)
        };
        let next = inference.store.write(write).await?;
        peers.number = number;
        self.adopt(inference, &before, next);
        Ok(())
    }

    /// Withdraws this replica's claims, because it stops.
    ///
    /// # Errors
    ///
    /// When the store fails; the others then wait some seconds for its reports.
    pub async fn withdraw(&self, inference: &Inference) -> Result<(), StoreError> {
        let me = inference.replica.clone();
        let is_known = std::mem::take(&mut self.peers.lock().await.number) > 0;
        match is_known {
            true => inference.store.write(move |tx| remove(tx, &me)).await,
            false => Ok(()),
        }
    }

    /// What calls have demanded of each key since the last round.
    fn wanted(&self) -> HashMap<String, Wanted> {
        let mut all = HashMap::new();
        self.each_meter(|id, meter, limits| {
            if let Some(wanted) = meter.take_wanted(limits, ROUND.as_secs_f64()) {
                all.insert(id.to_owned(), wanted);
            }
        });
        all
    }

    /// The share of a key that this replica has.
    pub fn share(&self, key_id: &str) -> Share {
        self.shares.load().of(key_id)
    }

    /// What this replica holds of keys with limits of it.
    pub(super) fn held(&self) -> Vec<Held> {
        let mut all = Vec::new();
        self.each_meter(|id, meter, limits| {
            let (streams, tokens) = meter.held();
            let streams = limits.concurrent_streams.map_or(0, |_| streams);
            let tokens = limits.budget.map_or(0, |_| tokens);
            if (streams, tokens) != (0, 0) {
                all.push((id.to_owned(), streams, tokens));
            }
        });
        all
    }

    /// Gives each key its share, after a load that may have missed a change.
    pub(super) fn share_anew(&self, inference: &Inference) {
        let now = crate::inference::now(inference);
        let shares = self.shares.load_full();
        self.each_meter(|id, meter, limits| meter.set_share(shares.of(id), limits, now));
    }

    fn adopt(&self, inference: &Inference, before: &Shares, next: Shares) {
        if next == *before {
            return;
        }
        let now = crate::inference::now(inference);
        let next = Arc::new(next);
        // First for meters that are made from now on.
        self.shares.store(Arc::clone(&next));
        let changed = next.changed(before);
        if changed.as_ref().is_some_and(BTreeSet::is_empty) {
            return;
        }
        self.each_meter(|id, meter, limits| {
            if changed.as_ref().is_none_or(|changed| changed.contains(id)) {
                meter.set_share(next.of(id), limits, now);
            }
        });
    }

    /// Does something with the meter of each key, once.
    fn each_meter(&self, mut each: impl FnMut(&str, &Meter, &Limits)) {
        let Some(snapshot) = self.current() else {
            return;
        };
        let mut seen = foldhash::HashSet::default();
        for credential in snapshot.credentials.values() {
            if seen.insert(&credential.key_id) {
                each(&credential.key_id, &credential.meter, &credential.limits);
            }
        }
    }
}

fn remove(tx: &mut Tx<'_>, replica: &str) -> Result<(), StoreError> {
    let sql = "DELETE FROM inference_shares WHERE replica = $1";
    tx.execute(sql, params![replica]).map(drop)
}

/// Exchanges reports until the context is dropped.
pub async fn run(inference: Weak<Inference>) {
    loop {
        tokio::time::sleep(ROUND).await;
        let Some(inference) = inference.upgrade() else {
            return;
        };
        if let Err(error) = inference.admission.exchange(&inference).await {
            tracing::warn!(%error, "limits cannot be divided among replicas anew");
        }
    }
}
