//! How many documents ended in which way, and what a run is judged by.

use serde_json::{Value, json};

use super::trial::{Fate, Row};

/// The largest share of documents that may be refused, in percent.
const MAX_REFUSED_PERCENT: usize = 3;

/// How many of one side ended in which way.
pub(super) struct Count {
    pub(super) generated: usize,
    pub(super) refused: usize,
    pub(super) defects: usize,
    /// How many compile and start, of those that were compiled.
    pub(super) working: usize,
}

impl Count {
    pub(super) fn of<'r>(fates: impl Iterator<Item = &'r Fate>) -> Count {
        let mut count = Count {
            generated: 0,
            refused: 0,
            defects: 0,
            working: 0,
        };
        for fate in fates {
            match fate {
                Fate::Generated { .. } => count.generated += 1,
                Fate::Refused(_) => count.refused += 1,
                Fate::Defect(_) => count.defects += 1,
                Fate::Skipped => {}
            }
            if fate.build().is_some_and(|build| build.result.is_ok()) {
                count.working += 1;
            }
        }
        count
    }

    pub(super) fn to_json(&self, compiled: bool) -> Value {
        let mut value =
            json!({"generated": self.generated, "refused": self.refused, "defects": self.defects});
        if compiled {
            value["working"] = self.working.into();
        }
        value
    }
}

/// What a run over a set of documents is judged by: each is generated on both sides, and what was compiled works.
pub(super) struct Bar {
    documents: usize,
    /// Generated on each requested side, and working if compiled.
    whole: usize,
    refused: usize,
}

impl Bar {
    pub(super) fn of(rows: &[Row]) -> Bar {
        let mut bar = Bar {
            documents: rows.len(),
            whole: 0,
            refused: 0,
        };
        for row in rows {
            let any = |is: fn(&Fate) -> bool| row.sides().into_iter().any(|(_, fate)| is(fate));
            // A refusal on one side does not excuse a defect on the other.
            if any(|fate| matches!(fate, Fate::Defect(_)) || fate.does_not_work()) {
                continue;
            }
            match any(|fate| matches!(fate, Fate::Refused(_))) {
                true => bar.refused += 1,
                false => bar.whole += 1,
            }
        }
        bar
    }

    /// Whether only so many are refused as may be, and nothing else fails.
    fn is_met(&self) -> bool {
        self.whole + self.refused == self.documents
            && self.refused * 100 <= self.documents * MAX_REFUSED_PERCENT
    }

    /// The closing line for people.
    pub(super) fn line(&self, compiled: bool) -> String {
        let Bar {
            documents,
            whole,
            refused,
        } = self;
        let share = *refused as f64 / (*documents).max(1) as f64 * 100.0;
        let state = if compiled { "work" } else { "are generated" };
        let verdict = if self.is_met() { "met" } else { "missed" };
        format!(
            "bar {verdict}: {whole} of {documents} {state} on each side, {refused} refused ({share:.1} %, at most {MAX_REFUSED_PERCENT} %)"
        )
    }

    pub(super) fn to_json(&self) -> Value {
        json!({"met": self.is_met(), "documents": self.documents, "whole": self.whole, "refused": self.refused})
    }
}

#[cfg(test)]
mod tests {
    use dropforge::document::{Diagnostics, Source};

    use super::*;

    #[test]
    fn a_refusal_on_one_side_does_not_excuse_a_defect_on_the_other() {
        let row = |client| Row {
            source: Source::new("a.yaml", ""),
            operations: 0,
            milliseconds: 0,
            server: Fate::Refused(Diagnostics::default()),
            client,
            left_out: Vec::new(),
        };
        let mut rows: Vec<Row> = (0..99).map(|_| row(Fate::Skipped)).collect();
        assert_eq!(Bar::of(&rows).refused, 99);
        rows.push(row(Fate::Defect("a panic".to_owned())));
        let bar = Bar::of(&rows);
        assert_eq!((bar.whole, bar.refused), (0, 99));
        assert!(!bar.is_met());
    }

    #[test]
    fn three_of_a_hundred_may_be_refused_and_none_may_fail() {
        let bar = |whole, refused| Bar {
            documents: 100,
            whole,
            refused,
        };
        assert!(bar(97, 3).is_met());
        assert!(!bar(96, 4).is_met());
        assert!(!bar(99, 0).is_met());
        assert_eq!(
            bar(97, 3).line(true),
            "bar met: 97 of 100 work on each side, 3 refused (3.0 %, at most 3 %)"
        );
    }
}
