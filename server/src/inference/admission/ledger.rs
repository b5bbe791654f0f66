//! What is counted of model calls, exactly.
//!
//! Calls are counted in memory and, before their caller has the answer, in a
//! [`Journal`]; both together are a segment. About every second the segment is
//! closed and added to the database in one transaction that also notes the
//! segment's id, and only then its file is removed. So a process may be killed
//! at any moment: what it leaves behind is added once, by whoever starts next
//! with the same data directory, and what was added is never added again.
//!
//! Where a file cannot be written, calls go on and are counted in memory.

mod batch;
mod segment;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};

use super::journal::{Journal, orphans};
use super::usage::{Counts, Line};
use crate::store::{Store, StoreError};
use batch::{Written, write_alone, write_batch};
use segment::{Segment, new_id};

/// What is counted and not yet in the database.
#[derive(Debug)]
pub struct Ledger {
    directory: PathBuf,
    state: Mutex<State>,
    /// One at a time, so that none writes a segment again that another has
    /// written and already forgotten.
    writing: tokio::sync::Mutex<()>,
}

#[derive(Debug)]
struct State {
    open: Segment,
    /// Those that are to be written, and their files.
    closed: Vec<Arc<Segment>>,
    /// The file of the next segment.
    spare: Option<Journal>,
    /// Ids that the database holds for files that are gone.
    removed: Vec<String>,
}

/// Where a line is counted, so that it need not be looked up each time: its
/// segment's number, and its place there.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spot(Option<(u64, usize)>);

impl Ledger {
    /// One that keeps its files in a directory, which need not exist.
    pub fn new(directory: PathBuf) -> Self {
        Ledger {
            directory,
            state: Mutex::new(State {
                open: Segment::new(0),
                closed: Vec::new(),
                spare: None,
                removed: Vec::new(),
            }),
            writing: tokio::sync::Mutex::default(),
        }
    }

    /// Counts. When this returns, a killed process has counted it, too. Who
    /// counts the same line again passes the same `spot`.
    pub fn add(&self, line: &Line, spot: &mut Spot, counts: Counts) {
        let mut state = self.lock();
        if let Spot(Some((number, place))) = *spot
            && number == state.open.number
        {
            state.open.add(place, counts);
            return;
        }
        if state.open.is_full_for(line) {
            state.close();
        }
        let State {
            open: segment,
            spare,
            ..
        } = &mut *state;
        if segment.is_empty() && !segment.is_broken {
            // Nearly always, one was made before: see `prepare`.
            let spare = spare.take().filter(Journal::exists);
            let journal = spare.map_or_else(|| self.create(), Ok);
            match journal {
                Ok(journal) => segment.counts_in(journal),
                Err(error) => segment.broke(&error),
            }
        }
        let place = segment.place(line);
        segment.add(place, counts);
        *spot = Spot(Some((segment.number, place)));
    }

    /// Makes the file of the next segment, if there is none, so that no call waits for it.
    pub async fn prepare(&self) {
        if self.lock().spare.is_some() {
            return;
        }
        let directory = self.directory.clone();
        let made = tokio::task::spawn_blocking(move || create(&directory)).await;
        // What is wrong is told when a file is needed.
        if let Ok(Ok(journal)) = made {
            self.lock().spare = Some(journal);
        }
    }

