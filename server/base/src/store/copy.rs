//! Copies of a SQLite database while other processes use it.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};

use super::StoreError;

/// The timeout for another process that locks the whole database.
const TIMEOUT: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(50);

/// Copies a database into an empty file, in one read transaction. The copy has every write that was
/// acknowledged before, and writers do not wait.
///
/// # Errors
///
/// When one of the files cannot be read or written.
pub fn copy(from: &Path, to: &Path) -> Result<(), StoreError> {
    let source = open(from, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let mut target = open(to, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let failed = |error: rusqlite::Error| unavailable(from, &error);
    target
        .pragma_update(None, "synchronous", "OFF")
        .map_err(failed)?;
    let backup = Backup::new(&source, &mut target).map_err(failed)?;
    let deadline = Instant::now() + TIMEOUT;
    // With several steps, each write in between would restart the copy.
    while backup.step(-1).map_err(failed)? != StepResult::Done {
        if Instant::now() > deadline {
            let message = format!("{}: another process locks the database", from.display());
            return Err(StoreError::Unavailable(message));
        }
        std::thread::sleep(PAUSE);
    }
    drop(backup);
    // The copy is one file without a log. The service sets its own mode when it opens the database.
    target
        .pragma_update(None, "journal_mode", "DELETE")
        .map_err(failed)
}

/// Checks the integrity of a database file.
///
/// # Errors
///
/// The first damage.
pub fn check(path: &Path) -> Result<(), StoreError> {
    let database = open(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let failed = |error: rusqlite::Error| unavailable(path, &error);
    let found: String = database
        .query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
        .map_err(failed)?;
    match found.as_str() {
        "ok" => Ok(()),
        _ => Err(StoreError::Unavailable(format!(
            "{}: {found}",
            path.display()
        ))),
    }
}

fn open(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let open = || {
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(TIMEOUT)?;
        Ok(connection)
    };
    open().map_err(|error| unavailable(path, &error))
}

fn unavailable(path: &Path, error: &rusqlite::Error) -> StoreError {
    StoreError::Unavailable(format!("{}: {error}", path.display()))
}
