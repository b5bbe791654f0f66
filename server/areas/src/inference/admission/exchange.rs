//! Exchanges reports between replicas, and adapts the shares of this one.
//!
//! Twice a second, each replica reads the reports of the others and writes its own, in one
//! serializable transaction. A replica increments the number of its report each time, so the others
//! notice that it has stopped without comparing clocks. The only replica of a service just reads
//! whether there are others.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, PoisonError, Weak};
use std::time::{Duration, Instant};

use super::demand::{Demand, InProgress};
use super::peers::Reports;
use super::redis::Held;
use super::share::Share;
use super::shared::LimitedKey;
use super::shares::{Report, Shares};
use super::state::Admission;
use crate::inference::Inference;
use crate::inference::gateway::models::Backend;
use crate::inference::gateway::permits::Permits;
use crate::inference::gateway::pool::Target;
use crate::kernel::keyring::replicas;
use crate::params;
use crate::store::{StoreError, Tx};

/// The interval of reports.
const ROUND: Duration = Duration::from_millis(500);

/// Reads the reports of all replicas.
fn read(tx: &mut Tx<'_>) -> Result<Reports, StoreError> {
    let sql = "SELECT replica, number, report FROM inference_shares ORDER BY replica";
    let mut reports = Vec::new();
    for row in tx.query(sql, &[])? {
        let report: String = row.get(2)?;
        // A later version may write another form. Its replica then seems to be stopped.
        if let Ok(report) = serde_json::from_str(&report) {
            reports.push((row.get(0)?, row.get(1)?, report));
        }
    }
    Ok(reports)
}

/// Writes the report of a replica.
fn write_report(
    tx: &mut Tx<'_>,
    replica: &str,
    number: i64,
    report: &Report,
) -> Result<(), StoreError> {
    let report = serde_json::to_string(report);
    let report = report.map_err(|error| StoreError::Statement(error.to_string()))?;
    tx.execute(
        "INSERT INTO inference_shares (replica, number, report) VALUES ($1, $2, $3) \
         ON CONFLICT (replica) DO UPDATE SET number = excluded.number, report = excluded.report",
        params![replica, number, report],
    )?;
    Ok(())
}

/// The replicas that were killed, and so left their reports behind.
fn left_behind(
    reports: &Reports,
    listed: &BTreeSet<String>,
    alive: &BTreeSet<String>,
) -> Vec<String> {
    let ids = reports.iter().map(|(id, ..)| id);
    let left = ids.filter(|id| !listed.contains(*id) && !alive.contains(*id));
    left.cloned().collect()
}

/// The report of each of these replicas, if there is one.
fn of_each(replicas: &BTreeSet<String>, reports: Reports) -> Vec<Option<Report>> {
    let reports = reports.into_iter().map(|(id, _, report)| (id, report));
    let mut reports: HashMap<_, _> = reports.collect();
    replicas.iter().map(|id| reports.remove(id)).collect()
}

