//! Counts the outcomes of documents, and compares them with the bar.

use serde_json::{Value, json};

use super::trial::{Outcome, Row};

/// The maximum share of refused documents, in percent.
const MAX_REFUSED_PERCENT: usize = 3;

/// The outcomes of one side.
pub(super) struct Count {
    pub(super) generated: usize,
    pub(super) refused: usize,
    pub(super) defects: usize,
    /// The number of compiled ones that compile and start.
    pub(super) working: usize,
}

impl Count {
    pub(super) fn of<'r>(outcomes: impl Iterator<Item = &'r Outcome>) -> Count {
        let mut count = Count {
            generated: 0,
            refused: 0,
            defects: 0,
            working: 0,
        };
        for outcome in outcomes {
            match outcome {
                Outcome::Generated { .. } => count.generated += 1,
                Outcome::Refused(_) => count.refused += 1,
                Outcome::Defect(_) => count.defects += 1,
                Outcome::Skipped => {}
            }
            if outcome.build().is_some_and(|build| build.result.is_ok()) {
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

/// The bar for a run over a set of documents: each is generated on both sides, and works if it was compiled.
pub(super) struct Bar {
    documents: usize,
    /// Documents that are generated on each requested side, and work if they were compiled.
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
            // A defect on one side counts even if the other side refuses the document.
            if row.has_defect() {
                continue;
            }
            let mut sides = row.sides().into_iter();
            match sides.any(|(_, outcome)| matches!(outcome, Outcome::Refused(_))) {
                true => bar.refused += 1,
                false => bar.whole += 1,
            }
        }
        bar
    }

    /// Whether there are no defects, and not too many refused documents.
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
    fn a_defect_counts_even_if_the_other_side_refuses_the_document() {
        let row = |client| Row {
            source: Source::new("a.yaml", ""),
            operations: 0,
            milliseconds: 0,
            server: Outcome::Refused(Diagnostics::default()),
            client,
            left_out: Vec::new(),
        };
        let mut rows: Vec<Row> = (0..99).map(|_| row(Outcome::Skipped)).collect();
        assert_eq!(Bar::of(&rows).refused, 99);
        rows.push(row(Outcome::Defect("a panic".to_owned())));
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
