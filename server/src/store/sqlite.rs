//! SQLite: an embedded file, for one replica.
//!
//! A durable commit costs a flush of the disk, some milliseconds, whatever its
//! size. One writer thread therefore takes all jobs that wait and commits them
//! together, each inside a savepoint of its own, so that one can fail without
//! the others; and no job is answered before the common commit is on disk.
//! Readers work beside it on the write-ahead log, each in a snapshot.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::types::ValueRef;
use rusqlite::{Connection as Handle, ErrorCode, OpenFlags, Statement};

use super::job::{Access, Job, TxOutcome};
use super::queue::{JobReceiver, queue, spawn};
use super::tx::{Connection, Failure};
use super::{Constraint, Row, Store, StoreError, Value, migrations};

/// Jobs that share one commit. More would make the first of them wait.
const BATCH: usize = 128;
const READERS: usize = 4;
/// How long to wait for another process that is writing to the same file.
const BUSY: Duration = Duration::from_secs(10);
const STATEMENTS: usize = 128;
/// Pages of the log after which the writer copies them into the database, and
/// everybody waits for it: 64 MiB. At a thousand, SQLite's default, the writer
/// of a busy service does that twenty times a second.
const CHECKPOINT: i64 = 16_384;
/// KiB of pages that the writer keeps, and that a reader keeps.
const CACHE: [i64; 2] = [16_384, 2_048];

pub(super) fn open(path: &Path) -> Result<Store, StoreError> {
    create_private(path)?;
    let writer = connect(path, false)?;
    migrate(&writer)?;

    let file = OpenedFile::new(path);
    let (writes, receiver) = queue();
    spawn("store-writer", move || {
        write_loop(&writer, &receiver, &file)
    })?;

    let (reads, receiver) = queue();
    for _ in 0..READERS {
        let (reader, receiver) = (connect(path, true)?, receiver.clone());
        spawn("store-reader", move || read_loop(&reader, &receiver))?;
    }
    Ok(Store::new(
        Arc::new(reads),
        Arc::new(writes),
        format!("SQLite, {}", path.display()),
        None,
    ))
}

/// The database's file as it was when it was opened. Whoever deletes or replaces
/// it leaves this process with a file that has no name: what is written there is
/// acknowledged, and gone with the process.
struct OpenedFile {
    path: PathBuf,
    identity: Option<(u64, u64)>,
}

impl OpenedFile {
    fn new(path: &Path) -> OpenedFile {
        OpenedFile {
            path: path.to_owned(),
            identity: identity(path),
        }
    }

    /// Whether it is still there.
    fn check(&self) -> Result<(), StoreError> {
        let identity = identity(&self.path);
        match identity.is_some() && identity == self.identity {
            true => Ok(()),
            false => Err(StoreError::Unavailable(format!(
                "{} was deleted or replaced while it was in use. Stop the service, put the \
                 file back, and start it again",
                self.path.display()
            ))),
        }
    }
}

/// The identity of a file.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<(u64, u64)> {
    path.exists().then_some((0, 0))
}

/// Creates the file for its owner only; the log beside it gets the same rights.
fn create_private(path: &Path) -> Result<(), StoreError> {
    let mut options = std::fs::OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => Ok(()),
        Err(error) => Err(StoreError::Unavailable(format!(
            "{}: {error}",
            path.display()
        ))),
    }
}

fn connect(path: &Path, reader: bool) -> Result<Handle, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let open = || {
        let handle = Handle::open_with_flags(path, flags)?;
        handle.busy_timeout(BUSY)?;
        handle.set_prepared_statement_cache_capacity(STATEMENTS);
        handle.pragma_update(None, "journal_mode", "WAL")?;
        handle.pragma_update(None, "synchronous", "FULL")?;
        handle.pragma_update(None, "foreign_keys", "ON")?;
        handle.pragma_update(None, "trusted_schema", "OFF")?;
        handle.pragma_update(None, "wal_autocheckpoint", CHECKPOINT)?;
        handle.pragma_update(None, "cache_size", -CACHE[usize::from(reader)])?;
        handle.pragma_update(None, "query_only", reader)?;
        Ok(handle)
    };
    open().map_err(|error: rusqlite::Error| {
        StoreError::Unavailable(format!("{}: {error}", path.display()))
    })
}

