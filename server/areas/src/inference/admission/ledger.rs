//! The counts of model calls.
//!
//! The ledger counts calls in memory. About every second it closes a segment of counts, and saves
//! the segment to a file of its own ([`Journal`](super::journal::Journal)). It adds the segment to
//! the database in one transaction that also records the segment's id. Then it removes the file. So
//! a killed process loses the usage of about its last second at most, even while the database is
//! unavailable: the next process with the same data directory adds each file once.
//!
//! If a file cannot be written, the ledger keeps the segment in memory until the database has it.

mod batch;
mod segment;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};

use super::allocation::Allocated;
use super::journal::{Orphan, orphans};
use super::usage::{Counts, Line};
use crate::store::{Store, StoreError};
use batch::{Others, Written, write_batch};
use segment::Segment;

/// The interval at which counts are saved, and so the time whose counts a killed process can lose.
pub const SAVE: Duration = Duration::from_secs(1);

/// The counts that are not in the database yet.
#[derive(Debug)]
pub struct Ledger {
    directory: PathBuf,
    state: Mutex<State>,
    /// Only one write at a time, so that no segment is written again after another write has added
    /// and deleted it.
    writing: tokio::sync::Mutex<()>,
}

#[derive(Debug)]
struct State {
    open: Segment,
    /// Segments that the database does not have yet.
    closed: Vec<Arc<Segment>>,
    /// Ids of segments in the database whose files were removed.
    removed: Vec<String>,
}

impl Ledger {
    /// Creates a ledger that saves to a directory, which need not exist.
    pub fn new(directory: PathBuf) -> Self {
        Ledger {
            directory,
            state: Mutex::new(State {
                open: Segment::new(),
                closed: Vec::new(),
                removed: Vec::new(),
            }),
            writing: tokio::sync::Mutex::default(),
        }
    }

    /// Counts in memory.
    pub fn add(&self, line: &Line, counts: Counts) {
        self.lock().open.add(line, counts);
    }

    /// Saves the counts. Afterwards, a killed process does not lose them.
    pub async fn save(&self) {
        let segments = {
            let mut state = self.lock();
            if !state.open.is_empty() {
                let segment = std::mem::replace(&mut state.open, Segment::new());
                state.closed.push(Arc::new(segment));
            }
            let unsaved = |segment: &&Arc<Segment>| !segment.is_saved();
            state
                .closed
                .iter()
                .filter(unsaved)
                .cloned()
                .collect::<Vec<_>>()
        };
        if segments.is_empty() {
            return;
        }
        let directory = self.directory.clone();
        let saving = tokio::task::spawn_blocking(move || {
            segments.iter().for_each(|segment| segment.save(&directory));
        });
        if let Err(error) = saving.await {
            tracing::error!(%error, "usage is in memory only");
        }
    }

