//! PostgreSQL, and what speaks its protocol: one database, several replicas.
//!
//! A handful of threads, each with a connection of its own, take jobs from one
//! queue. Writes are `SERIALIZABLE`: the database itself finds out when two of
//! them could not have happened one after the other and refuses one, which then
//! runs again. Reads see one snapshot and cannot lose.
//!
//! A connection that breaks is made anew and the job runs again on it, unless
//! it broke during a commit: then nobody can tell whether it happened, and the
//! caller is told so.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use postgres::error::SqlState;
use postgres::types::private::BytesMut;
use postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use postgres::{Client, Config, IsolationLevel, Statement, Transaction};
use tokio::sync::mpsc;

use super::job::{Access, Job, Verdict};
use super::tls::{self, Address};
use super::tx::{Connection, Failure, Then};
use super::{Constraint, QUEUE, Row, Store, StoreError, Value, migrations, notice, spawn};

const CONNECTIONS: usize = 8;
/// How long a job may lose against others, or wait for a connection.
const PATIENCE: Duration = Duration::from_secs(10);
const CONNECT: Duration = Duration::from_secs(5);
/// Longest pause between two attempts.
const PAUSE: Duration = Duration::from_millis(100);
/// Replicas that start together migrate one after the other.
const MIGRATION_LOCK: i64 = 0x4163_636f_7264;

pub(super) fn open(url: &str) -> Result<Store, StoreError> {
    let mut address = tls::address(url)?;
    let config = &mut address.config;
    if config.get_application_name().is_none() {
        config.application_name("accord");
    }
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(CONNECT);
    }
    config.keepalives_idle(Duration::from_secs(30));
    let description = describe(&address.config);

    let mut first = connect(&address)?;
    migrate(&mut first)?;

    let (queue, jobs) = mpsc::channel(QUEUE);
    let jobs = Arc::new(Mutex::new(jobs));
    let mut first = Some(first);
    for _ in 0..CONNECTIONS {
        let mut worker = Worker {
            address: address.clone(),
            client: first.take(),
            statements: HashMap::new(),
        };
        let jobs = Arc::clone(&jobs);
        spawn("store-postgres", move || {
            while let Some(mut job) = super::next_job(&jobs) {
                worker.serve(job.as_mut());
                job.finish();
            }
        })?;
    }
    let notices = notice::listen(address)?;
    Ok(Store::new(queue.clone(), queue, description, Some(notices)))
}

pub(super) fn connect(address: &Address) -> Result<Client, StoreError> {
    address
        .config
        .connect(address.tls.clone())
        .map_err(|error| StoreError::Unavailable(explain(&error)))
}

/// The address without user and password.
fn describe(config: &Config) -> String {
    let host = match config.get_hosts().first() {
        Some(postgres::config::Host::Tcp(host)) => host.clone(),
        #[cfg(unix)]
        Some(postgres::config::Host::Unix(path)) => path.display().to_string(),
        None => "localhost".to_owned(),
    };
    let database = config.get_dbname().or(config.get_user()).unwrap_or("");
    format!("PostgreSQL, {database} at {host}")
}

fn migrate(client: &mut Client) -> Result<(), StoreError> {
    let convert = |error: postgres::Error| classify(&error).error;
    // Not serializable: after the wait for the lock, the others' work shows.
    let mut transaction = client
        .build_transaction()
        .isolation_level(IsolationLevel::ReadCommitted)
        .start()
        .map_err(convert)?;
    transaction
        .batch_execute(&format!("SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"))
        .map_err(convert)?;
    let mut statements = HashMap::new();
    let shared = std::cell::RefCell::new(&mut transaction);
    migrations::run(
        &mut Running {
            transaction: &shared,
            statements: &mut statements,
        },
        migrations::Dialect::Postgres,
        &mut |script| shared.borrow_mut().batch_execute(script).map_err(convert),
    )?;
    transaction.commit().map_err(convert)
}

/// One connection and the thread that owns it.
struct Worker {
    address: Address,
    client: Option<Client>,
    statements: HashMap<String, Statement>,
}