    fn create(&self) -> std::io::Result<Journal> {
        create(&self.directory)
    }

    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        let state = self.lock();
        state.open.is_empty() && state.closed.is_empty()
    }

    /// Adds to the database what was counted.
    ///
    /// # Errors
    ///
    /// When the store fails; what was counted is kept and written later.
    pub async fn write(&self, store: &Store, now: DateTime<Utc>) -> Result<Written, StoreError> {
        let _alone = self.writing.lock().await;
        let (closed, removed) = {
            let mut state = self.lock();
            if !state.open.is_empty() {
                state.close();
            }
            (state.closed.clone(), state.removed.clone())
        };
        let batch: Vec<_> = closed.iter().map(|s| (s.id.clone(), s.lines())).collect();
        let written = write_batch(store, batch, removed.clone(), now).await?;
        let is_written = |id: &String| closed.iter().any(|segment| segment.id == *id);
        let mut gone = Vec::new();
        for segment in &closed {
            // One without a file has left nothing that could be added again.
            if segment.journal.as_ref().is_none_or(Journal::remove) {
                gone.push(segment.id.clone());
            }
        }
        let mut state = self.lock();
        state.closed.retain(|segment| !is_written(&segment.id));
        state.removed.retain(|id| !removed.contains(id));
        state.removed.extend(gone);
        Ok(written)
    }

    /// Adds to the database what processes that are gone have left behind, and
    /// tells how many files there were.
    ///
    /// # Errors
    ///
    /// When a file cannot be read or the store fails; the files stay.
    pub async fn recover(&self, store: &Store, now: DateTime<Utc>) -> Result<usize, StoreError> {
        let found = orphans(&self.directory).map_err(|error| {
            let directory = self.directory.display();
            StoreError::Statement(format!("{directory}: {error}"))
        })?;
        for orphan in &found {
            let id = orphan.id.clone();
            let lines = orphan.lines.clone().into_iter().collect();
            let is_new = write_alone(store, id, lines, now).await?;
            tracing::info!(segment = orphan.id, is_new, "usage was left behind");
            if orphan.remove() {
                self.lock().removed.push(orphan.id.clone());
            }
        }
        Ok(found.len())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn create(directory: &Path) -> std::io::Result<Journal> {
    Journal::create(directory, &new_id())
}

impl State {
    fn close(&mut self) {
        let next = Segment::new(self.open.number + 1);
        let segment = std::mem::replace(&mut self.open, next);
        self.closed.push(Arc::new(segment));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inference::admission::usage;
    use crate::inference::gateway::usage::Tokens;

    fn line() -> Line {
        Line {
            key_id: "apikey.local.x".into(),
            model: "m".into(),
            day: DateTime::UNIX_EPOCH.date_naive(),
        }
    }

    fn seven() -> Counts {
        Counts {
            requests: 1,
            errors: 0,
            tokens: Tokens {
                input: 3,
                output: 4,
            },
        }
    }

    fn names(directory: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(directory).expect("readable");
        let name = |entry: std::io::Result<std::fs::DirEntry>| {
            entry.expect("an entry").file_name().into_string()
        };
        entries.map(|entry| name(entry).expect("a name")).collect()
    }

    #[tokio::test]
    async fn calls_count_in_a_file_that_was_made_before() {
        let directory = tempfile::tempdir().expect("a directory");
        let ledger = Ledger::new(directory.path().to_owned());
        ledger.prepare().await;
        ledger.prepare().await;
        let made = names(directory.path());
        assert_eq!(made.len(), 1, "{made:?}");
        ledger.add(&line(), &mut Spot::default(), seven());
        let used = made[0].replace(".begun", ".usage");
        assert_eq!(names(directory.path()), [used]);
        assert!(ledger.lock().spare.is_none());
    }

    #[tokio::test]
    async fn a_directory_that_was_removed_is_made_again() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("usage");
        let ledger = Ledger::new(path.clone());
        ledger.prepare().await;
        std::fs::remove_dir_all(&path).expect("removed");
        ledger.add(&line(), &mut Spot::default(), seven());
        assert!(!ledger.lock().open.is_broken);
        assert_eq!(names(&path).len(), 1);
    }

    /// The commit's outcome was unknown: the rows are there, and the ledger does not
    /// know it.
    #[tokio::test]
    async fn what_an_unknown_commit_wrote_is_told_as_written() {
        let directory = tempfile::tempdir().expect("a directory");
        let url = format!("sqlite:{}", directory.path().join("db").display());
        let store = Store::open(&url).await.expect("a store");
        let ledger = Ledger::new(directory.path().join("usage"));
        ledger.add(&line(), &mut Spot::default(), seven());
        let now = DateTime::UNIX_EPOCH;
        let batch = {
            let state = ledger.lock();
            vec![(state.open.id.clone(), state.open.lines())]
        };
        let first = write_batch(&store, batch, Vec::new(), now).await;
        let told = |written: &Written| written.tokens("apikey.local.x", now.date_naive());
        assert_eq!(told(&first.expect("written")), 7);
        let again = ledger.write(&store, now).await.expect("written");
        assert_eq!(told(&again), 7, "the meter would count them twice");
        let rows = store.read(move |tx| usage::read(tx, now.date_naive()));
        let rows: Result<_, StoreError> = rows.await;
        assert_eq!(rows.expect("readable"), [(line(), seven())]);
    }
}
