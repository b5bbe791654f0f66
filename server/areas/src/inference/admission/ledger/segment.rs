//! The usage of about a second, in memory and in its [`Journal`].

use std::path::Path;
use std::sync::OnceLock;

use foldhash::HashMap;
use uuid::Uuid;

use crate::inference::admission::journal::Journal;
use crate::inference::admission::usage::{Counts, Line};

/// The usage of about a second.
#[derive(Debug)]
pub struct Segment {
    /// A unique id.
    pub id: String,
    counts: HashMap<Line, Counts>,
    /// Its file; `None` if the file could not be written.
    journal: OnceLock<Option<Journal>>,
}

impl Segment {
    /// An empty segment.
    pub fn new() -> Self {
        Segment {
            id: Uuid::new_v4().to_string(),
            counts: HashMap::default(),
            journal: OnceLock::new(),
        }
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Adds to a line.
    pub fn add(&mut self, line: &Line, counts: Counts) {
        match self.counts.get_mut(line) {
            Some(sum) => sum.add(counts),
            None => drop(self.counts.insert(line.clone(), counts)),
        }
    }

    /// Writes its file, unless this was tried before. Blocks.
    pub fn save(&self, directory: &Path) {
        self.journal.get_or_init(|| {
            let created = Journal::create(directory, &self.id, &self.lines());
            let logged = created.inspect_err(|error| {
                tracing::error!(%error, "usage is in memory only: its file cannot be written");
            });
            logged.ok()
        });
    }

    /// Whether its file was written, or cannot be.
    pub fn is_saved(&self) -> bool {
        self.journal.get().is_some()
    }

    /// Removes its file. Returns whether none is left.
    pub fn remove(&self) -> bool {
        let journal = self.journal.get().and_then(Option::as_ref);
        journal.is_none_or(Journal::remove)
    }

    /// The counts.
    pub fn lines(&self) -> Vec<(Line, Counts)> {
        let lines = self.counts.iter();
        lines
            .map(|(line, counts)| (line.clone(), *counts))
            .collect()
    }
}