impl Worker {
    fn serve(&mut self, job: &mut dyn Job) {
        let deadline = Instant::now() + PATIENCE;
        let mut attempt = 0;
        while !job.is_abandoned() {
            let Err(failure) = self.attempt(job) else {
                return;
            };
            if failure.then == Then::Reconnect {
                self.client = None;
            }
            if failure.then == Then::Report || Instant::now() >= deadline {
                return job.fail(failure.error);
            }
            attempt += 1;
            std::thread::sleep(pause(attempt));
        }
    }

    /// Runs the job once. `Ok` when its outcome stands.
    fn attempt(&mut self, job: &mut dyn Job) -> Result<(), Failure> {
        let client = match &mut self.client {
            Some(client) => client,
            None => {
                self.statements.clear();
                let client = connect(&self.address).map_err(|error| Failure {
                    error,
                    then: Then::Reconnect,
                })?;
                self.client.insert(client)
            }
        };
        let (isolation, read_only) = match job.access() {
            Access::Write | Access::Note => (IsolationLevel::Serializable, false),
            Access::Read => (IsolationLevel::RepeatableRead, true),
        };
        let mut transaction = client
            .build_transaction()
            .isolation_level(isolation)
            .read_only(read_only)
            .start()
            .map_err(|error| classify(&error))?;
        if job.access() == Access::Note {
            transaction
                .batch_execute("SET LOCAL synchronous_commit = off")
                .map_err(|error| classify(&error))?;
        }

        let verdict = job.run(&mut Running {
            transaction: &std::cell::RefCell::new(&mut transaction),
            statements: &mut self.statements,
        });
        match verdict {
            Verdict::Commit => transaction.commit().map_err(|error| {
                let mut failure = classify(&error);
                if failure.then == Then::Reconnect && job.access() != Access::Read {
                    self.client = None;
                    failure = StoreError::OutcomeUnknown(explain(&error)).into();
                }
                failure
            }),
            // The outcome stands even when the connection breaks now.
            Verdict::Rollback => {
                if transaction.rollback().is_err() {
                    self.client = None;
                }
                Ok(())
            }
            Verdict::Rerun(then) => {
                let _ = transaction.rollback();
                Err(Failure {
                    error: match then {
                        Then::Reconnect => StoreError::Unavailable("the connection broke".into()),
                        Then::Again | Then::Report => StoreError::Conflict,
                    },
                    then,
                })
            }
        }
    }
}

/// Full jitter: transactions that met once do not meet again in step.
fn pause(attempt: u32) -> Duration {
    let most = PAUSE.min(Duration::from_millis(1 << attempt.min(7)));
    let random = RandomState::new().build_hasher().finish();
    most.mul_f64(random as f64 / u64::MAX as f64)
}

/// A transaction with the statements that its connection has prepared.
struct Running<'a, 't> {
    transaction: &'a std::cell::RefCell<&'a mut Transaction<'t>>,
    statements: &'a mut HashMap<String, Statement>,
}

impl Running<'_, '_> {
    fn prepare(&mut self, sql: &str) -> Result<Statement, Failure> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self
            .transaction
            .borrow_mut()
            .prepare(sql)
            .map_err(|error| classify(&error))?;
        self.statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    fn parameters<'p>(
        statement: &Statement,
        params: &'p [Value],
    ) -> Result<Vec<&'p (dyn ToSql + Sync)>, Failure> {
        let count = statement.params().len();
        if count != params.len() {
            let message = format!("{count} parameters expected, {} given", params.len());
            return Err(StoreError::Statement(message).into());
        }
        Ok(params.iter().map(|value| value as _).collect())
    }
}

impl Connection for Running<'_, '_> {
    fn execute(&mut self, sql: &str, params: &[Value]) -> Result<u64, Failure> {
        let statement = self.prepare(sql)?;
        let params = Self::parameters(&statement, params)?;
        let result = self.transaction.borrow_mut().execute(&statement, &params);
        result.map_err(|error| classify(&error))
    }

