//! The page of a run: one row for each document.

use std::fmt::Write as _;

use super::count::{Bar, Count};
use super::report::summary;
use super::trial::{Outcome, Row};

/// The README, and its lines around the summary.
pub(super) const README: &str = "README.md";
pub(super) const LINES: [&str; 2] = [
    "<!-- corpus: written by cargo xtask corpus DIR --compile --write -->\n",
    "<!-- corpus end -->\n",
];

/// The summary for the README. `others` is the sentence about other generators.
pub(super) fn summary_of(rows: &[Row], others: &str) -> String {
    let (server, client) = counts(rows);
    format!(
        "\nOf {} public documents, dropforge generates {} as servers and {} as clients.\n\
         {others}\n[CORPUS.md](openapi/forge/CORPUS.md) has a row for each document.\n\n",
        rows.len(),
        server.generated,
        client.generated,
    )
}

fn counts(rows: &[Row]) -> (Count, Count) {
    let count = |side: fn(&Row) -> &Outcome| Count::of(rows.iter().map(side));
    (count(|row| &row.server), count(|row| &row.client))
}

/// The page in Markdown. `others` is the sentence about other generators.
pub(super) fn page(rows: &[Row], others: &str) -> String {
    let (server, client) = counts(rows);
    let mut page = String::from(
        "# Corpus\n\n\
         Public documents, and what the generator makes of each. A server works if it compiles, registers its\n\
         operations and starts, a client if it compiles. Seconds and MB are those of the compiler's check.\n\
         `cargo xtask corpus DIR --compile --write` writes this page.\n\n\
         | Document | Operations | Server | s | MB | Client | s | MB |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let (server, client) = (cells(&row.server), cells(&row.client));
        // Writing to a String cannot fail.
        let _ = writeln!(
            page,
            "| {} | {} | {server} | {client} |",
            row.source.name, row.operations
        );
    }
    let _ = writeln!(
        page,
        "\nGenerated of {} documents: {} as servers, {} as clients. {}\n{others}\n",
        rows.len(),
        server.generated,
        client.generated,
        sentence(&Bar::of(rows).line(true))
    );
    let refused = rows.iter().filter_map(|row| match &row.server {
        Outcome::Refused(diagnostics) => Some((&row.source.name, diagnostics)),
        _ => None,
    });
    let mut refused = refused.peekable();
    if refused.peek().is_some() {
        page.push_str("## Refused\n\n");
    }
    for (name, diagnostics) in refused {
        let _ = writeln!(page, "- {name}: {}", summary(diagnostics));
    }
    page
}

fn cells(outcome: &Outcome) -> String {
    match (outcome, outcome.build()) {
        (_, Some(build)) => {
            let memory = build.megabytes.map_or("-".into(), |mb| mb.to_string());
            let verdict = match &build.result {
                Ok(()) => "works".to_owned(),
                Err(failure) => format!("{} fails", failure.step),
            };
            format!("{verdict} | {:.1} | {memory}", build.seconds)
        }
        (Outcome::Generated { .. }, None) => "generated | - | -".to_owned(),
        (Outcome::Refused(_), None) => "refused | - | -".to_owned(),
        (Outcome::Defect(_), None) => "defect | - | -".to_owned(),
        (Outcome::Skipped, None) => "- | - | -".to_owned(),
    }
}

/// The line as a sentence.
fn sentence(line: &str) -> String {
    let mut letters = line.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).chain(['.']).collect()
}

#[cfg(test)]
mod tests {
    use dropforge::document::{Diagnostics, Source};

    use super::*;
    use crate::repository;

    #[test]
    fn each_document_is_a_row() {
        let row = |name, server| Row {
            source: Source::new(name, ""),
            operations: 2,
            milliseconds: 0,
            server,
            client: Outcome::Refused(Diagnostics::default()),
            left_out: Vec::new(),
        };
        let generated = Outcome::Generated {
            warnings: Diagnostics::default(),
            build: None,
        };
        let refused = Outcome::Refused(Diagnostics::default());
        let rows = [row("a.yaml", generated), row("b.yaml", refused)];
        let page = page(&rows, "Others: 1.");
        let wanted = "| a.yaml | 2 | generated | - | - | refused | - | - |\n\
                      | b.yaml | 2 | refused | - | - | refused | - | - |\n";
        assert!(page.contains(wanted), "{page}");
        assert!(
            page.contains("2 documents: 1 as servers, 0 as clients. Bar missed: 0 of 2"),
            "{page}"
        );
        assert!(page.contains("at most 3 %).\nOthers: 1.\n\n## "), "{page}");
        assert!(page.ends_with("## Refused\n\n- b.yaml: \n"), "{page}");
        let summary = summary_of(&rows, "Others: 1.");
        let wanted = "\nOf 2 public documents, dropforge generates 1 as servers and 0 as clients.\nOthers: 1.\n";
        assert!(summary.starts_with(wanted), "{summary}");
    }

    #[test]
    fn the_readme_has_a_place_for_the_summary() {
        let readme = std::fs::read_to_string(repository::root().join(README)).expect("a page");
        assert!(LINES.iter().all(|line| readme.contains(line)));
    }
}
