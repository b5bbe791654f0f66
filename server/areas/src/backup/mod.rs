//! Backups: the server keys and, if it is a SQLite file, the database, in one encrypted file.
//!
//! The database is useless without the keys, and the keys must not lie beside it in plain text. So one
//! file has both, encrypted with a passphrase ([`sealed`]). The plain text is a line of JSON
//! ([`Contents`]), the text of the server keys, and the database file.
//!
//! One read transaction copies the database. The copy has every write that was acknowledged before
//! the transaction began, and writes continue meanwhile.

mod error;
mod sealed;

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;
use zeroize::Zeroizing;

use crate::config::Config;
use crate::kernel::Random;
use crate::kernel::files::{self, make_private};
use crate::kernel::keyring::{KeySource, text};
use crate::store;

pub use error::BackupError;
use sealed::{Opener, Sealer};

/// The maximum size of the first line in bytes.
const MAX_LINE: usize = 4096;
/// The maximum size of the server keys in bytes.
const MAX_KEYS: u64 = 1 << 20;

/// The content of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contents {
    /// The version of the program that created the backup.
    pub version: String,
    /// The time of creation, in Unix milliseconds.
    pub created_at: i64,
    /// The size of the server keys in bytes.
    pub keys_bytes: u64,
    /// The size of the database in bytes. `None` if the database is PostgreSQL.
    pub database_bytes: Option<u64>,
}

/// Writes a backup into a new file.
///
/// # Errors
///
/// When the file exists or cannot be written, or the keys or the database cannot be read. An error
/// leaves no file.
pub fn create(
    config: &Config,
    random: &dyn Random,
    created_at: i64,
    passphrase: &str,
    file: &Path,
) -> Result<Contents, BackupError> {
    if file.exists() {
        return Err(BackupError::exists(file));
    }
    let database = match store::file(config.database_url().expose()) {
        Some(database) => Some(copy_of(&database)?),
        None => None,
    };
    let database_bytes = match &database {
        Some(database) => Some(database.metadata()?.len()),
        None => None,
    };
    // After the copy, which may already need a new key.
    let keys = KeySource::of(&config.server).text()?;
    let contents = Contents {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        created_at,
        keys_bytes: keys.len().try_into().unwrap_or(u64::MAX),
        database_bytes,
    };
    let line = serde_json::to_string(&contents).map_err(io::Error::other)?;

    let mut partial = temporary(file)?;
    let mut sealer = Sealer::new(BufWriter::new(&mut partial), passphrase, random.bytes())?;
    sealer.write_all(line.as_bytes())?;
    sealer.write_all(b"\n")?;
    sealer.write_all(keys.as_bytes())?;
    if let Some(database) = database {
        io::copy(&mut BufReader::new(database), &mut sealer)?;
    }
    sealer.finish()?.flush()?;
    link_new(partial, file)?;
    Ok(contents)
}

/// Creates a temporary file in the directory of `path`.
fn temporary(path: &Path) -> Result<NamedTempFile, BackupError> {
    files::temporary(path).map_err(BackupError::at(path))
}

/// Gives a complete file its final path, which must not exist.
fn link_new(complete: NamedTempFile, path: &Path) -> Result<(), BackupError> {
    files::link(complete, path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => BackupError::exists(path),
        _ => BackupError::at(path)(error),
    })
}

/// Copies a SQLite database to a file without a name on the same disk, so that a killed command leaves no
/// copy in plain text.
fn copy_of(database: &Path) -> Result<File, BackupError> {
    let copy = store::copy(database, temporary(database)?)?;
    Ok(copy)
}

