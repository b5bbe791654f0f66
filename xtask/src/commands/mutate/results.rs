//! Stored results, so that an interrupted run can continue.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::sync::Mutex;

use anyhow::Context;
use dropforge_mutants::Mutant;
use serde_json::{Value, json};

use super::checks::{Checks, Subject};
use super::folder;
use super::verdict::{CHECKS, Verdict};

pub(super) struct StoredResults {
    /// The inputs of the results beside mutant and document.
    programs: u64,
    known: HashMap<u64, Verdict>,
    file: Mutex<File>,
}

impl StoredResults {
    pub(super) fn open(checks: &Checks) -> anyhow::Result<StoredResults> {
        let path = folder::path().join("results.jsonl");
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let lines = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        let known = lines.filter_map(|line: Value| Some((line["key"].as_u64()?, verdict(&line)?)));
        let known = known.collect();
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let file = file.with_context(|| format!("cannot write {}", path.display()))?;
        let mut hasher = DefaultHasher::new();
        for program in checks.programs() {
            if let Ok(metadata) = program.metadata() {
                metadata.len().hash(&mut hasher);
                metadata.modified().ok().hash(&mut hasher);
            }
        }
        Ok(StoredResults {
            programs: hasher.finish(),
            known,
            file: Mutex::new(file),
        })
    }

    pub(super) fn get(&self, subject: &Subject, mutant: &Mutant) -> Option<Verdict> {
        self.known.get(&self.key(subject, mutant)).cloned()
    }

    /// The next run repeats a result that could not be stored.
    pub(super) fn put(&self, subject: &Subject, mutant: &Mutant, verdict: &Verdict) {
        let key = self.key(subject, mutant);
        if self.known.get(&key) == Some(verdict) {
            return;
        }
        let (check, said) = match verdict {
            Verdict::Noticed(check, said) => (check.name(), said.as_str()),
            Verdict::Equivalent(reason) => ("equivalent", reason.as_str()),
            Verdict::Alive => ("alive", ""),
        };
        let line = json!({"key": key, "check": check, "said": said});
        if let Ok(mut file) = self.file.lock() {
            let _ = writeln!(file, "{line}");
        }
    }

    fn key(&self, subject: &Subject, mutant: &Mutant) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.programs.hash(&mut hasher);
        for file in subject.document.source.files() {
            file.text.hash(&mut hasher);
        }
        (mutant.operator, &mutant.pointer, &mutant.what).hash(&mut hasher);
        hasher.finish()
    }
}

fn verdict(line: &Value) -> Option<Verdict> {
    let said = line["said"].as_str()?.to_owned();
    Some(match line["check"].as_str()? {
        "alive" => Verdict::Alive,
        "equivalent" => Verdict::Equivalent(said),
        name => {
            let (check, _) = CHECKS.iter().find(|(_, known)| *known == name)?;
            Verdict::Noticed(*check, said)
        }
    })
}
