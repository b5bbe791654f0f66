//! Usage in files, until it is in the database.
//!
//! A ledger writes each segment to a file before it writes the segment to the database. The file of
//! a killed process remains. Writing does not wait for the disk, so a machine that loses its power
//! may lose files. A SQLite file would replace this file, but needs a schema, migrations and a
//! thread of its own.
//!
//! A process locks its files. A file without a lock remains from a process that has ended.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::usage::{Counts, Line};
use crate::kernel::files::{make_private, private};

/// The extension of a file with usage. Its stem is the id of the segment.
const EXTENSION: &str = "json";
/// The extension of a file that is being written.
const UNFINISHED: &str = "unfinished";
/// The extension of the files of earlier versions, which had another format.
const EARLIER: &str = "usage";

/// The file of a segment, which is locked until this value is dropped.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    _file: File,
}

impl Journal {
    /// Writes a segment to its file. The file has its final name only when it is complete.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn create(directory: &Path, id: &str, lines: &[(Line, Counts)]) -> io::Result<Self> {
        make_private(directory)?;
        let unfinished = directory.join(id).with_extension(UNFINISHED);
        let path = unfinished.with_extension(EXTENSION);
        let mut file = private().create_new(true).open(&unfinished)?;
        let text = serde_json::to_vec(lines)?;
        let locked = file.lock();
        let written = locked.and_then(|()| file.write_all(&text));
        let renamed = written.and_then(|()| fs::rename(&unfinished, &path));
        renamed.inspect_err(|_| drop(fs::remove_file(&unfinished)))?;
        Ok(Journal { path, _file: file })
    }

    /// Removes the file when the database has its content. Returns whether it was removed.
    pub fn remove(&self) -> bool {
        is_removed(fs::remove_file(&self.path), &self.path)
    }
}

/// A segment of a process that has ended.
#[derive(Debug)]
pub struct Orphan {
    /// The segment.
    pub id: String,
    /// The usage in it.
    pub lines: Vec<(Line, Counts)>,
    /// Its file.
    pub journal: Journal,
}

/// The segments of ended processes in a directory. The log names each unusable file, and the file
/// stays.
///
/// # Errors
///
/// When the directory or a file in it cannot be read.
pub fn orphans(directory: &Path) -> io::Result<Vec<Orphan>> {
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let id = path.file_stem().and_then(|stem| stem.to_str());
        let extension = path.extension().and_then(|extension| extension.to_str());
        let (Some(id), Some(extension @ (EXTENSION | UNFINISHED | EARLIER))) = (id, extension)
        else {
            continue;
        };
        let file = match File::open(&path) {
            // The owner of the file has removed it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            file => file?,
        };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => continue,
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // The owner may have removed the file before it was locked here.
        if !path.exists() {
            continue;
        }
        match extension {
            EXTENSION => match serde_json::from_reader(io::BufReader::new(&file)) {
                Ok(lines) => found.push(Orphan {
                    id: id.to_owned(),
                    lines,
                    journal: Journal { path, _file: file },
                }),
                Err(error) => {
                    tracing::error!(path = %path.display(), %error, "an unreadable usage file was left in place");
                }
            },
            // The process was killed while it wrote the file.
            UNFINISHED => drop(is_removed(fs::remove_file(&path), &path)),
            _ => tracing::error!(
                path = %path.display(),
                "an earlier version left usage behind that this version cannot read: \
                 start the earlier version once, and it adds the usage to the database"
            ),
        }
    }
    Ok(found)
}

fn is_removed(removed: io::Result<()>, path: &Path) -> bool {
    match removed {
        Ok(()) => true,
        Err(error) if error.kind() == io::ErrorKind::NotFound => true,
        Err(error) => {
            tracing::warn!(path = %path.display(), %error, "a file cannot be removed");
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inference::gateway::usage::Tokens;

    fn lines(requests: i64, output: i64) -> Vec<(Line, Counts)> {
        let line = |model: &str| Line {
            key_id: "apikey.local.x".into(),
            model: model.into(),
            day: "2026-11-21".parse().expect("a day"),
        };
        let counts = Counts {
            requests,
            errors: 0,
            tokens: Tokens { input: 2, output },
        };
        vec![(line("a \"b\"\n"), counts), (line("c"), Counts::default())]
    }

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).expect("readable");
        let name = |entry: io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
        let names = entries.map(|entry| name(entry).into_string().expect("UTF-8"));
        names.collect()
    }

    #[test]
    fn a_file_is_read_once_its_process_has_ended() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("usage");
        let journal = Journal::create(&path, "one", &lines(2, -3)).expect("a file");
        assert_eq!(names(&path), ["one.json"]);
        assert!(orphans(&path).expect("readable").is_empty());
        drop(journal);
        let found = orphans(&path).expect("readable");
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].id.as_str(), &found[0].lines),
            ("one", &lines(2, -3))
        );
        // Locked by the process that found it.
        assert!(orphans(&path).expect("readable").is_empty());
        assert!(found[0].journal.remove());
        drop(found);
        assert!(orphans(&path).expect("readable").is_empty());
    }

    #[test]
    fn a_file_that_cannot_be_read_stays_and_the_others_are_found() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path();
        fs::write(path.join("x.json"), "[0,1]\n").expect("written");
        drop(Journal::create(path, "y", &lines(1, 1)).expect("a file"));
        let found = orphans(path).expect("the others");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].lines, lines(1, 1));
        assert!(path.join("x.json").exists());
    }

    #[test]
    fn a_file_of_an_earlier_version_stays() {
        let directory = tempfile::tempdir().expect("a directory");
        fs::write(directory.path().join("x.usage"), [0; 512]).expect("written");
        assert!(orphans(directory.path()).expect("readable").is_empty());
        assert_eq!(names(directory.path()), ["x.usage"]);
    }

    #[test]
    fn a_file_that_was_not_finished_is_removed() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("x.unfinished");
        let file = File::create(&path).expect("a file");
        file.lock().expect("locked");
        assert!(orphans(directory.path()).expect("readable").is_empty());
        assert!(path.exists(), "its process still writes it");
        drop(file);
        assert!(orphans(directory.path()).expect("readable").is_empty());
        assert!(!path.exists());
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_nothing() {
        let directory = tempfile::tempdir().expect("a directory");
        // A directory that is not empty is in the place of the file.
        fs::create_dir_all(directory.path().join("one.json/x")).expect("made");
        Journal::create(directory.path(), "one", &lines(1, 1)).expect_err("no file");
        assert_eq!(names(directory.path()), ["one.json"]);
    }

    #[test]
    fn a_directory_that_is_not_there_holds_nothing() {
        let directory = tempfile::tempdir().expect("a directory");
        let found = orphans(&directory.path().join("none"));
        assert!(found.expect("readable").is_empty());
    }
}
