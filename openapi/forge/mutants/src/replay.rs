//! Requests that were recorded while tests ran, judged by a changed document.
//!
//! A test that sends a request expects an outcome: a body is accepted or rejected, a caller
//! without credentials is refused. The document decides the outcome. If a changed document
//! decides otherwise, the test would fail, and need not be run to know it.
//!
//! Requests are judged by the `jsonschema` crate and not by what recorded them; a
//! value of which the two think differently before any change is left out.

mod judge;

use std::collections::{BTreeMap, HashSet};

use dropforge::check::json_schema;
use dropforge::document::Document;
use serde_json::Value;

use crate::recording::{Caller, Entry, Part, Refusal, Verdict};
use judge::{Alternative, Judge, Key};

/// The requests of one document's operations.
pub struct Traffic {
    values: BTreeMap<Key, Vec<(Value, bool)>>,
    /// Verdicts of requests that left something out.
    absent: BTreeMap<Key, bool>,
    /// Operations with their callers.
    callers: HashSet<(String, Caller)>,
    before: Judge,
}

impl Traffic {
    /// Reads recorded requests, one line of JSON each, and keeps those to the
    /// operations of this document.
    pub fn read(lines: &str, document: &Document) -> Traffic {
        let before = Judge::new(document);
        let mut seen = HashSet::new();
        let mut traffic = Traffic {
            values: BTreeMap::new(),
            absent: BTreeMap::new(),
            callers: HashSet::new(),
            before,
        };
        for line in lines.lines().filter(|line| seen.insert(*line)) {
            if let Ok(entry) = serde_json::from_str(line) {
                traffic.keep(entry);
            }
        }
        // What its own document judges otherwise says nothing about a change.
        for (key, values) in &mut traffic.values {
            let schema = traffic.before.schemas.get(key);
            let validator = schema.and_then(|schema| json_schema::validator(schema).ok());
            values.retain(|(value, valid)| {
                let validator = validator.as_ref();
                validator.is_some_and(|validator| validator.is_valid(value) == *valid)
            });
        }
        traffic
    }

    /// How many different values there are to judge.
    pub fn len(&self) -> usize {
        self.values.values().map(Vec::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn keep(&mut self, entry: Entry) {
        let Entry {
            operation,
            path,
            verdict,
        } = entry;
        let known = self.before.paths.get(&operation);
        if !known.is_some_and(|known| path.ends_with(known.as_str())) {
            return;
        }
        match verdict {
            Verdict::Value { part, value, valid } => {
                let values = self.values.entry((operation, part)).or_default();
                values.push((value, valid));
            }
            Verdict::Absent { part, valid } => _ = self.absent.insert((operation, part), valid),
            Verdict::Caller(caller) => _ = self.callers.insert((operation, caller)),
        }
    }

    /// The first decision that a changed document makes differently.
    pub fn notices(&self, changed: &Document) -> Option<String> {
        let after = Judge::new(changed);
        for (key, values) in &self.values {
            let (before, schema) = (self.before.schemas.get(key), after.schemas.get(key));
            if before == schema {
                continue;
            }
            let Some(Ok(validator)) = schema.map(json_schema::validator) else {
                continue;
            };
            let other = values
                .iter()
                .find(|(value, valid)| validator.is_valid(value) != *valid);
            if let Some((_, valid)) = other {
                return Some(format!(
                    "{}: a {} that was {} is not",
                    key.0,
                    part(&key.1),
                    if *valid { "taken" } else { "refused" },
                ));
            }
        }
        for (key, valid) in &self.absent {
            let now = !after.required.contains(key);
            let before = !self.before.required.contains(key);
            if before == *valid && now != *valid {
                let part = part(&key.1);
                return Some(format!("{}: {part} may be absent: {now}", key.0));
            }
        }
        let mut callers = self.callers.iter();
        callers.find_map(|(operation, caller)| self.passes_otherwise(operation, caller, &after))
    }

    fn passes_otherwise(&self, operation: &str, caller: &Caller, after: &Judge) -> Option<String> {
        let before = self.before.security.get(operation)?;
        let now = after.security.get(operation)?;
        let anybody = |all: &[Alternative]| all.is_empty() || all.iter().any(BTreeMap::is_empty);
        let with = |all: &[Alternative], kind: &str| -> Vec<Alternative> {
            let uses = |one: &&Alternative| one.values().any(|(known, _)| known == kind);
            all.iter().filter(uses).cloned().collect()
        };
        let scopes = |all: &[Alternative]| -> HashSet<String> {
            let uses = all.iter().flat_map(BTreeMap::values);
            uses.flat_map(|(_, scopes)| scopes.clone()).collect()
        };
        let said = match (caller.refused, &caller.presented) {
            (Some(_), None) => {
                (!anybody(before) && anybody(now)).then_some("credentials are optional")
            }
            (Some(Refusal::Forbidden), Some(kind)) => {
                let (before, now) = (scopes(&with(before, kind)), scopes(&with(now, kind)));
                (!before.is_empty() && !before.is_subset(&now))
                    .then_some("a token without the scope suffices")
            }
            (None, Some(kind)) => {
                let (before, now) = (with(before, kind), with(now, kind));
                let gone = !before.is_empty() && now.is_empty();
                let more = !scopes(&now).is_subset(&scopes(&before));
                (gone || more).then_some("credentials that were good enough are not")
            }
            _ => None,
        };
        said.map(|said| format!("{operation}: {said}"))
    }
}

fn part(part: &Part) -> String {
    match part {
        Part::Parameter(name) => format!("parameter `{name}`"),
        Part::Body(_) => "body".to_owned(),
    }
}

#[cfg(test)]
mod tests;