/// Writes the server keys and the database of a backup to their configured places. Replaces no file.
///
/// # Errors
///
/// When the passphrase is wrong, the file is damaged, or a database or another key exists. An error
/// leaves no database.
pub fn restore(config: &Config, passphrase: &str, file: &Path) -> Result<Contents, BackupError> {
    let from = File::open(file).map_err(BackupError::at(file))?;
    let mut opener = Opener::new(BufReader::new(from), passphrase)?;
    let contents = read_contents(&mut opener)?;
    let mut keys = Zeroizing::new(String::new());
    opener
        .by_ref()
        .take(contents.keys_bytes)
        .read_to_string(&mut keys)?;
    text::parse(&keys, "the backup")?;
    let database = match (
        contents.database_bytes,
        store::file(config.database_url().expose()),
    ) {
        (Some(bytes), Some(database)) => Some((bytes, database)),
        (None, None) => None,
        (Some(_), None) => return Err(BackupError::HasDatabase),
        (None, Some(_)) => return Err(BackupError::HasNoDatabase),
    };
    make_private(&config.server.data_dir).map_err(BackupError::at(&config.server.data_dir))?;
    let restored = match database {
        Some((bytes, database)) => Some((extract(&mut opener, bytes, &database)?, database)),
        None => None,
    };
    // The end is authenticated: only now the backup is known to be complete.
    if opener.read(&mut [0])? > 0 {
        return Err(BackupError::Unreadable);
    }
    put_keys(config, &keys)?;
    if let Some((copy, database)) = restored {
        link_new(copy, &database)?;
    }
    Ok(contents)
}

fn read_contents(from: &mut impl Read) -> Result<Contents, BackupError> {
    let (mut line, mut byte) = (Vec::new(), [0]);
    while line.len() < MAX_LINE && from.read(&mut byte)? > 0 && byte != *b"\n" {
        line.push(byte[0]);
    }
    let contents: Contents = serde_json::from_slice(&line).map_err(|_| BackupError::Unreadable)?;
    match contents.keys_bytes <= MAX_KEYS {
        true => Ok(contents),
        false => Err(BackupError::Unreadable),
    }
}

/// Writes the database to a temporary file in its directory, and checks it.
fn extract(
    from: &mut impl Read,
    bytes: u64,
    database: &Path,
) -> Result<NamedTempFile, BackupError> {
    // SQLite would apply the log of an old database to the new one.
    for end in ["", "-wal", "-shm", "-journal"] {
        let mut path = database.as_os_str().to_owned();
        path.push(end);
        let path = PathBuf::from(path);
        if path.exists() {
            return Err(BackupError::exists(&path));
        }
    }
    let mut copy = temporary(database)?;
    let written = io::copy(&mut from.take(bytes), &mut copy)?;
    if written != bytes {
        return Err(BackupError::Unreadable);
    }
    store::check(copy.path())?;
    Ok(copy)
}

/// Writes the key file. If this machine has keys, checks that the keys of the backup are among them.
fn put_keys(config: &Config, keys: &str) -> Result<(), BackupError> {
    let source = KeySource::of(&config.server);
    if let KeySource::File(file) = &source
        && !file.is_mounted()
        && !file.path().exists()
    {
        let mut partial = temporary(file.path())?;
        let written = partial.write_all(keys.as_bytes());
        written.map_err(BackupError::at(file.path()))?;
        return link_new(partial, file.path());
    }
    let here = source.read()?;
    let is_here = |name| here.iter().any(|one| one.name() == name);
    let backed_up = text::parse(keys, "the backup")?;
    match backed_up.iter().find(|one| !is_here(one.name())) {
        Some(missing) => Err(BackupError::OtherKeys(missing.name())),
        None => Ok(()),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_copy_of_a_database_has_no_name() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("accord.db");
        let store = store::Store::open(&format!("sqlite:{}", path.display())).await;
        let _store = store.unwrap();
        let copy = copy_of(&path).unwrap();
        let mut beginning = [0; 6];
        (&copy).read_exact(&mut beginning).unwrap();
        assert_eq!(&beginning, b"SQLite");
        for file in std::fs::read_dir(directory.path()).unwrap() {
            let name = file.unwrap().file_name();
            let known = ["accord.db", "accord.db-wal", "accord.db-shm"];
            assert!(known.iter().any(|known| name == *known), "{name:?}");
        }
    }
}
