//! PostgreSQL, and databases with its protocol: one database, several replicas.
//!
//! A few threads, each with a connection of its own, take jobs from one queue. Writes are
//! `SERIALIZABLE`: the database detects when two of them have no serial order and rejects one,
//! which then runs again. Reads see one snapshot and cannot conflict.
//!
//! Round trips are most of the cost of a transaction, so a [`Session`] sends deferred statements
//! together with the next one.
//!
//! The store replaces a broken connection and runs the job again. If the connection broke during a
//! commit, the outcome is unknown, and the caller gets an error that says this.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio_postgres::Config;

use super::job::{Access, Job, TxOutcome};
use super::migrations::{self, Dialect, MigrationMode};
use super::queue::{JobReceiver, queue, spawn};
use super::tls::{self, Address};
use super::tx::{Connection as _, Failure, RetryAction};
use super::{Store, StoreError, notice};

pub(super) use session::{LISTEN, Session};
pub(super) use value::explain;

mod pooler;
mod session;
mod value;

const CONNECTIONS: usize = 8;
/// How long a job may be repeated because of conflicts, or wait for a connection.
const JOB_TIMEOUT: Duration = Duration::from_secs(10);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// The interval of probes on a silent connection; three that fail end it.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(10);
/// Maximum pause between two attempts.
const PAUSE: Duration = Duration::from_millis(100);
/// The lock by which replicas that start together migrate one after the other.
const MIGRATION_LOCK: i64 = 0x4163_636f_7264;

/// The names of missing migrations.
pub(super) fn missing(url: &str) -> Result<Vec<&'static str>, StoreError> {
    let error = |failure: Failure| failure.error;
    let [mut session, _] = pooler::open_two(&address(url)?)?;
    session.begin(Some("BEGIN READ ONLY"));
    let missing = migrations::missing_names(&mut session, Dialect::Postgres)?;
    session.rollback().map_err(error)?;
    Ok(missing)
}

/// The address of a server, with the defaults of this program.
fn address(url: &str) -> Result<Address, StoreError> {
    let mut address = tls::address(url)?;
    let config = &mut address.config;
    if config.get_application_name().is_none() {
        config.application_name("accord");
    }
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(CONNECT_TIMEOUT);
    }
    config.keepalives_idle(Duration::from_secs(30));
    config.keepalives_interval(KEEPALIVE_INTERVAL);
    config.keepalives_retries(3);
    Ok(address)
}

pub(super) fn open(url: &str, mode: MigrationMode) -> Result<Store, StoreError> {
    let address = address(url)?;
    let description = describe(&address.config);

    let [mut first, second] = pooler::open_two(&address)?;
    // Another replica may migrate first, and large tables take long.
    first.set_patient(true);
    migrate(&mut first, mode)?;
    first.set_patient(false);

    let (queue, receiver) = queue(CONNECTIONS);
    let queue = Arc::new(queue);
    let mut open = vec![first, second];
    for _ in 0..CONNECTIONS {
        let mut worker = Worker {
            address: address.clone(),
            session: open.pop(),
            unsettled: false,
        };
        let receiver = receiver.clone();
        spawn("store-postgres", move || {
            while let Some(mut job) = receiver.next() {
                worker.serve(job.as_mut(), &receiver);
                job.finish();
                worker.settle();
            }
        })?;
    }
    let notices = notice::listen(address)?;
    Ok(Store::new(
        Arc::clone(&queue),
        queue,
        description,
        Some(notices),
    ))
}

/// The address without user and password.
fn describe(config: &Config) -> String {
    let host = match config.get_hosts().first() {
        Some(tokio_postgres::config::Host::Tcp(host)) => host.clone(),
        #[cfg(unix)]
        Some(tokio_postgres::config::Host::Unix(path)) => path.display().to_string(),
        None => "localhost".to_owned(),
    };
    let database = config.get_dbname().or(config.get_user()).unwrap_or("");
    format!("PostgreSQL, {database} at {host}")
}

fn migrate(session: &mut Session, mode: MigrationMode) -> Result<(), StoreError> {
    let error = |failure: Failure| failure.error;
    // Not serializable, so that the migrations of other replicas are visible after the wait for the
    // lock.
    session.begin(Some("BEGIN READ WRITE"));
    session
        .script(&format!("SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"))
        .map_err(error)?;
    migrations::run(session, Dialect::Postgres, mode)?;
    session.commit().map_err(error)
}

/// One connection and the thread that owns it.
struct Worker {
    address: Address,
    session: Option<Session>,
    /// Whether a read-only transaction must still be ended.
    unsettled: bool,
}

impl Worker {
    fn serve(&mut self, job: &mut dyn Job, receiver: &JobReceiver) {
        let deadline = Instant::now() + JOB_TIMEOUT;
        let mut attempt = 0;
        while !job.is_abandoned() {
            let Err(failure) = self.attempt(job) else {
                return;
            };
            if failure.action == RetryAction::Reconnect {
                self.session = None;
            }
            if failure.action == RetryAction::Report || Instant::now() >= deadline {
                return job.fail(failure.error);
            }
            attempt += 1;
            receiver.count_repeat();
            std::thread::sleep(pause(attempt));
        }
    }

    /// Ends a transaction whose outcome has already been sent.
    fn settle(&mut self) {
        if let (true, Some(session)) = (self.unsettled, &mut self.session)
            && session.rollback().is_err()
        {
            self.session = None;
        }
        self.unsettled = false;
    }

    /// Runs the job once. Returns `Ok` when its outcome is final.
    fn attempt(&mut self, job: &mut dyn Job) -> Result<(), Failure> {
        let session = match &mut self.session {
            Some(session) => session,
            None => {
                let session = Session::open(&self.address).map_err(|error| Failure {
                    error,
                    action: RetryAction::Reconnect,
                })?;
                self.session.insert(session)
            }
        };
        session.begin(match job.access() {
            Access::ReadOne => None,
            Access::Read => Some("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
            Access::WriteRelaxed => Some(
                "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE; SET LOCAL synchronous_commit = off",
            ),
            Access::Snapshot => Some("BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE"),
            Access::Write => Some("BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE"),
        });
        match job.run(session) {
            // The outcome of a read is final, and the caller need not wait for the end of the
            // transaction.
            TxOutcome::Commit | TxOutcome::Rollback
                if matches!(job.access(), Access::ReadOne | Access::Read) =>
            {
                self.unsettled = true;
                Ok(())
            }
            TxOutcome::Commit => session.commit().map_err(|mut failure| {
                if failure.action == RetryAction::Reconnect {
                    self.session = None;
                    let message = failure.error.to_string();
                    failure = StoreError::OutcomeUnknown(message).into();
                }
                failure
            }),
            // The outcome is final even if the connection fails now.
            TxOutcome::Rollback => {
                if session.rollback().is_err() {
                    self.session = None;
                }
                Ok(())
            }
            TxOutcome::Rerun(action) => {
                if action != RetryAction::Reconnect {
                    let _ = session.rollback();
                }
                Err(Failure {
                    error: match action {
                        RetryAction::Reconnect => {
                            StoreError::Unavailable("the connection broke".into())
                        }
                        RetryAction::Again | RetryAction::Report => StoreError::Conflict,
                    },
                    action,
                })
            }
        }
    }
}

/// Full jitter, so that transactions in conflict do not run again at the same time.
fn pause(attempt: u32) -> Duration {
    let most = PAUSE.min(Duration::from_millis(1 << attempt.min(7)));
    most.mul_f64(fastrand::f64())
}