fn migrate(handle: &Handle) -> Result<(), StoreError> {
    // IMMEDIATE waits for another process that is migrating.
    batch(handle, "BEGIN IMMEDIATE")?;
    match migrations::run(&mut &*handle, migrations::Dialect::Sqlite) {
        Ok(()) => batch(handle, "COMMIT"),
        Err(error) => {
            let _ = batch(handle, "ROLLBACK");
            Err(error)
        }
    }
}

fn read_loop(handle: &Handle, receiver: &JobReceiver) {
    while let Some(mut job) = receiver.next() {
        if job.access() == Access::ReadOne {
            job.run(&mut &*handle);
            job.finish();
            continue;
        }
        match run(handle, "BEGIN") {
            Ok(()) => {
                job.run(&mut &*handle);
                if let Err(error) = run(handle, "ROLLBACK") {
                    job.fail(error);
                }
            }
            Err(error) => job.fail(error),
        }
        job.finish();
    }
}

fn write_loop(handle: &Handle, receiver: &JobReceiver, file: &OpenedFile) {
    let mut flushes = true;
    let mut was_there = true;
    while let Some(mut waiting) = receiver.next_few(BATCH) {
        let is_durable = waiting
            .iter()
            .any(|job| job.access() != Access::WriteRelaxed);
        let there = file.check();
        if let (true, Err(error)) = (was_there, &there) {
            tracing::error!(%error, "nothing is written any more");
        }
        was_there = there.is_ok();
        let ready = there.and_then(|()| flush(handle, &mut flushes, is_durable));
        if let Err(error) = ready.and_then(|()| commit_together(handle, &mut waiting)) {
            if !handle.is_autocommit() {
                let _ = batch(handle, "ROLLBACK");
            }
            // Also the jobs that failed by themselves: what they saw of the
            // others has not happened.
            waiting.iter_mut().for_each(|job| job.fail(error.clone()));
        }
        waiting.into_iter().for_each(Job::finish);
    }
}

/// Makes the next commit wait for the disk, or not. A commit that does takes
/// everything before it to the disk as well.
fn flush(handle: &Handle, flushes: &mut bool, wanted: bool) -> Result<(), StoreError> {
    if *flushes != wanted {
        let level = if wanted { "FULL" } else { "NORMAL" };
        handle
            .pragma_update(None, "synchronous", level)
            .map_err(convert)?;
        *flushes = wanted;
    }
    Ok(())
}

fn commit_together(handle: &Handle, jobs: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
    run(handle, "BEGIN IMMEDIATE")?;
    for job in jobs {
        run(handle, "SAVEPOINT job")?;
        let tx_outcome = job.run(&mut &*handle);
        if handle.is_autocommit() {
            // A full disk and the like make SQLite roll everything back.
            return Err(StoreError::Unavailable(
                "the database rolled the transaction back".into(),
            ));
        }
        match tx_outcome {
            TxOutcome::Commit => run(handle, "RELEASE job")?,
            // With one writer there is nobody to lose against.
            TxOutcome::Rollback | TxOutcome::Rerun(_) => {
                run(handle, "ROLLBACK TO job")?;
                run(handle, "RELEASE job")?;
            }
        }
    }
    run(handle, "COMMIT")
}

/// A statement that is run all the time.
fn run(handle: &Handle, sql: &str) -> Result<(), StoreError> {
    let run = || handle.prepare_cached(sql)?.raw_execute();
    run().map(drop).map_err(convert)
}

fn batch(handle: &Handle, sql: &str) -> Result<(), StoreError> {
    handle.execute_batch(sql).map_err(convert)
}

