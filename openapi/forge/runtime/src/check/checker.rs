//! The state of a check: the present place, and the violations so far.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::table::{ObjectRules, Schema};
use crate::violation::{Keyword, Location, Violation, push_token};

/// The direction of a value: `readOnly` properties are not required in a request, and `writeOnly`
/// ones are not allowed in a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From the caller.
    Request,
    /// To the caller.
    Response,
}

/// The maximum number of violations that a check of one value reports.
pub(crate) const MAX_VIOLATIONS: usize = 100;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Checks only whether the value is valid, and ends at the first violation.
    Probing,
    /// Collects all violations.
    Collecting,
}

/// A schema and a value, by their addresses in memory: neither moves during a check.
pub(super) type Pair = (*const Schema, *const Value);

pub(super) enum Token<'v> {
    Key(&'v str),
    Index(usize),
}

/// The rules of a schema for objects: its own, and those of its `allOf`.
pub(super) struct Level {
    pub(super) object: Option<&'static ObjectRules>,
    pub(super) all_of: &'static [&'static Schema],
}

pub(super) struct Checker<'v> {
    pub(super) direction: Direction,
    pub(super) location: Location,
    pub(super) mode: Mode,
    pub(super) failed: bool,
    pub(super) violations: Vec<Violation>,
    pub(super) place: Vec<Token<'v>>,
    pub(super) depth: usize,
    /// The schemas that the walk is within, with what each is composed of.
    pub(super) levels: Vec<Level>,
    /// The index of the first level that applies to the present value.
    pub(super) first_level: usize,
    /// The number of compositions that the walk is within.
    pub(super) composed: usize,
    /// The results of probing below compositions. `true` while the probe is running.
    pub(super) probed: BTreeMap<Pair, bool>,
    /// The violations collected below compositions.
    pub(super) collected: BTreeSet<Pair>,
}

impl<'v> Checker<'v> {
    pub(super) fn new(direction: Direction, location: Location, mode: Mode) -> Self {
        Checker {
            direction,
            location,
            mode,
            failed: false,
            violations: Vec::new(),
            place: Vec::new(),
            depth: 0,
            levels: Vec::new(),
            first_level: 0,
            composed: 0,
            probed: BTreeMap::new(),
            collected: BTreeSet::new(),
        }
    }

    /// Drops the results below a composition that is complete. The walk does not meet its value
    /// again, and a long list of unions would otherwise fill the memory.
    pub(super) fn forget(&mut self) {
        self.probed.clear();
        self.collected.clear();
    }

    /// Records a violation at the present place.
    pub(super) fn fail(&mut self, keyword: Keyword, message: impl FnOnce() -> String) {
        self.record(None, keyword, message);
    }

    /// Records a violation at a property of the present object, which may be absent.
    pub(super) fn fail_at(
        &mut self,
        name: &str,
        keyword: Keyword,
        message: impl FnOnce() -> String,
    ) {
        self.record(Some(name), keyword, message);
    }

    /// Checks a number of characters, elements or properties. Each bound has its keyword.
    pub(super) fn bounds(
        &mut self,
        number: u64,
        noun: &str,
        (least, below): (Option<u64>, Keyword),
        (most, above): (Option<u64>, Keyword),
    ) {
        if let Some(least) = least
            && number < least
        {
            self.fail(below, || {
                format!(
                    "must have at least {}, and has {number}",
                    count(least, noun)
                )
            });
        }
        if let Some(most) = most
            && number > most
        {
            self.fail(above, || {
                format!("must have at most {}, and has {number}", count(most, noun))
            });
        }
    }

    fn record(
        &mut self,
        property: Option<&str>,
        keyword: Keyword,
        message: impl FnOnce() -> String,
    ) {
        self.failed = true;
        if self.mode == Mode::Collecting && self.violations.len() < MAX_VIOLATIONS {
            let pointer = self.pointer(property);
            let violation = Violation::new(self.location, pointer, keyword, message());
            self.violations.push(violation);
        }
    }

    fn pointer(&self, last: Option<&str>) -> String {
        let mut pointer = String::new();
        for token in &self.place {
            match token {
                Token::Key(key) => push_token(&mut pointer, key),
                Token::Index(index) => push_token(&mut pointer, &index.to_string()),
            }
        }
        if let Some(name) = last {
            push_token(&mut pointer, name);
        }
        pointer
    }

    /// Whether the walk can stop.
    pub(super) fn is_done(&self) -> bool {
        match self.mode {
            Mode::Probing => self.failed,
            Mode::Collecting => self.violations.len() >= MAX_VIOLATIONS,
        }
    }
}

/// A number with its noun: `1 character`, `3 characters`.
fn count(number: u64, noun: &str) -> String {
    match (number, noun) {
        (1, noun) => format!("1 {noun}"),
        (_, "property") => format!("{number} properties"),
        (_, noun) => format!("{number} {noun}s"),
    }
}
