//! What a ledger has counted, in a file of its own before the caller has the
//! answer.
//!
//! The counts of about a second go into one file, which is mapped into memory:
//! [`PLACES`] sums first, each of four numbers, then a line of JSON for each
//! place that is taken, which names what is counted there. To count is to store
//! into the map, without a system call. What was stored is with the operating
//! system at once, so a process that is killed loses none of it. A machine that
//! loses its power may: nothing here waits for the disk.
//!
//! A file is made before it is needed, under another name: making it takes longer than
//! calls should wait for each other. It gets its own name with its first line.
//!
//! Whoever writes a file keeps it locked. One that nobody has locked was left
//! behind by a process that has ended.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use memmap2::MmapMut;
use serde::{Deserialize, Serialize};

use super::usage::{Counts, Line};
use crate::inference::gateway::usage::Tokens;
use crate::kernel::make_private;

/// How the names of files end, behind the segment's id.
const ENDING: &str = "usage";
/// Those in which nothing is counted yet.
const BEGUN: &str = "begun";
/// How long a file may be shorter than its sums: it takes far less time to write them.
const BEING_MADE: Duration = Duration::from_secs(60);
/// How many lines a file has sums for.
pub const PLACES: usize = 512;
/// The bytes of one number.
const NUMBER: usize = size_of::<i64>();
/// The bytes of one sum: requests, errors, tokens in and out.
const SUM: usize = 4 * NUMBER;

/// A file that is written.
#[derive(Debug)]
pub struct Journal {
    file: File,
    sums: MmapMut,
    path: PathBuf,
    id: String,
    /// Whether a line was named, and the file with it.
    is_named: bool,
}

/// The name of a place.
#[derive(Serialize, Deserialize)]
struct Named {
    key: String,
    model: String,
    day: chrono::NaiveDate,
}

impl Journal {
    /// A new file for a segment that is to come, locked before others can take it for
    /// one that was left behind.
    ///
    /// # Errors
    ///
    /// When it cannot be made.
    pub fn create(directory: &Path, id: &str) -> io::Result<Self> {
        make_private(directory)?;
        let path = directory.join(format!("{id}.{BEGUN}"));
        let mut options = OpenOptions::new();
        options.create_new(true).read(true).append(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path)?;
        // Written, not only made longer: a full disk is found here.
        let locked = file.lock();
        let written = locked.and_then(|()| file.write_all(&[0; PLACES * SUM]));
        let mapped = written.and_then(|()| map(&file));
        // The next attempt has another name, and this file would stay.
        let sums = mapped.inspect_err(|_| drop(fs::remove_file(&path)))?;
        Ok(Journal {
            file,
            sums,
            path,
            id: id.to_owned(),
            is_named: false,
        })
    }

    /// The id of the segment that it is for.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whether nobody has removed the file.
    pub fn exists(&self) -> bool {
        self.path.exists()
    }

    /// Names the next place; the first has the number 0.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn name(&mut self, line: &Line) -> io::Result<()> {
        let Line { key_id, model, day } = line;
        let mut text = serde_json::to_vec(&Named {
            key: key_id.clone(),
            model: model.clone(),
            day: *day,
        })?;
        text.push(b'\n');
        if !self.is_named {
            let path = self.path.with_extension(ENDING);
            fs::rename(&self.path, &path)?;
            (self.path, self.is_named) = (path, true);
        }
        self.file.write_all(&text)
    }

    /// Stores the sum of a place that was named; one beyond [`PLACES`] is not
    /// kept.
    pub fn store(&mut self, place: usize, sum: Counts) {
        let Counts {
            requests,
            errors,
            tokens: Tokens { input, output },
        } = sum;
        let bytes = self.sums.chunks_exact_mut(SUM).nth(place);
        let numbers = bytes.into_iter().flat_map(|b| b.chunks_exact_mut(NUMBER));
        for (bytes, number) in numbers.zip([requests, errors, input, output]) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
    }

    /// Removes the file, whose content the database has. Returns whether it was removed.
    pub fn remove(&self) -> bool {
        is_gone(fs::remove_file(&self.path), &self.path)
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        // Nobody would ever count in it.
        if !self.is_named {
            is_gone(fs::remove_file(&self.path), &self.path);
        }
    }
}

#[expect(
    unsafe_code,
    reason = "a file that others cut off under a map cannot be excluded by types"
)]
fn map(file: &File) -> io::Result<MmapMut> {
    // SAFETY: the file was made by this process, which never shortens it and
    // never looks at its bytes but through this one map. It lies in the
    // service's own data directory and is locked; whoever finds it there reads
    // and removes it after that.
    unsafe { memmap2::MmapOptions::new().len(PLACES * SUM).map_mut(file) }
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
    /// Removes the file, whose content the database has. Returns whether it was removed.
    pub fn remove(&self) -> bool {
        is_gone(fs::remove_file(&self.path), &self.path)
    }
}