impl Connection for &Handle {
    fn execute(&mut self, sql: &str, params: &[Value]) -> Result<u64, Failure> {
        let run = || {
            let mut statement = self.prepare_cached(sql)?;
            bind(&mut statement, params)?;
            statement.raw_execute()
        };
        Ok(run().map_err(convert)? as u64)
    }

    fn query(&mut self, sql: &str, params: &[Value]) -> Result<Vec<Row>, Failure> {
        let run = || {
            let mut statement = self.prepare_cached(sql)?;
            bind(&mut statement, params)?;
            let columns = statement.column_count();
            let mut rows = statement.raw_query();
            let mut result = Vec::new();
            while let Some(row) = rows.next()? {
                let values = (0..columns).map(|index| decode(index, row.get_ref(index)?));
                result.push(Row::new(values.collect::<Result<_, _>>()?));
            }
            Ok(result)
        };
        Ok(run().map_err(convert)?)
    }

    fn script(&mut self, sql: &str) -> Result<(), Failure> {
        Ok(batch(self, sql)?)
    }
}

/// SQLite takes `$1` for a name and numbers names by their first appearance,
/// so each parameter is looked up by its name.
fn bind(statement: &mut Statement<'_>, params: &[Value]) -> rusqlite::Result<()> {
    let count = statement.parameter_count();
    if count != params.len() {
        return Err(rusqlite::Error::InvalidParameterCount(params.len(), count));
    }
    for (position, value) in params.iter().enumerate() {
        let name = format!("${}", position + 1);
        let Some(index) = statement.parameter_index(&name)? else {
            return Err(rusqlite::Error::InvalidParameterName(name));
        };
        match value {
            Value::Null => statement.raw_bind_parameter(index, rusqlite::types::Null)?,
            Value::Int(value) => statement.raw_bind_parameter(index, value)?,
            Value::Text(value) => statement.raw_bind_parameter(index, value)?,
            Value::Bytes(value) => statement.raw_bind_parameter(index, value)?,
        }
    }
    Ok(())
}

fn decode(index: usize, value: ValueRef<'_>) -> rusqlite::Result<Value> {
    Ok(match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(value) => Value::Int(value),
        ValueRef::Blob(value) => Value::Bytes(value.to_vec()),
        ValueRef::Text(value) => Value::Text(
            std::str::from_utf8(value)
                .map_err(|error| rusqlite::Error::Utf8Error(index, error))?
                .to_owned(),
        ),
        ValueRef::Real(_) => {
            return Err(rusqlite::Error::InvalidColumnType(
                index,
                String::new(),
                rusqlite::types::Type::Real,
            ));
        }
    })
}

fn convert(error: rusqlite::Error) -> StoreError {
    use rusqlite::ffi;
    let message = error.to_string();
    let Some(code) = error.sqlite_error() else {
        return StoreError::Statement(message);
    };
    let kind = match code.extended_code {
        ffi::SQLITE_CONSTRAINT_UNIQUE
        | ffi::SQLITE_CONSTRAINT_PRIMARYKEY
        | ffi::SQLITE_CONSTRAINT_ROWID => Some(Constraint::Unique),
        ffi::SQLITE_CONSTRAINT_FOREIGNKEY => Some(Constraint::ForeignKey),
        ffi::SQLITE_CONSTRAINT_NOTNULL => Some(Constraint::NotNull),
        ffi::SQLITE_CONSTRAINT_CHECK => Some(Constraint::Check),
        _ => None,
    };
    match (kind, code.code) {
        (Some(kind), _) => StoreError::Constraint { kind, message },
        (
            None,
            ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::DiskFull
            | ErrorCode::SystemIoFailure
            | ErrorCode::CannotOpen
            | ErrorCode::OutOfMemory,
        ) => StoreError::Unavailable(message),
        (None, _) => StoreError::Statement(message),
    }
}
