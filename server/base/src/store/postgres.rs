//! PostgreSQL, and databases with its protocol: one database, several replicas.
//!
//! A few threads, each with a connection of its own, take jobs from one queue. Writes are
//! `SERIALIZABLE`: the database detects when two of them have no serial order and rejects one,
//! which then runs again. Reads see one snapshot and cannot conflict. Until it runs again, a job has
//! neither a thread nor a connection.
//!
//! Round trips are most of the cost of a transaction, so a [`Session`] sends deferred statements
//! together with the next one.
//!
//! The store replaces a broken connection and runs the job again. If the connection broke during a
//! commit, the outcome is unknown, and the caller gets an error that says this.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio_postgres::Config;

use super::handle::REPEAT_TIMEOUT;
use super::job::{Access, Job, TxOutcome};
use super::migrations::{self, Dialect, MigrationMode};
use super::queue::{JobReceiver, queue, spawn};
use super::tls::{self, Address};
use super::tx::{Connection as _, Failure, RetryAction};
use super::{PoolOptions, Store, StoreError, notice};

pub(super) use session::{LISTEN, Session};
pub(super) use value::explain;

mod pooler;
mod session;
mod value;

/// The interval of probes on a silent connection; three that fail end it.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(10);
/// The maximum time between two attempts of a thread to connect.
const RECONNECT_PAUSE: Duration = Duration::from_millis(100);
/// The lock by which replicas that start together migrate one after the other.
const MIGRATION_LOCK: i64 = 0x4163_636f_7264;

/// The names of missing migrations.
pub(super) fn missing(url: &str, options: &PoolOptions) -> Result<Vec<&'static str>, StoreError> {
    let [mut session, _] = pooler::open_two(&address(url, options)?)?;
    session.begin(Some("BEGIN READ ONLY"));
    let missing = migrations::missing_names(&mut session, Dialect::Postgres)?;
    session.rollback()?;
    Ok(missing)
}

/// The address of a server, with the options that the address itself does not have.
fn address(url: &str, options: &PoolOptions) -> Result<Address, StoreError> {
    let mut address = tls::address(url, options)?;
    let config = &mut address.config;
    if config.get_application_name().is_none() {
        config.application_name("accord");
    }
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(options.connect);
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(options.unacknowledged);
    }
    config.keepalives_idle(options.keepalive);
    config.keepalives_interval(KEEPALIVE_INTERVAL);
    config.keepalives_retries(3);
    Ok(address)
}

pub(super) fn open(
    url: &str,
    options: &PoolOptions,
    mode: MigrationMode,
) -> Result<Store, StoreError> {
    let address = address(url, options)?;
    let description = describe(&address.config);

    let [mut first, second] = pooler::open_two(&address)?;
    // Another replica may migrate first, and large tables take long.
    first.set_patient(true);
    migrate(&mut first, mode)?;
    first.set_patient(false);

    let (queue, receiver) = queue(options.connections);
    let queue = Arc::new(queue);
    let mut open = vec![first, second];
    for _ in 0..options.connections {
        let mut worker = Worker {
            address: address.clone(),
            session: open.pop(),
            unsettled: false,
        };
        let receiver = receiver.clone();
        spawn("store-postgres", move || {
            while let Some(job) = receiver.next() {
                worker.serve(job, &receiver);
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
    // So that the migrations of other replicas are visible after the wait for the lock. The default of
    // the role or the database may be a stricter level.
    session.begin(Some("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"));
    let is_locked = session.ask(&format!(
        "SET LOCAL statement_timeout = 0; SELECT pg_try_advisory_xact_lock({MIGRATION_LOCK})"
    ))?;
    if is_locked.as_deref() != Some("t") {
        tracing::info!("waiting for another replica, which migrates the database");
        let lock = format!("SELECT pg_advisory_xact_lock({MIGRATION_LOCK})");
        session.script(&lock)?;
    }
    migrations::run(session, Dialect::Postgres, mode)?;
    Ok(session.commit()?)
}

/// One connection and the thread that owns it.
struct Worker {
    address: Address,
    session: Option<Session>,
    /// Whether a read-only transaction must still be ended.
    unsettled: bool,
}

impl Worker {
    /// Runs the job once, and sends its outcome, or gives it back to its caller to run again.
    fn serve(&mut self, mut job: Box<dyn Job>, receiver: &JobReceiver) {
        let began_at = Instant::now();
        match self.attempt(job.as_mut(), receiver) {
            Ok(()) => job.finish(),
            Err(Failure {
                error,
                action: RetryAction::Report,
            }) => {
                job.fail(error);
                job.finish();
            }
            Err(Failure { error, action }) => {
                if action == RetryAction::Reconnect {
                    self.session = None;
                }
                receiver.count_repeat();
                job.repeat(error, began_at);
            }
        }
        self.settle();
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
    fn attempt(&mut self, job: &mut dyn Job, receiver: &JobReceiver) -> Result<(), Failure> {
        let session = match &mut self.session {
            Some(session) => session,
            None => {
                let session = Session::open(&self.address).map_err(|error| {
                    receiver.fail_waiting(REPEAT_TIMEOUT, &error);
                    // Otherwise the next job would try at once, and all replicas would flood a
                    // server that starts.
                    std::thread::sleep(RECONNECT_PAUSE.mul_f64(fastrand::f64()));
                    Failure {
                        error,
                        action: RetryAction::Reconnect,
                    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_takes_precedence_over_the_options() {
        let options = PoolOptions {
            connect: Duration::from_secs(3),
            unacknowledged: Duration::from_secs(4),
            keepalive: Duration::from_secs(5),
            ..PoolOptions::default()
        };
        let config = |url: &str| address(url, &options).expect("an address").config;
        let plain = config("postgres://accord@localhost/accord");
        assert_eq!(plain.get_connect_timeout(), Some(&options.connect));
        assert_eq!(plain.get_tcp_user_timeout(), Some(&options.unacknowledged));
        assert_eq!(plain.get_keepalives_idle(), options.keepalive);
        let own = "postgres://accord@localhost/accord?connect_timeout=7&tcp_user_timeout=8";
        let own = config(own);
        assert_eq!(own.get_connect_timeout(), Some(&Duration::from_secs(7)));
        assert_eq!(own.get_tcp_user_timeout(), Some(&Duration::from_secs(8)));
    }
}