/// The files in a directory that nobody writes any more. Those in which nothing was
/// counted are removed.
///
/// # Errors
///
/// When the directory or a file in it cannot be looked at. A file that holds
/// something else stays, and the log says so.
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
        let (Some(id), Some(ending @ (ENDING | BEGUN))) = (id, ending) else {
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
        if ending == BEGUN {
            // A file of the full length was locked before it had this length. A shorter one
            // is being made, unless it is old.
            let metadata = file.metadata()?;
            let age = metadata.modified()?.elapsed().unwrap_or_default();
            if metadata.len() >= (PLACES * SUM) as u64 || age > BEING_MADE {
                is_gone(fs::remove_file(&path), &path);
            }
            continue;
        }
        match read(&file) {
            Ok(lines) => found.push(Orphan {
                id: id.to_owned(),
                lines,
                path,
                _file: file,
            }),
            // The others are added all the same.
            Err(error) => {
                tracing::error!(path = %path.display(), %error, "usage that cannot be read stays");
            }
        }
    }
    Ok(found)
}

/// What a file adds up to. A name that was not written to its end is the last,
/// and nothing was counted under it.
fn read(mut file: &File) -> io::Result<HashMap<Line, Counts>> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let Some((sums, names)) = bytes.split_at_checked(PLACES * SUM) else {
        return Err(io::Error::other("not a file of usage: it is too short"));
    };
    let whole = names.iter().rposition(|byte| *byte == b'\n').unwrap_or(0);
    let lines = names[..whole].split(|byte| *byte == b'\n');
    let mut counts = HashMap::new();
    for (text, sum) in lines.filter(|l| !l.is_empty()).zip(sums.chunks_exact(SUM)) {
        let Named { key, model, day } = serde_json::from_slice(text)?;
        let line = Line {
            key_id: key,
            model,
            day,
        };
        counts.insert(line, sum_of(sum));
    }
    Ok(counts)
}

fn sum_of(bytes: &[u8]) -> Counts {
    let mut numbers = bytes.chunks_exact(NUMBER).map(|bytes| {
        let bytes = bytes.try_into().unwrap_or_default();
        i64::from_le_bytes(bytes)
    });
    let mut next = || numbers.next().unwrap_or(0);
    Counts {
        requests: next(),
        errors: next(),
        tokens: Tokens {
            input: next(),
            output: next(),
        },
    }
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
        for (place, sum) in [(0, counts(1, 5)), (1, counts(1, 1)), (0, counts(2, -3))] {
            journal.store(place, sum);
        }
        assert!(orphans(&path).expect("readable").is_empty());
        journal.file.write_all(b"{\"key\":").expect("written");
        drop(journal);
        let found = orphans(&path).expect("readable");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].id, "one");
        let of = |model| found[0].lines.get(&line(model)).copied();
        assert_eq!(
            (of("a \"b\"\n"), of("c")),
            (Some(counts(2, -3)), Some(counts(1, 1)))
        );
        // Locked by whoever found it.
        assert!(orphans(&path).expect("readable").is_empty());
        assert!(found[0].remove());
        drop(found);
        assert!(orphans(&path).expect("readable").is_empty());
    }

    #[test]
    fn what_is_no_file_of_usage_stays_where_it_is() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("x.usage");
        fs::write(&path, "[0,1]\n").expect("written");
        let file = File::open(&path).expect("readable");
        let error = read(&file).expect_err("too short");
        assert!(error.to_string().contains("too short"), "{error}");
        let mut journal = Journal::create(directory.path(), "y").expect("a file");
        journal.name(&line("a")).expect("written");
        journal.store(0, counts(1, 1));
        drop(journal);
        let found = orphans(directory.path()).expect("the others");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].lines[&line("a")], counts(1, 1));
        assert!(path.exists());
    }

    #[test]
    fn a_file_gets_its_name_with_its_first_line() {
        let directory = tempfile::tempdir().expect("a directory");
        let names = || {
            let entries = fs::read_dir(directory.path()).expect("readable");
            let names = entries.map(|entry| entry.expect("an entry").file_name());
            names.collect::<Vec<_>>()
        };
        let mut journal = Journal::create(directory.path(), "one").expect("a file");
        assert_eq!(names(), ["one.begun"]);
        assert!(orphans(directory.path()).expect("readable").is_empty());
        journal.name(&line("a")).expect("written");
        assert_eq!(names(), ["one.usage"]);
        assert!(journal.remove());
        // One in which nothing was counted leaves nothing.
        drop(Journal::create(directory.path(), "two").expect("a file"));
        assert!(names().is_empty());
        // Nor does that of a process that was killed; one that is being made stays.
        let begun = |name: &str, length| {
            fs::write(directory.path().join(name), vec![0; length]).expect("written");
        };
        begun("three.begun", PLACES * SUM);
        begun("four.begun", 0);
        assert!(orphans(directory.path()).expect("readable").is_empty());
        assert_eq!(names(), ["four.begun"]);
        // Unless it has been there for long: its process was killed as well.
        let four = OpenOptions::new()
            .write(true)
            .open(directory.path().join("four.begun"));
        let long_ago = std::time::SystemTime::now() - BEING_MADE * 2;
        let dated = four.expect("a file").set_modified(long_ago);
        dated.expect("the time is set");
        assert!(orphans(directory.path()).expect("readable").is_empty());
        assert!(names().is_empty());
    }

    #[test]
    fn a_directory_that_is_not_there_holds_nothing() {
        let directory = tempfile::tempdir().expect("a directory");
        let found = orphans(&directory.path().join("none"));
        assert!(found.expect("readable").is_empty());
    }
}
