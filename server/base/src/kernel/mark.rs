//! The mark of a SQLite database: a file in the data directory that names the database file.
//!
//! A database file that is missing at start was deleted or moved, or its volume is not mounted.
//! SQLite would create a new one and hide that everything is lost. So the first start writes a
//! mark, and no later start creates a database while the mark exists, wherever the database
//! and the server key are.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{KernelError, files};

/// The name of the mark.
const MARK: &str = "database.mark";

/// The database file of a URL, and the directory of its mark.
pub(super) struct Mark {
    path: PathBuf,
    database: PathBuf,
}

impl Mark {
    /// None for a database that is not a file.
    pub(super) fn of(data_directory: &Path, database_url: &str) -> Option<Mark> {
        Some(Mark {
            path: data_directory.join(MARK),
            database: crate::store::file(database_url)?,
        })
    }

    /// Fails if the database is missing, but the mark or a server key beside it shows that
    /// there was one. Stores of earlier versions have no mark.
    pub(super) fn check(&self, server_key: Option<&Path>) -> Result<(), KernelError> {
        if self.database.exists() {
            return Ok(());
        }
        let directory = |path: &Path| path.parent().and_then(|path| path.canonicalize().ok());
        let is_witness = |key: &&Path| key.exists() && directory(key) == directory(&self.database);
        let named = std::fs::read_to_string(&self.path).unwrap_or_default();
        let mark = self.path.is_file().then(|| match named.trim() {
            "" => self.path.display().to_string(),
            named => format!("{} (for {named})", self.path.display()),
        });
        let key = server_key.filter(is_witness);
        let key = key.map(|key| key.display().to_string());
        let witnesses: Vec<_> = mark.into_iter().chain(key).collect();
        match witnesses.is_empty() {
            true => Ok(()),
            false => Err(KernelError::LostDatabase {
                database: self.database.display().to_string(),
                witnesses: witnesses.join(" and "),
            }),
        }
    }

    /// Names the database, which is open. A database that has the path of the mark has none.
    pub(super) fn write(&self) -> io::Result<()> {
        let database = self.database.canonicalize()?;
        if self.path.canonicalize().is_ok_and(|path| path == database) {
            return Ok(());
        }
        let text = format!("{}\n", database.display());
        if std::fs::read_to_string(&self.path).is_ok_and(|known| known == text) {
            return Ok(());
        }
        let mut file = files::temporary(&self.path)?;
        file.write_all(text.as_bytes())?;
        files::replace(file, &self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark_of(data_directory: &Path, database: &Path) -> Mark {
        let url = format!("sqlite:{}", database.display());
        Mark::of(data_directory, &url).expect("a file")
    }

    #[test]
    fn a_mark_does_not_overwrite_the_database() {
        let directory = tempfile::tempdir().expect("a directory");
        for name in ["database", MARK] {
            let database = directory.path().join(name);
            std::fs::write(&database, b"\xff").expect("written");
            let mark = mark_of(directory.path(), &database);
            mark.write().expect("a mark");
            assert_eq!(std::fs::read(&database).expect("readable"), b"\xff");
            assert!(mark.check(None).is_ok());
        }
    }

    #[test]
    fn a_mark_is_replaced_as_a_whole() {
        let directory = tempfile::tempdir().expect("a directory");
        let database = directory.path().join("accord.db");
        std::fs::write(&database, "").expect("written");
        let mark = mark_of(directory.path(), &database);
        // A replaced file is another one, and a file of another user cannot be written.
        std::fs::write(&mark.path, "/elsewhere/accord.db\n").expect("written");
        let old = std::fs::File::open(&mark.path).expect("readable");
        mark.write().expect("a mark");
        assert_eq!(
            io::read_to_string(old).expect("text"),
            "/elsewhere/accord.db\n"
        );
        let named = std::fs::read_to_string(&mark.path).expect("text");
        assert_eq!(
            Path::new(named.trim()),
            database.canonicalize().expect("a path")
        );
        assert_eq!(
            std::fs::read_dir(directory.path()).expect("files").count(),
            2
        );
    }

    #[test]
    fn a_directory_is_not_a_mark() {
        let directory = tempfile::tempdir().expect("a directory");
        for name in ["database", MARK] {
            let folder = directory.path().join(name);
            std::fs::create_dir(&folder).expect("a directory");
            let mark = mark_of(directory.path(), &folder.join("accord.db"));
            assert!(mark.check(None).is_ok());
        }
    }
}
