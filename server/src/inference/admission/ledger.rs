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

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, NaiveDate, Utc};
use foldhash::HashMap;
use uuid::Uuid;

use super::journal::{Journal, PLACES, orphans};
use super::usage::{self, Counts, Line, Spent};
use crate::params;
use crate::store::{Store, StoreError, Tx};

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

/// What is counted in about a second.
#[derive(Debug)]
struct Segment {
    /// How many of this process came before it.
    number: u64,
    id: String,
    places: HashMap<Line, usize>,
    counts: Vec<Counts>,
    journal: Option<Journal>,
    is_broken: bool,
}

/// Where a line is counted, so that it need not be looked up each time: its
/// segment's number, and its place there.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spot(Option<(u64, usize)>);

/// What was written.
#[derive(Debug, Default)]
pub struct Written {
    /// How much of each budget is spent.
    pub spent: Vec<Spent>,
    lines: Vec<(Line, Counts)>,
}

impl Written {
    /// The tokens of a key from a day on that were written just now.
    pub fn tokens(&self, key_id: &str, from: NaiveDate) -> i64 {
        let lines = self.lines.iter();
        let of_key = lines.filter(|(line, _)| line.key_id == key_id && line.day >= from);
        of_key.fold(0, |sum: i64, (_, counts)| {
            sum.saturating_add(counts.tokens.total())
        })
    }
}

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
        if segment.counts.is_empty() && !segment.is_broken {
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
        state.open.counts.is_empty() && state.closed.is_empty()
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
            if !state.open.counts.is_empty() {
                state.close();
            }
            (state.closed.clone(), state.removed.clone())
        };
        let batch: Vec<_> = closed.iter().map(|s| (s.id.clone(), s.lines())).collect();
        let written = match write_batch(store, batch.clone(), removed.clone(), now).await {
            Err(error) if is_refused(&error) => {
                tracing::error!(%error, "usage is written row by row");
                let mut accepted = Vec::new();
                for (id, lines) in batch {
                    accepted.push((id, acceptable(store, lines).await?));
                }
                write_batch(store, accepted, removed.clone(), now).await?
            }
            outcome => outcome?,
        };
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
            let lines: BTreeMap<_, _> = orphan.lines.clone().into_iter().collect();
            let is_new = match add_alone(store, id.clone(), lines.clone(), now).await {
                Err(error) if is_refused(&error) => {
                    let lines = acceptable(store, lines).await?;
                    add_alone(store, id, lines, now).await?
                }
                outcome => outcome?,
            };
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

