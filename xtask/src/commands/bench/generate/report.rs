//! The results: the table, its ratios, and the file for comparisons with later runs.

use std::fs;
use std::path::Path;

use anyhow::Context;
use serde_json::{Value, json};

use super::side::Side;

/// The names of the medians in the file.
const NAMES: [&str; 6] = [
    "tokens_seconds",
    "format_seconds",
    "megabytes",
    "lines",
    "check_seconds",
    "check_megabytes",
];

/// One side of a document.
pub(super) struct Row {
    pub(super) document: String,
    pub(super) operations: usize,
    pub(super) side: Side,
    /// The medians, or the reason why there are none.
    pub(super) outcome: Result<[f64; 6], String>,
}

/// The rows of an earlier run.
pub(super) struct Baseline(Value);

impl Baseline {
    pub(super) fn read(path: &Path) -> anyhow::Result<Baseline> {
        let text = fs::read_to_string(path)
            .with_context(|| format!("cannot read the baseline {}", path.display()))?;
        let rows = serde_json::from_str(&text)
            .with_context(|| format!("the baseline {} is not JSON", path.display()))?;
        Ok(Baseline(rows))
    }

    /// The medians of the same side of the same document.
    fn of(&self, row: &Row) -> Option<[f64; 6]> {
        let mut rows = self.0.as_array()?.iter();
        let same = rows.find(|before| {
            before["document"] == row.document.as_str() && before["side"] == row.side.name()
        })?;
        same["check_seconds"].as_f64()?;
        Some(NAMES.map(|name| same[name].as_f64().unwrap_or(f64::NAN)))
    }
}

/// Prints all rows, each with its ratios: to progenitor alone, and to an earlier run.
pub(super) fn print(rows: &[Row], baseline: Option<&Baseline>) {
    if cfg!(debug_assertions) {
        println!(
            "The generator was built without optimization: compare tokens and format only as ratios."
        );
    }
    println!(
        "{:<28} {:>10} {:<15} {:>9} {:>9} {:>7} {:>9} {:>9} {:>9}",
        "document",
        "operations",
        "side",
        "tokens s",
        "format s",
        "MB",
        "lines/op",
        "check s",
        "check MB"
    );
    for row in rows {
        println!("{}", line(row));
        let Ok(medians) = &row.outcome else {
            continue;
        };
        let alone = rows
            .iter()
            .find(|other| other.document == row.document && other.side == Side::Progenitor);
        if let (Some(Ok(alone)), true) = (
            alone.map(|alone| &alone.outcome),
            row.side != Side::Progenitor,
        ) {
            println!("{}", ratios("  / progenitor", medians, alone));
        }
        if let Some(before) = baseline.and_then(|baseline| baseline.of(row)) {
            println!("{}", ratios("  / baseline", medians, &before));
        }
    }
}

fn line(row: &Row) -> String {
    let head = format!(
        "{:<28} {:>10} {:<15}",
        row.document,
        row.operations,
        row.side.name()
    );
    match &row.outcome {
        Ok([tokens, format, megabytes, lines, check, check_megabytes]) => format!(
            "{head} {tokens:>9.3} {format:>9.3} {megabytes:>7.0} {:>9.0} {check:>9.2} {check_megabytes:>9.0}",
            lines / row.operations as f64
        ),
        Err(why) => format!("{head} {}", why.lines().next().unwrap_or_default()),
    }
}

fn ratios(to: &str, of: &[f64; 6], by: &[f64; 6]) -> String {
    let [tokens, format, megabytes, lines, check, check_megabytes] =
        std::array::from_fn(|at| of[at] / by[at]);
    format!(
        "{:<28} {:>10} {to:<15} {tokens:>9.2} {format:>9.2} {megabytes:>7.2} {lines:>9.2} {check:>9.2} {check_megabytes:>9.2}",
        "", ""
    )
}

/// The rows as a file for comparisons with later runs.
pub(super) fn to_json(rows: &[Row]) -> Value {
    let row = |row: &Row| {
        let mut value = json!({"document": row.document, "operations": row.operations, "side": row.side.name()});
        match &row.outcome {
            Ok(medians) => {
                for (name, median) in NAMES.iter().zip(medians) {
                    value[*name] = json!(median);
                }
            }
            Err(why) => value["error"] = why.as_str().into(),
        }
        value
    };
    rows.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::{Baseline, Row, Side, line, ratios, to_json};

    fn row(outcome: Result<[f64; 6], String>) -> Row {
        Row {
            document: "pets".into(),
            operations: 2,
            side: Side::Server,
            outcome,
        }
    }

    #[test]
    fn a_side_without_figures_has_a_row_with_the_reason() {
        let refused = row(Err("the code does not compile:\nerror".into()));
        assert!(line(&refused).ends_with("server          the code does not compile:"));
        assert_eq!(
            to_json(&[refused])[0]["error"],
            "the code does not compile:\nerror"
        );
    }

    #[test]
    fn an_earlier_run_is_found_by_document_and_side() {
        let before = [1.0, f64::NAN, 3.0, 4.0, 5.0, 6.0];
        let baseline = Baseline(to_json(&[row(Ok(before))]));
        let after = row(Ok([2.0; 6]));
        let found = baseline.of(&after).expect("the same row");
        assert_eq!((found[0], found[4]), (1.0, 5.0));
        assert!(found[1].is_nan());
        assert!(ratios("  / baseline", &[2.0; 6], &found).contains("2.00"));
        let client = Row {
            side: Side::Client,
            ..row(Ok(before))
        };
        assert!(baseline.of(&client).is_none());
        let failed = Baseline(to_json(&[row(Err("refused".into()))]));
        assert!(failed.of(&after).is_none());
    }
}