    fn query(&mut self, sql: &str, params: &[Value]) -> Result<Vec<Row>, Failure> {
        let statement = self.prepare(sql)?;
        let params = Self::parameters(&statement, params)?;
        let result = self.transaction.borrow_mut().query(&statement, &params);
        let rows = result.map_err(|error| classify(&error))?;
        rows.iter().map(decode).collect()
    }

    fn notify(&mut self) -> Result<(), Failure> {
        let result = self.transaction.borrow_mut().batch_execute(notice::NOTIFY);
        result.map_err(|error| classify(&error))
    }
}

fn decode(row: &postgres::Row) -> Result<Row, Failure> {
    fn or_null<T: Into<Value>>(value: Option<T>) -> Value {
        value.map_or(Value::Null, Into::into)
    }
    let value = |(index, column): (usize, &postgres::Column)| match *column.type_() {
        Type::INT8 => row.try_get(index).map(or_null::<i64>),
        Type::INT4 => row.try_get(index).map(or_null::<i32>),
        Type::BOOL => row.try_get(index).map(or_null::<bool>),
        Type::BYTEA => row.try_get(index).map(or_null::<Vec<u8>>),
        _ => row.try_get(index).map(or_null::<String>),
    };
    let values = row.columns().iter().enumerate().map(value);
    match values.collect() {
        Ok(values) => Ok(Row::new(values)),
        Err(error) => Err(classify(&error)),
    }
}

impl ToSql for Value {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match (self, ty) {
            (Value::Null, _) => Ok(IsNull::Yes),
            (Value::Int(value), &Type::INT4) => i32::try_from(*value)?.to_sql(ty, out),
            (Value::Int(value), &Type::INT8) => value.to_sql(ty, out),
            (Value::Text(value), &Type::TEXT | &Type::VARCHAR) => value.to_sql(ty, out),
            (Value::Bytes(value), &Type::BYTEA) => value.to_sql(ty, out),
            (value, ty) => Err(format!("{} for a parameter of type {ty}", value.kind()).into()),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// What an error is, and what it means for the transaction.
fn classify(error: &postgres::Error) -> Failure {
    let message = explain(error);
    let Some(code) = error.code() else {
        // No word from the server: either the connection broke, or a value did
        // not fit its column before anything was sent.
        return match error.is_closed() || is_io(error) {
            true => Failure {
                error: StoreError::Unavailable(message),
                then: Then::Reconnect,
            },
            false => StoreError::Statement(message).into(),
        };
    };
    let again = |error| Failure {
        error,
        then: Then::Again,
    };
    let constraint = |kind| StoreError::Constraint {
        kind,
        message: message.clone(),
    };
    match *code {
        SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED => {
            again(StoreError::Conflict)
        }
        SqlState::UNIQUE_VIOLATION => constraint(Constraint::Unique).into(),
        SqlState::FOREIGN_KEY_VIOLATION => constraint(Constraint::ForeignKey).into(),
        SqlState::NOT_NULL_VIOLATION => constraint(Constraint::NotNull).into(),
        SqlState::CHECK_VIOLATION => constraint(Constraint::Check).into(),
        // The server is going down, starting up or full.
        SqlState::ADMIN_SHUTDOWN
        | SqlState::CRASH_SHUTDOWN
        | SqlState::CANNOT_CONNECT_NOW
        | SqlState::TOO_MANY_CONNECTIONS => Failure {
            error: StoreError::Unavailable(message),
            then: Then::Reconnect,
        },
        _ => StoreError::Statement(message).into(),
    }
}

fn is_io(error: &postgres::Error) -> bool {
    std::error::Error::source(error).is_some_and(|source| source.is::<std::io::Error>())
}

/// The library's errors say little without their source. The server's `DETAIL`
/// holds values of the row and is left out.
pub(super) fn explain(error: &postgres::Error) -> String {
    match (error.as_db_error(), std::error::Error::source(error)) {
        (Some(database), _) => format!("{} ({})", database.message(), database.code().code()),
        (None, Some(source)) => format!("{error}: {source}"),
        (None, None) => error.to_string(),
    }
}