fn new_id() -> String {
    Uuid::new_v4().to_string()
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

impl Segment {
    fn new(number: u64) -> Self {
        Segment {
            number,
            id: new_id(),
            places: HashMap::default(),
            counts: Vec::new(),
            journal: None,
            is_broken: false,
        }
    }

    /// Counts in this file, from the first line on.
    fn counts_in(&mut self, journal: Journal) {
        journal.id().clone_into(&mut self.id);
        self.journal = Some(journal);
    }

    /// Whether its journal has no place for a line.
    fn is_full_for(&self, line: &Line) -> bool {
        self.counts.len() >= PLACES && !self.places.contains_key(line)
    }

    fn place(&mut self, line: &Line) -> usize {
        match self.places.get(line) {
            Some(place) => *place,
            None => self.open_place(line),
        }
    }

    fn add(&mut self, place: usize, counts: Counts) {
        let Some(sum) = self.counts.get_mut(place) else {
            return;
        };
        sum.add(counts);
        if let Some(journal) = self.journal.as_mut().filter(|_| !self.is_broken) {
            journal.store(place, *sum);
        }
    }

    fn open_place(&mut self, line: &Line) -> usize {
        let place = self.counts.len();
        self.places.insert(line.clone(), place);
        self.counts.push(Counts::default());
        let journal = self.journal.as_mut().filter(|_| !self.is_broken);
        if let Some(Err(error)) = journal.map(|journal| journal.name(line)) {
            self.broke(&error);
        }
        place
    }

    /// From here on the file is left as it is: a name that is missing in it
    /// would make the rest wrong.
    fn broke(&mut self, error: &std::io::Error) {
        self.is_broken = true;
        tracing::error!(%error, "usage is counted in memory only: its file cannot be written");
    }

    fn lines(&self) -> Vec<(Line, Counts)> {
        let lines = self.places.iter();
        lines
            .filter_map(|(line, place)| Some((line.clone(), *self.counts.get(*place)?)))
            .collect()
    }
}

/// Adds segments in one transaction, and learns what is spent of budgets.
async fn write_batch(
    store: &Store,
    batch: Vec<(String, Vec<(Line, Counts)>)>,
    forgotten: Vec<String>,
    now: DateTime<Utc>,
) -> Result<Written, StoreError> {
    let written = store.write(move |tx| {
        // Each row once, and in the same order on every replica: two that write the
        // same rows must not wait for each other's locks.
        let mut lines = BTreeMap::<Line, Counts>::new();
        for (id, segment) in &batch {
            if note_segment(tx, id, now)? {
                for (line, counts) in segment {
                    lines.entry(line.clone()).or_default().add(*counts);
                }
            }
        }
        for (line, counts) in &lines {
            usage::insert(tx, line, counts)?;
        }
        for id in &forgotten {
            forget(tx, id)?;
        }
        // Also of segments that the database knew: it has them since an attempt whose
        // outcome was unknown, so nobody was told yet.
        let segments = batch.iter().map(|(_, segment)| segment);
        let lines = segments.flatten().cloned().collect();
        let spent = usage::spent(tx, now)?;
        Ok::<_, StoreError>(Written { spent, lines })
    });
    written.await
}

async fn add_alone(
    store: &Store,
    id: String,
    lines: BTreeMap<Line, Counts>,
    now: DateTime<Utc>,
) -> Result<bool, StoreError> {
    let added = store.write(move |tx| add_segment(tx, &id, &lines, now));
    added.await
}

/// Whether the database objects to what is written, so that writing it again is
/// in vain.
fn is_refused(error: &StoreError) -> bool {
    matches!(
        error,
        StoreError::Constraint { .. }
            | StoreError::Statement(_)
            | StoreError::Aborted
            | StoreError::Column { .. }
            | StoreError::Nul
    )
}

/// A transaction that is not to happen, or why it cannot.
enum Tried {
    Accepted,
    Failed(StoreError),
}

impl From<StoreError> for Tried {
    fn from(error: StoreError) -> Self {
        Tried::Failed(error)
    }
}

/// The lines that the database accepts, each tried alone. The others are logged:
/// no line stops those of other keys.
async fn acceptable<Lines>(store: &Store, lines: Lines) -> Result<Lines, StoreError>
where
    Lines: IntoIterator<Item = (Line, Counts)> + FromIterator<(Line, Counts)>,
{
    let mut accepted = Vec::new();
    for (line, counts) in lines {
        let tried = line.clone();
        let outcome = store.write(move |tx| {
            usage::insert(tx, &tried, &counts)?;
            Err::<(), _>(Tried::Accepted)
        });
        match outcome.await {
            Ok(()) | Err(Tried::Accepted) => accepted.push((line, counts)),
            Err(Tried::Failed(error)) if is_refused(&error) => {
                let Line { key_id, model, day } = &line;
                tracing::error!(key_id, model, %day, ?counts, %error, "usage that cannot be written is left out");
            }
            Err(Tried::Failed(error)) => return Err(error),
        }
    }
    Ok(accepted.into_iter().collect())
}

/// Adds a segment, unless it was added before. Whether it was not.
fn add_segment(
    tx: &mut Tx<'_>,
    id: &str,
    lines: &BTreeMap<Line, Counts>,
    now: DateTime<Utc>,
) -> Result<bool, StoreError> {
    let is_new = note_segment(tx, id, now)?;
    if is_new {
        for (line, counts) in lines {
            usage::insert(tx, line, counts)?;
        }
    }
    Ok(is_new)
}

/// Notes that a segment is added in this transaction. Whether it was not before.
fn note_segment(tx: &mut Tx<'_>, id: &str, now: DateTime<Utc>) -> Result<bool, StoreError> {
    let noted = tx.execute(
        "INSERT INTO inference_usage_segments (id, written_at) VALUES ($1, $2) \
         ON CONFLICT (id) DO NOTHING",
        params![id, now],
    )?;
    Ok(noted > 0)
}

/// Forgets a segment whose file is gone.
fn forget(tx: &mut Tx<'_>, id: &str) -> Result<(), StoreError> {
    tx.execute(
        "DELETE FROM inference_usage_segments WHERE id = $1",
        params![id],
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
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
