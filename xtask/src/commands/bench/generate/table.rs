//! The table of the README: each side, with the documents of this repository together.

use std::fmt::Write as _;

use super::report::Row;
use super::side::{SIDES, Side};

/// The page with the table, and its lines around the table.
pub(super) const PAGE: &str = "README.md";
pub(super) const LINES: [&str; 2] = [
    "<!-- generate: written by cargo xtask bench generate -- --write -->\n",
    "<!-- generate end -->\n",
];

/// A row for each measured side. Documents that a side refuses count in none of its figures.
pub(super) fn table(rows: &[Row], rounds: usize) -> String {
    let mut table = String::from(
        "\n| | operations | s to tokens | s to text | processor s of a check | MB of the compiler | lines per operation |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for side in SIDES {
        let of_side: Vec<&Row> = rows.iter().filter(|row| row.side == side).collect();
        if of_side.is_empty() {
            continue;
        }
        let measured: Vec<(usize, [f64; 6])> = of_side
            .into_iter()
            .filter_map(|row| Some((row.operations, *row.outcome.as_ref().ok()?)))
            .collect();
        let operations: usize = measured.iter().map(|(operations, _)| operations).sum();
        let [tokens, format, _, lines, check, _] = std::array::from_fn(|at| {
            let medians = measured.iter().map(|(_, medians)| medians[at]);
            medians.reduce(|sum, one| sum + one).unwrap_or(f64::NAN)
        });
        let memory = measured.iter().map(|(_, [.., memory])| *memory);
        let memory = memory.fold(f64::NAN, f64::max);
        let (to_tokens, to_text) = match side {
            // It formats its output in the same process.
            Side::OpenapiToRust => (f64::NAN, tokens),
            Side::Server | Side::Client | Side::Progenitor => (tokens, tokens + format),
        };
        // Writing to a String cannot fail.
        let _ = writeln!(
            table,
            "| {} | {operations} | {} | {} | {} | {} | {} |",
            name(side),
            cell(to_tokens, 2),
            cell(to_text, 2),
            cell(check, 1),
            cell(memory, 0),
            cell(lines / operations as f64, 0)
        );
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let build = match cfg!(debug_assertions) {
        true => "a debug build",
        false => "a release build",
    };
    let _ = writeln!(
        table,
        "\nMedians of {rounds} alternated rounds on {cores} cores, as sums over the documents that a side accepts; the memory is\n\
         the largest. Both dropforge and progenitor run in {build}. Alone, progenitor reads the document that dropforge\n\
         writes for it."
    );
    if rows.iter().any(|row| row.side == Side::OpenapiToRust) {
        table += "The seconds of openapi-to-rust include the start of its program and the reading of a document.\n";
    }
    table.push('\n');
    table
}

fn name(side: Side) -> &'static str {
    match side {
        Side::Server => "dropforge, server",
        Side::Client => "dropforge, client",
        Side::Progenitor => "progenitor alone, client",
        Side::OpenapiToRust => "openapi-to-rust, client",
    }
}

fn cell(value: f64, digits: usize) -> String {
    match value.is_finite() {
        true => format!("{value:.digits$}"),
        false => "-".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{LINES, PAGE, Row, Side, table};
    use crate::repository;

    fn row(side: Side, operations: usize, outcome: Result<[f64; 6], String>) -> Row {
        Row {
            document: "pets".into(),
            operations,
            side,
            outcome,
        }
    }

    #[test]
    fn each_measured_side_has_the_sums_of_its_documents_and_the_largest_memory() {
        let refused = || Err("refused".to_owned());
        let table = table(
            &[
                row(Side::Server, 2, Ok([0.25, 0.5, 40.0, 600.0, 1.5, 300.0])),
                row(Side::Progenitor, 2, refused()),
                row(
                    Side::OpenapiToRust,
                    2,
                    Ok([0.5, f64::NAN, 9.0, 80.0, 2.0, 90.0]),
                ),
                row(Side::Server, 4, Ok([0.5, 1.0, 50.0, 600.0, 2.0, 200.0])),
                row(Side::Progenitor, 4, refused()),
                row(Side::OpenapiToRust, 4, refused()),
            ],
            3,
        );
        let rows: Vec<&str> = table.lines().filter(|line| line.contains(", ")).collect();
        assert_eq!(
            rows[..3],
            [
                "| dropforge, server | 6 | 0.75 | 2.25 | 3.5 | 300 | 200 |",
                "| progenitor alone, client | 0 | - | - | - | - | - |",
                "| openapi-to-rust, client | 2 | - | 0.50 | 2.0 | 90 | 40 |",
            ]
        );
        assert!(
            table.contains("\nMedians of 3 alternated rounds on "),
            "{table}"
        );
        assert!(table.ends_with("reading of a document.\n\n"), "{table}");
    }

    #[test]
    fn the_page_has_a_place_for_the_table() {
        let page = std::fs::read_to_string(repository::root().join(PAGE)).expect("a page");
        assert!(LINES.iter().all(|line| page.contains(line)));
    }
}
