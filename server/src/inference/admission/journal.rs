//! What a ledger has counted, in a file of its own before the caller has the
//! answer.
//!
//! The counts of about a second go into one file, a line of JSON each: an object
//! names what is counted together, an array adds to one that was named. Each
//! line is one write, so that what was counted is with the operating system when
//! the answer leaves, and a process that is killed loses none of it. A machine
//! that loses its power may: nothing here waits for the disk.
//!
//! Whoever writes a file keeps it locked. One that nobody has locked was left
//! behind by a process that is gone.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::usage::{Counts, Line};
use crate::inference::gateway::usage::Tokens;

/// How the names of files end, behind the segment's id.
const ENDING: &str = "usage";
/// Those that are not locked yet.
const BEGUN: &str = "begun";

/// A file that is written.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    text: Vec<u8>,
}

/// A line that names.
#[derive(Serialize, Deserialize)]
struct Named {
    key: String,
    model: String,
    day: chrono::NaiveDate,
}

/// A line that adds: the number of the name, and the counts.
type Added = (usize, i64, i64, i64, i64);

impl Journal {
    /// A new file for a segment, locked before others can see it.
    ///
    /// # Errors
    ///
    /// When it cannot be made.
    pub fn create(directory: &Path, id: &str) -> io::Result<Self> {
        fs::create_dir_all(directory)?;
        let begun = directory.join(format!("{id}.{BEGUN}"));
        let path = directory.join(format!("{id}.{ENDING}"));
        let file = OpenOptions::new()
            .create_new(true)
            .append(true)
            .open(&begun)?;
        file.lock()?;
        fs::rename(&begun, &path)?;
        Ok(Journal {
            file,
            path,
            text: Vec::with_capacity(256),
        })
    }

    /// Names the next line; the first has the number 0.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn name(&mut self, line: &Line) -> io::Result<()> {
        let Line { key_id, model, day } = line;
        self.write(&Named {
            key: key_id.clone(),
            model: model.clone(),
            day: *day,
        })
    }

    /// Adds to a line that was named.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn add(&mut self, number: usize, counts: Counts) -> io::Result<()> {
        let Counts {
            requests,
            errors,
            tokens: Tokens { input, output },
        } = counts;
        let added: Added = (number, requests, errors, input, output);
        self.write(&added)
    }

    fn write(&mut self, line: &impl Serialize) -> io::Result<()> {
        self.text.clear();
        serde_json::to_writer(&mut self.text, line)?;
        self.text.push(b'\n');
        self.file.write_all(&self.text)
    }

    /// Removes the file: the database has what is in it. Whether it is gone.
    pub fn remove(&self) -> bool {
        is_gone(fs::remove_file(&self.path), &self.path)
    }
}

/// A file that was left behind. It is locked until this is dropped.
#[derive(Debug)]
pub struct Orphan {
    /// The segment.
    pub id: String,
    /// What was counted.
    pub lines: HashMap<Line, Counts>,
    path: PathBuf,
    _file: File,
}

impl Orphan {
    /// Removes the file: the database has what is in it. Whether it is gone.
    pub fn remove(&self) -> bool {
        is_gone(fs::remove_file(&self.path), &self.path)
    }
}

/// The files in a directory that nobody writes any more.
///
/// # Errors
///
/// When one of them cannot be read.
pub fn orphans(directory: &Path) -> io::Result<Vec<Orphan>> {
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let id = path.file_stem().and_then(|stem| stem.to_str());
        let ending = path.extension().and_then(|ending| ending.to_str());
        let (Some(id), Some(ENDING)) = (id, ending) else {
            continue;
        };
        let file = match File::open(&path) {
            // Its owner was faster.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            file => file?,
        };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => continue,
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // Removed by its owner between the two.
        if !path.exists() {
            continue;
        }
        found.push(Orphan {
            id: id.to_owned(),
            lines: read(&file)?,
            path,
            _file: file,
        });
    }
    Ok(found)
}

/// What a file adds up to. A line that was not written to its end is the last,
/// and was not answered.
fn read(file: &File) -> io::Result<HashMap<Line, Counts>> {
    let mut names = Vec::new();
    let mut counts: Vec<Counts> = Vec::new();
    let mut reader = BufReader::new(file);
    let mut text = Vec::new();
    loop {
        text.clear();
        reader.read_until(b'\n', &mut text)?;
        if text.pop() != Some(b'\n') {
            break;
        }
        if text.starts_with(b"{") {
            let Named { key, model, day } = serde_json::from_slice(&text)?;
            names.push(Line {
                key_id: key,
                model,
                day,
            });
            counts.push(Counts::default());
            continue;
        }
        let (number, requests, errors, input, output): Added = serde_json::from_slice(&text)?;
        let Some(counts) = counts.get_mut(number) else {
            return Err(io::Error::other("counts without a name"));
        };
        counts.add(Counts {
            requests,
            errors,
            tokens: Tokens { input, output },
        });
    }
    Ok(names.into_iter().zip(counts).collect())
}

fn is_gone(removed: io::Result<()>, path: &Path) -> bool {
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

    fn line(model: &str) -> Line {
        Line {
            key_id: "apikey.local.x".into(),
            model: model.into(),
            day: "2026-11-21".parse().expect("a day"),
        }
    }

    fn counts(requests: i64, output: i64) -> Counts {
        Counts {
            requests,
            errors: 0,
            tokens: Tokens { input: 2, output },
        }
    }

    #[test]
    fn what_was_written_is_read_when_its_writer_is_gone() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("usage");
        let mut journal = Journal::create(&path, "one").expect("a file");
        for model in ["a \"b\"\n", "c"] {
            journal.name(&line(model)).expect("written");
        }
        for (number, counts) in [(0, counts(1, 5)), (1, counts(1, 1)), (0, counts(0, -2))] {
            journal.add(number, counts).expect("written");
        }
        assert!(orphans(&path).expect("readable").is_empty());
        journal.file.write_all(b"[0,1,0,").expect("written");
        drop(journal);
        let found = orphans(&path).expect("readable");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].id, "one");
        let of = |model| found[0].lines.get(&line(model)).copied();
        let first = Counts {
            requests: 1,
            errors: 0,
            tokens: Tokens {
                input: 4,
                output: 3,
            },
        };
        assert_eq!(
            (of("a \"b\"\n"), of("c")),
            (Some(first), Some(counts(1, 1)))
        );
        // Locked by whoever found it.
        assert!(orphans(&path).expect("readable").is_empty());
        assert!(found[0].remove());
        drop(found);
        assert!(orphans(&path).expect("readable").is_empty());
    }

    #[test]
    fn a_directory_that_is_not_there_holds_nothing() {
        let directory = tempfile::tempdir().expect("a directory");
        let found = orphans(&directory.path().join("none"));
        assert!(found.expect("readable").is_empty());
    }
}
