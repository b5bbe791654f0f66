//! Copies of a SQLite database while other processes use it.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};
use tempfile::NamedTempFile;

use super::StoreError;

/// The timeout for another process that locks the whole database.
const TIMEOUT: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(50);

/// The place in a database file of two numbers: 2 if the database has a write-ahead log, or else 1.
const FORMATS: u64 = 18;

/// Copies a database into an empty file, in one read transaction. The copy has every write that was
/// acknowledged before, and writers do not wait. The file loses its name before it has data, so that a
/// killed command leaves no copy.
///
/// # Errors
///
/// When one of the files cannot be read or written.
pub fn copy(from: &Path, to: NamedTempFile) -> Result<File, StoreError> {
    let source = open(from, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let mut target = open(to.path(), OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let failed = |error: rusqlite::Error| StoreError::of_file(from, error);
    // SQLite cannot have a journal beside a file without a name, and a failed copy is dropped.
    for pragma in ["synchronous", "journal_mode"] {
        target.pragma_update(None, pragma, "OFF").map_err(failed)?;
    }
    let mut file = to.into_file();
    let backup = Backup::new(&source, &mut target).map_err(failed)?;
    let deadline = Instant::now() + TIMEOUT;
    // With several steps, each write in between would restart the copy.
    while backup.step(-1).map_err(failed)? != StepResult::Done {
        if Instant::now() > deadline {
            return Err(StoreError::of_file(
                from,
                "another process locks the database",
            ));
        }
        std::thread::sleep(PAUSE);
    }
    drop(backup);
    drop(target);
    mark_without_log(&mut file).map_err(|error| StoreError::of_file(from, error))?;
    Ok(file)
}

/// Marks the copy as one file without a log. The service sets its own mode when it opens the database.
fn mark_without_log(copy: &mut File) -> io::Result<()> {
    if copy.metadata()?.len() > 0 {
        copy.seek(SeekFrom::Start(FORMATS))?;
        copy.write_all(&[1, 1])?;
    }
    copy.rewind()
}

/// Checks the integrity of a database file.
///
/// # Errors
///
/// The first damage.
pub fn check(path: &Path) -> Result<(), StoreError> {
    let database = open(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let failed = |error: rusqlite::Error| StoreError::of_file(path, error);
    let found: String = database
        .query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
        .map_err(failed)?;
    match found.as_str() {
        "ok" => Ok(()),
        _ => Err(StoreError::of_file(path, found)),
    }
}

fn open(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let open = || {
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(TIMEOUT)?;
        Ok(connection)
    };
    open().map_err(|error: rusqlite::Error| StoreError::of_file(path, error))
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn the_copy_of_a_database_loses_its_name_before_it_has_data() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("accord.db");
        let writer = Connection::open(&path).unwrap();
        let locked = writer.execute_batch("CREATE TABLE a (x); BEGIN EXCLUSIVE;");
        locked.unwrap();
        let to = NamedTempFile::new_in(directory.path()).unwrap();
        let name = to.path().to_owned();
        let copying = std::thread::spawn(move || copy(&path, to));
        let deadline = Instant::now() + TIMEOUT / 2;
        while name.exists() && Instant::now() < deadline {
            std::thread::sleep(PAUSE);
        }
        assert!(!name.exists());
        assert!(!copying.is_finished(), "the copy waits for the lock");
        writer.execute_batch("COMMIT;").unwrap();
        let mut text = Vec::new();
        let mut copied = copying.join().unwrap().unwrap();
        copied.read_to_end(&mut text).unwrap();
        assert!(text.starts_with(b"SQLite format 3\0"));
    }

    #[test]
    fn the_copy_of_a_database_with_a_log_is_one_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("accord.db");
        let writer = Connection::open(&path).unwrap();
        let written = writer.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE a (x);");
        written.unwrap();
        let to = NamedTempFile::new_in(directory.path()).unwrap();
        let mut copied = copy(&path, to).unwrap();
        let restored = directory.path().join("restored.db");
        io::copy(&mut copied, &mut File::create(&restored).unwrap()).unwrap();
        check(&restored).unwrap();
        let text = std::fs::read(&restored).unwrap();
        assert_eq!(text[18..20], [1, 1]);
        assert!(!directory.path().join("restored.db-wal").exists());
    }
}
