//! SQLite: an embedded file, for one replica.
//!
//! A durable commit of any size costs a flush of the disk, some milliseconds.
//! So one writer thread takes all waiting jobs and commits them together, each
//! in a savepoint of its own, so that one can fail without the others. No
//! outcome is sent before the common commit is on disk. Readers use snapshots
//! of the write-ahead log.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::types::ValueRef;
use rusqlite::{Connection as Handle, ErrorCode, OpenFlags, Statement};

use super::job::{Access, Job, TxOutcome};
use super::migrations::{self, Dialect, MigrationMode};
use super::queue::{JobReceiver, queue, spawn};
use super::tx::{Connection, Failure};
use super::{Constraint, Row, Store, StoreError, Value};

/// Maximum number of jobs in one commit. With more, the first of them would
/// wait too long.
const BATCH: usize = 128;
const READERS: usize = 4;
/// The timeout for another process that writes to the same file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// The pause between two attempts to switch a new file to a write-ahead log.
const SWITCH_PAUSE: Duration = Duration::from_millis(20);
const MAX_PREPARED: usize = 128;
/// The number of pages of the log after which the writer copies them into the
/// database while all jobs wait: 64 MiB. With SQLite's default of a thousand
/// pages, the writer of a busy service would do this twenty times a second.
const CHECKPOINT: i64 = 16_384;
/// The maximum of a connection's page cache, in KiB. With SQLite's default of 2,000, a reader of a large
/// database reads most pages from the file again.
const CACHE: i64 = 16_384;

pub(super) fn open(path: &Path, mode: MigrationMode) -> Result<Store, StoreError> {
    if let (MigrationMode::Check, Some(first)) = (mode, missing(path)?.first()) {
        return Err(migrations::not_applied(first));
    }
    create_private(path)?;
    let writer = connect(path, false)?;
    migrate(&writer, mode)?;

    let file = OpenedFile::new(path);
    let (writes, receiver) = queue(1);
    spawn("store-writer", move || {
        write_loop(&writer, &receiver, &file)
    })?;

    let (reads, receiver) = queue(READERS);
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

/// The identity of the database's file when it was opened. If the file is
/// deleted or replaced, this process writes into a file without a name, and
/// loses the acknowledged data when it ends.
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

    /// Checks that the file still exists.
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

/// Creates the file for its owner only. SQLite gives the log the same
/// permissions.
fn create_private(path: &Path) -> Result<(), StoreError> {
    let mut options = std::fs::OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let opened = options.open(path).map(drop);
    opened.map_err(|error| StoreError::of_file(path, error))
}

fn connect(path: &Path, reader: bool) -> Result<Handle, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let open = || {
        let handle = Handle::open_with_flags(path, flags)?;
        handle.busy_timeout(BUSY_TIMEOUT)?;
        handle.set_prepared_statement_cache_capacity(MAX_PREPARED);
        switch_to_log(&handle)?;
        handle.pragma_update(None, "synchronous", "FULL")?;
        handle.pragma_update(None, "foreign_keys", "ON")?;
        handle.pragma_update(None, "trusted_schema", "OFF")?;
        handle.pragma_update(None, "wal_autocheckpoint", CHECKPOINT)?;
        handle.pragma_update(None, "cache_size", -CACHE)?;
        handle.pragma_update(None, "query_only", reader)?;
        Ok(handle)
    };
    open().map_err(|error: rusqlite::Error| StoreError::of_file(path, error))
}

/// Switches a new file to a write-ahead log. The switch upgrades a lock, for which SQLite never waits: it
/// fails at once while another process makes the same switch.
fn switch_to_log(handle: &Handle) -> rusqlite::Result<()> {
    let deadline = Instant::now() + BUSY_TIMEOUT;
    loop {
        let switched = handle.pragma_update(None, "journal_mode", "WAL");
        let code = switched
            .as_ref()
            .err()
            .and_then(rusqlite::Error::sqlite_error_code);
        if code != Some(ErrorCode::DatabaseBusy) || Instant::now() >= deadline {
            return switched;
        }
        std::thread::sleep(SWITCH_PAUSE);
    }
}

/// The names of missing migrations. A missing file stays missing.
pub(super) fn missing(path: &Path) -> Result<Vec<&'static str>, StoreError> {
    match path.exists() {
        true => migrations::missing_names(&mut &connect(path, true)?, Dialect::Sqlite),
        false => Ok(migrations::all_names()),
    }
}

fn migrate(handle: &Handle, mode: MigrationMode) -> Result<(), StoreError> {
    // IMMEDIATE waits for another process that is migrating.
    batch(handle, "BEGIN IMMEDIATE")?;
    match migrations::run(&mut &*handle, Dialect::Sqlite, mode) {
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
            tracing::error!(%error, "writes are disabled");
        }
        was_there = there.is_ok();
        let ready = there.and_then(|()| flush(handle, &mut flushes, is_durable));
        if let Err(error) = ready.and_then(|()| commit_together(handle, &mut waiting)) {
            if !handle.is_autocommit() {
                let _ = batch(handle, "ROLLBACK");
            }
            // Jobs that failed by themselves also get this error, because they
            // may have read undone changes of the others.
            waiting.iter_mut().for_each(|job| job.fail(error.clone()));
        }
        waiting.into_iter().for_each(Job::finish);
    }
}

/// Sets whether the next commit waits for the disk. Such a commit also flushes
/// all earlier ones.
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
            // Some errors, such as a full disk, make SQLite roll back the whole
            // transaction.
            return Err(StoreError::Unavailable(
                "the database rolled the transaction back".into(),
            ));
        }
        match tx_outcome {
            TxOutcome::Commit => run(handle, "RELEASE job")?,
            // With one writer there are no conflicts.
            TxOutcome::Rollback | TxOutcome::Rerun(_) => {
                run(handle, "ROLLBACK TO job")?;
                run(handle, "RELEASE job")?;
            }
        }
    }
    run(handle, "COMMIT")
}

/// Runs a frequent statement, which stays prepared.
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

/// SQLite treats `$1` as a name and numbers names by their first appearance, so
/// each parameter is looked up by its name.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_can_be_opened_while_another_process_switches_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("accord.db");
        let other = Handle::open(&path).unwrap();
        other.busy_timeout(BUSY_TIMEOUT).unwrap();
        other
            .execute_batch("BEGIN IMMEDIATE; CREATE TABLE other (a BIGINT)")
            .unwrap();
        let opening = std::thread::spawn(move || connect(&path, false).map(drop));
        std::thread::sleep(10 * SWITCH_PAUSE);
        assert!(!opening.is_finished());
        other.execute_batch("COMMIT").unwrap();
        opening.join().unwrap().unwrap();
    }
}