impl Admission {
    /// Reads the claims and the demand of other replicas, and adapts the shares of this one.
    ///
    /// # Errors
    ///
    /// When the store fails. The shares then stay unchanged.
    pub async fn exchange(&self, inference: &Inference) -> Result<(), StoreError> {
        let mut peers = self.peers.lock().await;
        if peers.is_withdrawn {
            return Ok(());
        }
        let began = Instant::now();
        let now = inference.clock.now().timestamp_millis();
        let found = inference.store.read(move |tx| {
            let running = replicas::list(tx, now)?.into_iter().map(|one| one.id);
            Ok::<_, StoreError>((running.collect::<Vec<_>>(), read(tx)?))
        });
        let (running, reports) = found.await?;
        let own_id = inference.replica.clone();
        if !running.contains(&own_id) {
            // A command, or a stopped service.
            return Ok(());
        }
        let listed: BTreeSet<_> = running.iter().cloned().collect();
        let others = peers.update(&own_id, running, &reports, began);
        let mut obsolete = left_behind(&reports, &listed, &others);
        self.limiter.by_share().set_alone(others.is_empty());
        let before = self.shares.load_full();
        let mut demands = self.take_demands();
        if others.is_empty() {
            self.adopt(inference, &before, &Arc::default());
            if peers.number > 0 {
                peers.number = 0;
                obsolete.push(own_id);
            }
            if !obsolete.is_empty() {
                let write = move |tx: &mut Tx<'_>| remove(tx, &obsolete);
                inference.store.write_relaxed(write).await?;
            }
            peers.exchanged_at = Some(began);
            return Ok(());
        }
        add_demands_for_upstreams(inference, &mut demands);
        let reports = of_each(&others, reports);
        // Others may raise their claims as soon as this report is written.
        let applied = Arc::new(before.reduced(&before.next(&reports, &demands)));
        self.adopt(inference, &before, &applied);
        let number = peers.number + 1;
        let old = Arc::clone(&applied);
        let write = move |tx: &mut Tx<'_>| {
            remove(tx, &obsolete)?;
            let reports = of_each(&others, read(tx)?);
            let next = old.next(&reports, &demands).raised(&old);
            write_report(tx, &own_id, number, &next.report())?;
            Ok::<_, StoreError>(next)
        };
        // A lost report is replaced by the next one.
        let next = inference.store.write_relaxed(write).await?;
        (peers.number, peers.exchanged_at) = (number, Some(began));
        self.adopt(inference, &applied, &Arc::new(next));
        Ok(())
    }

    /// Deletes the report of this replica when it stops.
    ///
    /// # Errors
    ///
    /// When the store fails. The others then wait some seconds for its next report.
    pub async fn withdraw(&self, inference: &Inference) -> Result<(), StoreError> {
        let own_id = inference.replica.clone();
        let mut peers = self.peers.lock().await;
        peers.is_withdrawn = true;
        match std::mem::take(&mut peers.number) > 0 {
            true => {
                inference
                    .store
                    .write(move |tx| remove(tx, std::slice::from_ref(&own_id)))
                    .await
            }
            false => Ok(()),
        }
    }

    /// The demand for each key since the last round.
    fn take_demands(&self) -> HashMap<String, Demand> {
        let mut all = HashMap::new();
        self.active.retain(|id| {
            self.with(id, |key| {
                let demand = key.meter.take_demand(key.limits, ROUND.as_secs_f64());
                all.extend(demand.map(|demand| (id.clone(), demand)));
                key.meter.is_active()
            })
            .unwrap_or(false)
        });
        all
    }

    /// This replica's share of a key.
    pub fn share(&self, key_id: &str) -> Share {
        self.shares.load().of(key_id)
    }

    /// The calls in progress, with their reserved tokens, for keys with limits of them.
    pub(super) fn held(&self) -> Vec<Held> {
        let mut all = Vec::new();
        self.active.each(|id| {
            let held = self.with(id, |LimitedKey { limits, meter, .. }| {
                let InProgress {
                    calls,
                    streams,
                    tokens,
                } = meter.in_progress();
                InProgress {
                    calls: limits.concurrent_calls.map_or(0, |_| calls),
                    streams: limits.concurrent_streams.map_or(0, |_| streams),
                    tokens: limits.budget.map_or(0, |_| tokens),
                }
            });
            if let Some(held) = held.filter(|held| *held != InProgress::default()) {
                all.push((id.clone(), held));
            }
        });
        all
    }

    /// Marks the reserved tokens of calls in progress as not taken by Redis, after a connection.
    pub(super) fn forget_taken(&self) {
        self.active.each(|id| {
            self.with(id, |key| key.meter.forget_taken());
        });
    }

    /// Updates the limit and the share of each upstream, after a reload of the configuration.
    pub(super) fn update_upstreams(&self, inference: &Inference) {
        let shares = self.shares.load_full();
        each_upstream(inference, |id, target, permits| {
            permits.set_max(target.max_concurrent().unwrap_or_else(|| permits.max()));
            permits.allow(shares.of(&id).of_concurrent(permits.max()));
        });
    }

    /// Applies the `next` shares to the meters and the upstreams whose shares differ from `before`.
    fn adopt(&self, inference: &Inference, before: &Shares, next: &Arc<Shares>) {
        if **next == *before {
            return;
        }
        let now = crate::inference::now(inference);
        let publishing = self.publishing.lock();
        let _publishing = publishing.unwrap_or_else(PoisonError::into_inner);
        // Before the loop, for meters that are created from now on.
        self.shares.store(Arc::clone(next));
        let set_share = |LimitedKey { id, limits, meter }: LimitedKey<'_>| {
            meter.set_share(next.of(id), limits, now);
        };
        let changed = next.changed(before);
        match &changed {
            None => self.each_key(set_share),
            Some(changed) => {
                for id in changed {
                    self.with(id, set_share);
                }
            }
        }
        let is_changed = |id: &str| changed.as_ref().is_none_or(|changed| changed.contains(id));
        each_upstream(inference, |id, _, permits| {
            if is_changed(&id) {
                permits.allow(next.of(&id).of_concurrent(permits.max()));
            }
        });
    }
}

/// Calls a function with the permits of each upstream that has a limit.
fn each_upstream(inference: &Inference, mut each: impl FnMut(String, &Target, &Permits)) {
    for model in inference.settings().models.iter() {
        let Backend::Servers(pool) = &model.backend else {
            continue;
        };
        for (index, target) in pool.targets.iter().enumerate() {
            if let Some(permits) = target.permits() {
                let id = format!("upstream:{}:{}:{index}", model.region, model.name);
                each(id, target, permits);
            }
        }
    }
}

/// Adds the demand for each upstream since the last round.
fn add_demands_for_upstreams(inference: &Inference, demands: &mut HashMap<String, Demand>) {
    each_upstream(inference, |id, _, permits| {
        let used = permits.take_use();
        let max = f64::from(permits.max().max(1));
        let part = |count: u32| (f64::from(count) / max).min(1.0);
        if used.demanded > 0 {
            let demand = Demand {
                concurrent: part(used.demanded),
                held: part(used.in_progress),
                ..Demand::default()
            };
            demands.insert(id, demand);
        }
    });
}

/// Deletes the reports of replicas that have stopped, and their tokens of budgets.
fn remove(tx: &mut Tx<'_>, replicas: &[String]) -> Result<(), StoreError> {
    for replica in replicas {
        let sql = "DELETE FROM inference_shares WHERE replica = $1";
        tx.execute(sql, params![replica])?;
        let sql = "DELETE FROM inference_budget_allocations WHERE replica = $1";
        tx.execute(sql, params![replica])?;
    }
    Ok(())
}

/// Exchanges reports until the context is dropped.
pub async fn run(inference: Weak<Inference>) {
    loop {
        tokio::time::sleep(ROUND).await;
        let Some(inference) = inference.upgrade() else {
            return;
        };
        if let Err(error) = inference.admission.exchange(&inference).await {
            tracing::warn!(%error, "replicas cannot exchange reports: the shares of limits stay");
        }
    }
}
