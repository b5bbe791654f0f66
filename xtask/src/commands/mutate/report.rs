//! The report of a run: a table for the terminal, a page in Markdown, and JSON.

use std::collections::BTreeMap;
use std::fmt::Write;

use dropforge_mutants::{Mutant, Operator};
use serde_json::{Value, json};

use super::checks::Subject;
use super::verdict::{CHECKS, Check, Verdict};

/// One mutant and its outcome.
pub(super) struct Tried<'s> {
    pub(super) subject: &'s Subject,
    pub(super) mutant: Mutant,
    pub(super) verdict: Verdict,
}

/// The outcomes of the mutants of one operator or area.
#[derive(Default, Clone)]
pub(super) struct Count {
    noticed: BTreeMap<Check, usize>,
    pub(super) alive: usize,
    equivalent: usize,
}

impl Count {
    fn add(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::Noticed(check, _) => *self.noticed.entry(*check).or_default() += 1,
            Verdict::Equivalent(_) => self.equivalent += 1,
            Verdict::Alive => self.alive += 1,
        }
    }

    pub(super) fn by(&self, check: Check) -> usize {
        self.noticed.get(&check).copied().unwrap_or_default()
    }

    /// The number of mutants that a check could notice.
    pub(super) fn counted(&self) -> usize {
        self.noticed.values().sum::<usize>() + self.alive
    }

    /// The share of these mutants that a check noticed, in percent.
    #[allow(clippy::cast_precision_loss)]
    pub(super) fn score(&self) -> f64 {
        match self.counted() {
            0 => 100.0,
            counted => (counted - self.alive) as f64 * 100.0 / counted as f64,
        }
    }

    fn json(&self) -> Value {
        let noticed = CHECKS
            .iter()
            .map(|(check, name)| ((*name).to_owned(), json!(self.by(*check))));
        json!({
            "noticed": noticed.collect::<serde_json::Map<_, _>>(),
            "survived": self.alive,
            "equivalent": self.equivalent,
            "score": self.score(),
        })
    }
}

/// The counts of a run.
pub(super) struct Report<'r, 's> {
    tried: &'r [Tried<'s>],
    /// Whether the run included the tests.
    is_tested: bool,
    pub(super) all: Count,
    areas: Vec<(String, Count)>,
    operators: Vec<(Operator, Count)>,
}

