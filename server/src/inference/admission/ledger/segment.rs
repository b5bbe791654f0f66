//! What is counted in about a second, in memory and in its [`Journal`].

use foldhash::HashMap;
use uuid::Uuid;

use crate::inference::admission::journal::{Journal, PLACES};
use crate::inference::admission::usage::{Counts, Line};

/// What is counted in about a second.
#[derive(Debug)]
pub struct Segment {
    /// How many of this process came before it.
    pub number: u64,
    pub id: String,
    places: HashMap<Line, usize>,
    counts: Vec<Counts>,
    pub journal: Option<Journal>,
    /// Whether its file cannot be written.
    pub is_broken: bool,
}

impl Segment {
    /// An empty one, without a file.
    pub fn new(number: u64) -> Self {
        Segment {
            number,
            id: new_id(),
            places: HashMap::default(),
            counts: Vec::new(),
            journal: None,
            is_broken: false,
        }
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Counts in this file, from the first line on.
    pub fn counts_in(&mut self, journal: Journal) {
        journal.id().clone_into(&mut self.id);
        self.journal = Some(journal);
    }

    /// Whether its journal has no place for a line.
    pub fn is_full_for(&self, line: &Line) -> bool {
        self.counts.len() >= PLACES && !self.places.contains_key(line)
    }

    /// Where a line is counted here.
    pub fn place(&mut self, line: &Line) -> usize {
        match self.places.get(line) {
            Some(place) => *place,
            None => self.open_place(line),
        }
    }

    /// Counts at a place.
    pub fn add(&mut self, place: usize, counts: Counts) {
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
    pub fn broke(&mut self, error: &std::io::Error) {
        self.is_broken = true;
        tracing::error!(%error, "usage is counted in memory only: its file cannot be written");
    }

    /// What was counted.
    pub fn lines(&self) -> Vec<(Line, Counts)> {
        let lines = self.places.iter();
        lines
            .filter_map(|(line, place)| Some((line.clone(), *self.counts.get(*place)?)))
            .collect()
    }
}

/// An id that no other segment has.
pub fn new_id() -> String {
    Uuid::new_v4().to_string()
}