    /// Saves about every second. Never returns.
    pub async fn keep_saving(&self) {
        loop {
            tokio::time::sleep(SAVE).await;
            self.save().await;
        }
    }

    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        let state = self.lock();
        state.open.is_empty() && state.closed.is_empty()
    }

    /// Adds the counts to the database, and reads the used part of the budgets of their keys and of
    /// the `followed` ones. The tokens of each budget that this replica may use are `allocated`
    /// before, and what it may still use is written with the counts.
    ///
    /// # Errors
    ///
    /// When the store fails. The counts stay and are written later.
    pub async fn write(
        &self,
        store: &Store,
        now: DateTime<Utc>,
        followed: &[String],
        allocated: &[Allocated],
    ) -> Result<Written, StoreError> {
        let _alone = self.writing.lock().await;
        self.save().await;
        let (closed, removed) = {
            let state = self.lock();
            // A file that is written after its segment is in the database would be added again.
            let saved = state.closed.iter().filter(|segment| segment.is_saved());
            (saved.cloned().collect::<Vec<_>>(), state.removed.clone())
        };
        let batch: Vec<_> = closed.iter().map(|s| (s.id.clone(), s.lines())).collect();
        let others = Others {
            forgotten: removed.clone(),
            followed: followed.to_vec(),
            allocated: allocated.to_vec(),
        };
        let written = write_batch(store, batch, others, now).await?;
        let is_written = |id: &String| closed.iter().any(|segment| segment.id == *id);
        let mut gone = Vec::new();
        for segment in &closed {
            // The id is deleted from the database once no file is left that could be added again.
            if segment.remove() {
                gone.push(segment.id.clone());
            }
        }
        let mut state = self.lock();
        state.closed.retain(|segment| !is_written(&segment.id));
        state.removed.retain(|id| !removed.contains(id));
        state.removed.extend(gone);
        Ok(written)
    }

    /// Adds the usage of ended processes to the database, and returns the number of their files.
    ///
    /// # Errors
    ///
    /// When a file cannot be read or the store fails; the files stay.
    pub async fn recover(&self, store: &Store, now: DateTime<Utc>) -> Result<usize, StoreError> {
        let found = orphans(&self.directory).map_err(|error| {
            let directory = self.directory.display();
            StoreError::Statement(format!("{directory}: {error}"))
        })?;
        let count = found.len();
        for Orphan { id, lines, journal } in found {
            write_batch(store, vec![(id.clone(), lines)], Others::default(), now).await?;
            tracing::info!(segment = id, "usage of an ended process was added");
            if journal.remove() {
                self.lock().removed.push(id);
            }
        }
        Ok(count)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

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

    async fn store(directory: &Path) -> Store {
        let url = format!("sqlite:{}", directory.join("db").display());
        Store::open(&url).await.expect("a store")
    }

    async fn rows(store: &Store) -> Vec<(Line, Counts)> {
        let rows = store.read(|tx| usage::read(tx, chrono::NaiveDate::MIN));
        let rows: Result<_, StoreError> = rows.await;
        rows.expect("readable")
    }

    fn files(directory: &Path) -> usize {
        std::fs::read_dir(directory).expect("readable").count()
    }

    #[tokio::test]
    async fn saved_usage_is_added_once_by_the_next_process() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("usage");
        let (store, now) = (store(directory.path()).await, DateTime::UNIX_EPOCH);
        let killed = Ledger::new(path.clone());
        killed.add(&line(), seven());
        killed.save().await;
        killed.save().await;
        assert_eq!(files(&path), 1);
        let next = Ledger::new(path.clone());
        let recovered = next.recover(&store, now).await;
        assert_eq!(recovered.expect("nothing to add"), 0, "its process lives");
        drop(killed);
        let recovered = next.recover(&store, now).await;
        assert_eq!(recovered.expect("added"), 1);
        assert_eq!(files(&path), 0);
        assert_eq!(rows(&store).await, [(line(), seven())]);
    }

    #[tokio::test]
    async fn written_usage_leaves_no_file() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("usage");
        let (store, now) = (store(directory.path()).await, DateTime::UNIX_EPOCH);
        let ledger = Ledger::new(path.clone());
        ledger.add(&line(), seven());
        ledger.save().await;
        ledger.add(&line(), seven());
        let written = ledger.write(&store, now, &[], &[]).await.expect("written");
        assert_eq!(written.tokens("apikey.local.x", now.date_naive()), 14);
        assert!(ledger.is_empty());
        assert_eq!(files(&path), 0);
    }

    #[tokio::test]
    async fn usage_that_cannot_be_saved_is_written_all_the_same() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("usage");
        std::fs::write(&path, "in the way").expect("written");
        let (store, now) = (store(directory.path()).await, DateTime::UNIX_EPOCH);
        let ledger = Ledger::new(path);
        ledger.add(&line(), seven());
        ledger.write(&store, now, &[], &[]).await.expect("written");
        assert_eq!(rows(&store).await, [(line(), seven())]);
    }

    /// The commit's outcome was unknown: the rows exist, and the ledger does not know it.
    #[tokio::test]
    async fn usage_of_a_commit_with_an_unknown_outcome_counts_as_written() {
        let directory = tempfile::tempdir().expect("a directory");
        let (store, now) = (store(directory.path()).await, DateTime::UNIX_EPOCH);
        let ledger = Ledger::new(directory.path().join("usage"));
        ledger.add(&line(), seven());
        let batch = {
            let state = ledger.lock();
            vec![(state.open.id.clone(), state.open.lines())]
        };
        let first = write_batch(&store, batch, Others::default(), now).await;
        let told = |written: &Written| written.tokens("apikey.local.x", now.date_naive());
        assert_eq!(told(&first.expect("written")), 7);
        let again = ledger.write(&store, now, &[], &[]).await.expect("written");
        assert_eq!(told(&again), 7, "the meter would count them twice");
        assert_eq!(rows(&store).await, [(line(), seven())]);
    }
}