impl<'r, 's> Report<'r, 's> {
    pub(super) fn new(tried: &'r [Tried<'s>], is_tested: bool) -> Self {
        let mut all = Count::default();
        let mut areas: BTreeMap<&str, Count> = BTreeMap::new();
        let mut operators: BTreeMap<Operator, Count> = BTreeMap::new();
        for one in tried {
            all.add(&one.verdict);
            areas
                .entry(&one.subject.area)
                .or_default()
                .add(&one.verdict);
            operators
                .entry(one.mutant.operator)
                .or_default()
                .add(&one.verdict);
        }
        Report {
            tried,
            is_tested,
            all,
            areas: areas
                .into_iter()
                .map(|(area, count)| (area.to_owned(), count))
                .collect(),
            operators: operators.into_iter().collect(),
        }
    }

    /// The share of noticed mutants among those that could be, in percent.
    pub(super) fn score(&self) -> f64 {
        self.all.score()
    }

    /// The score without the tests that were generated from the published documents: they reject
    /// every other rule, even a wanted one.
    pub(super) fn own_score(&self) -> f64 {
        let published = self.all.by(Check::ContractTests);
        let mut own = self.all.clone();
        own.noticed.remove(&Check::ContractTests);
        own.alive += published;
        own.score()
    }

    /// The rows of the table: a label and the counts.
    pub(super) fn rows(&self) -> Vec<(String, &Count)> {
        let operators = self
            .operators
            .iter()
            .map(|(operator, count)| (operator.to_string(), count));
        let areas = self
            .areas
            .iter()
            .map(|(area, count)| (format!("area {area}"), count));
        let all = ("all".to_owned(), &self.all);
        operators.chain(areas).chain([all]).collect()
    }

    /// The checks that the run included.
    fn checks(&self) -> impl Iterator<Item = (Check, &'static str)> {
        let is_tested = self.is_tested;
        let cheap = |check: Check| !matches!(check, Check::ContractTests | Check::Tests);
        CHECKS
            .into_iter()
            .filter(move |(check, _)| is_tested || cheap(*check))
    }

    pub(super) fn survivors(&self) -> impl Iterator<Item = &Tried<'s>> {
        self.tried
            .iter()
            .filter(|one| one.verdict == Verdict::Alive)
    }

    /// The reasons why mutants are equivalent, with their numbers.
    pub(super) fn reasons(&self) -> BTreeMap<&str, usize> {
        let mut reasons = BTreeMap::new();
        for one in self.tried {
            if let Verdict::Equivalent(reason) = &one.verdict {
                *reasons.entry(reason.as_str()).or_default() += 1;
            }
        }
        reasons
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail.
        let _ = write!(text, "{:28}", "");
        for (_, name) in self.checks() {
            let _ = write!(text, "{name:>15}");
        }
        let _ = writeln!(text, "{:>10}{:>12}{:>9}", "survived", "equivalent", "score");
        for (what, count) in self.rows() {
            let _ = write!(text, "{what:28}");
            for (check, _) in self.checks() {
                let _ = write!(text, "{:>15}", count.by(check));
            }
            let (alive, equivalent, score) = (count.alive, count.equivalent, count.score());
            let _ = writeln!(text, "{alive:>10}{equivalent:>12}{score:>8.1}%");
        }
        for (reason, count) in self.reasons() {
            let _ = writeln!(text, "\n{count} equivalent: {reason}");
        }
        let mut last = None;
        let mut survivors: Vec<_> = self.survivors().collect();
        survivors.sort_by_key(|one| one.mutant.operator);
        for one in survivors {
            let operator = one.mutant.operator;
            if last.replace(operator) != Some(operator) {
                let _ = writeln!(text, "\nsurvived, {operator}: {}", operator.harm());
            }
            let (place, mutant) = (one.subject.place(&one.mutant), &one.mutant);
            let _ = writeln!(text, "  {place}  {}  #{}", mutant.what, mutant.pointer);
        }
        let _ = writeln!(
            text,
            "\n{:.1} % of {} mutants were noticed{}",
            self.score(),
            self.all.counted(),
            match self.is_tested {
                true => "",
                false => " before anything was tested",
            }
        );
        if self.is_tested {
            let _ = writeln!(
                text,
                "{:.1} % of them without the tests of the published documents",
                self.own_score()
            );
        }
        text
    }

    /// The counts and the survivors, without the lines of the documents, which change often.
    pub(super) fn markdown(&self) -> String {
        let mut page = String::from(
            "# Mutants\n\nAccidental edits at every place of the four documents, and the first check that notices \
             each. `cargo xtask mutate --record --write` writes this page.\n\n| Edit |",
        );
        let names: Vec<_> = self.checks().map(|(_, name)| name).collect();
        for name in names.iter().chain(&["survived", "equivalent", "score"]) {
            let _ = write!(page, " {name} |");
        }
        let _ = writeln!(page, "\n|{}", "---|".repeat(names.len() + 4));
        for (what, count) in self.rows() {
            let _ = write!(page, "| {what} |");
            for (check, _) in self.checks() {
                let _ = write!(page, " {} |", count.by(check));
            }
            let (alive, equivalent, score) = (count.alive, count.equivalent, count.score());
            let _ = writeln!(page, " {alive} | {equivalent} | {score:.1} % |");
        }
        let _ = writeln!(
            page,
            "\n{:.1} % of {} mutants are noticed; {:.1} % without the tests that are generated from the published \
             documents.\n\n| Equivalent, because | Count |\n|---|---|",
            self.score(),
            self.all.counted(),
            self.own_score()
        );
        for (reason, count) in self.reasons() {
            let _ = writeln!(page, "| {reason} | {count} |");
        }
        page.push_str("\n| Survivor | Edit | Place |\n|---|---|---|\n");
        for Tried {
            subject, mutant, ..
        } in self.survivors()
        {
            let (operator, what) = (mutant.operator, mutant.what.replace('|', "\\|"));
            let _ = writeln!(
                page,
                "| {operator} | {what} | {}: `{}` |",
                subject.area, mutant.pointer
            );
        }
        page
    }

    pub(super) fn json(&self) -> Value {
        let of = |rows: Vec<(String, &Count)>| -> serde_json::Map<String, Value> {
            rows.into_iter()
                .map(|(name, count)| (name, count.json()))
                .collect()
        };
        let survivors = self.survivors().map(|one| {
            json!({
                "area": one.subject.area,
                "operator": one.mutant.operator.to_string(),
                "place": one.subject.place(&one.mutant),
                "pointer": one.mutant.pointer,
                "what": one.mutant.what,
                "harm": one.mutant.operator.harm(),
            })
        });
        json!({
            "all": self.all.json(),
            "score without published tests": self.own_score(),
            "areas": of(self.areas.iter().map(|(area, count)| (area.clone(), count)).collect()),
            "operators": of(self.operators.iter().map(|(o, count)| (o.to_string(), count)).collect()),
            "equivalent": self.reasons(),
            "survivors": survivors.collect::<Vec<_>>(),
        })
    }
}
