//! Gauges of loads, backlogs and ages.
//!
//! A scrape reads the gauges of the process. The gauges of the database are the same in every
//! replica. A timer reads them every few seconds, so that scrapes cause no statements.

use std::time::Duration;

use ::metrics::{counter, gauge};

use crate::app::App;
use crate::audit;
use crate::identity::keys;
use crate::inference::gateway::models::{Backend, Catalog};
use crate::inference::gateway::pool::{Pool, Target};
use crate::mail::outbox;
use crate::store::{StoreError, Tx};

crate::measures! {
    describe_gauge JOBS = "accord_store_waiting_jobs":
        "Transactions that wait for a thread, by queue.";
    describe_gauge(Seconds) JOB_AGE = "accord_store_waiting_seconds":
        "The waiting time of the first transaction, by queue.";
    describe_gauge CONNECTIONS = "accord_store_busy_connections":
        "Connections to the database that a transaction uses, by queue.";
    describe_counter REPEATS = "accord_store_repeated_transactions_total":
        "Transactions that ran again after a conflict or a lost connection, by queue.";
    describe_gauge(Seconds) SNAPSHOT_AGE = "accord_snapshot_age_seconds":
        "The time since the database confirmed the secrets, policies and limits in memory.";
    describe_gauge WAITING_CALLS = "accord_upstream_waiting_calls":
        "Model calls that wait for a free upstream, by model.";
    describe_gauge OPEN_CIRCUIT = "accord_upstream_circuit_open":
        "1 while the circuit of an upstream is open, because its calls fail.";
    describe_gauge MAILS = "accord_mails_waiting": "Unsent mails in the outbox of all replicas.";
    describe_gauge(Seconds) MAIL_AGE = "accord_mails_waiting_seconds":
        "The age of the oldest unsent mail.";
    describe_gauge UNSEALED = "accord_audit_unsealed_events":
        "Events in the audit trail that have had no seal for a minute.";
    describe_gauge(Seconds) SIGNING_KEY_AGE = "accord_signing_key_age_seconds":
        "The age of the key that signs tokens.";
}

/// The timeout of the statements.
const TIMEOUT: Duration = Duration::from_secs(4);

/// Describes the gauges.
pub(super) fn describe(app: &App) {
    app.metrics.record(describe_measures);
}

/// Sets the gauges of this process.
pub(super) fn of_process(app: &App) {
    app.metrics.record(|| {
        for (queue, load) in app.store.loads() {
            gauge!(JOBS, "queue" => queue).set(load.waiting as f64);
            gauge!(JOB_AGE, "queue" => queue).set(load.age.as_secs_f64());
            gauge!(CONNECTIONS, "queue" => queue).set(load.busy as f64);
            counter!(REPEATS, "queue" => queue).absolute(load.repeats);
        }
        if let Some(age) = app.inference.admission.snapshot_age() {
            gauge!(SNAPSHOT_AGE).set(age.as_secs_f64());
        }
        of_upstreams(
            &app.inference.settings().models,
            |pool, target| match target {
                None => pool.waiting() as f64,
                Some(target) => f64::from(u8::from(target.breaker.is_open())),
            },
        );
    });
}

/// Sets the gauges of upstreams that a reload of the configuration may have removed to 0. The next
/// scrape sets those of the other upstreams again.
pub fn forget_upstreams(app: &App, models: &Catalog) {
    app.metrics.record(|| of_upstreams(models, |_, _| 0.0));
}

/// Sets the gauges of each pool and each upstream to a value.
fn of_upstreams(models: &Catalog, value: impl Fn(&Pool, Option<&Target>) -> f64) {
    for model in models.iter() {
        let Backend::Servers(pool) = &model.backend else {
            continue;
        };
        let labels = [
            ("gen_ai_request_model", model.name.clone()),
            ("region", model.region.clone()),
        ];
        gauge!(WAITING_CALLS, &labels).set(value(pool, None));
        for target in &pool.targets {
            let address = ("server_address", target.address.clone());
            let labels: Vec<_> = labels.iter().cloned().chain([address]).collect();
            gauge!(OPEN_CIRCUIT, &labels).set(value(pool, Some(target)));
        }
    }
}

/// The backlogs in the database, with times in Unix milliseconds.
struct Backlogs {
    mails: i64,
    oldest_mail: Option<i64>,
    unsealed: i64,
    /// The creation time of the key that signs.
    signing_key: Option<i64>,
}

/// Reads the gauges of the database. While it is unavailable, the gauges keep their values.
pub(super) async fn of_database(app: &App) {
    let now = app.clock.now().timestamp_millis();
    let read = move |tx: &mut Tx<'_>| {
        let (mails, oldest_mail) = outbox::waiting(tx)?;
        let published = keys::published(tx, now)?;
        let signing = published.first().filter(|key| key.active_from <= now);
        Ok::<_, StoreError>(Backlogs {
            mails,
            oldest_mail,
            unsealed: audit::unsealed(tx, now)?,
            signing_key: signing.map(|key| key.created_at),
        })
    };
    let waiting = match tokio::time::timeout(TIMEOUT, app.store.read(read)).await {
        Ok(Ok(waiting)) => waiting,
        Ok(Err(error)) => return tracing::debug!(%error, "cannot read the gauges of the database"),
        Err(_) => return tracing::debug!("timeout of the gauges of the database"),
    };
    let seconds = |since: Option<i64>| {
        let age = since.map_or(0, |since| (now - since).max(0));
        Duration::from_millis(age.unsigned_abs()).as_secs_f64()
    };
    app.metrics.record(|| {
        gauge!(MAILS).set(waiting.mails as f64);
        gauge!(MAIL_AGE).set(seconds(waiting.oldest_mail));
        gauge!(UNSEALED).set(waiting.unsealed as f64);
        gauge!(SIGNING_KEY_AGE).set(seconds(waiting.signing_key));
    });
}
