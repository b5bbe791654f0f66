//! The table of access: who may call each operation and each page, on whose data, by which check,
//! and the test of the foreign caller.
//!
//! It is generated from the documentation of the tests in [`FOLDER`]. An operation of a document
//! without a row fails, and so does a row of an operation that does not exist. A test of the server
//! compares the rows of pages with the routes that it registers.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, bail};
use dropforge::document::Document;

use super::summary;
use super::untested::untested;
use crate::repository;

const FOLDER: &str = "server/tests/it/foreign";
const OTHERS: &str = "others.txt";

/// A row of the table without its test.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    /// An operation, or a method and a path.
    name: String,
    who: String,
    data: String,
    check: String,
}

/// The table, as a page.
pub(super) fn page(documents: &[(String, Document)]) -> anyhow::Result<String> {
    let mut rows = rows(&repository::root().join(FOLDER))?;
    let mut text = String::from(
        "# Who may call what\n\n\
         Every operation of the documents and every page: who may call it, on whose data, by which check, and\n\
         the test in which a foreign caller, with all scopes and without a right, reaches nothing. Written by\n\
         `cargo xtask regenerate` from the tests in `tests/it/foreign`; an operation or page without a row fails.\n\n\
         ```console\n$ cargo test -p accord-server --test it foreign::\n```\n",
    );
    for (area, document) in documents {
        let operations = summary::operations(document);
        write(&mut text, area, operations, &mut rows)?;
    }
    let mut pages: Vec<_> = rows
        .keys()
        .filter_map(|name| name.split_once(' '))
        .collect();
    pages.sort_by_key(|(method, path)| (*path, *method));
    let pages = pages
        .iter()
        .map(|(method, path)| format!("{method} {path}"));
    write(&mut text, "pages", pages.collect(), &mut rows)?;
    if let Some(name) = rows.keys().next() {
        bail!("{FOLDER}: `{name}` is not an operation, and not method and path of a page");
    }
    Ok(text)
}

/// Writes the rows of these names.
fn write(
    text: &mut String,
    title: &str,
    names: Vec<String>,
    rows: &mut BTreeMap<String, (Row, String)>,
) -> anyhow::Result<()> {
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "\n## {title}\n\n| name | who | whose data | check | test of the foreign caller |\n\
         |---|---|---|---|---|\n"
    );
    for name in names {
        let (row, test) = rows.remove(&name).with_context(|| {
            format!("`{name}` has no row: write the test of its foreign caller in {FOLDER}")
        })?;
        let Row {
            name,
            who,
            data,
            check,
        } = row;
        let _ = writeln!(text, "| `{name}` | {who} | {data} | {check} | {test} |");
    }
    Ok(())
}

/// The rows by their names, each with its test or the reason why there is none.
fn rows(folder: &Path) -> anyhow::Result<BTreeMap<String, (Row, String)>> {
    let mut rows = BTreeMap::new();
    let mut add = |row: Row, test: String| match rows.insert(row.name.clone(), (row, test)) {
        Some((row, _)) => bail!("`{}` has two rows", row.name),
        None => Ok(()),
    };
    for path in repository::entries(folder)? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let text = std::fs::read_to_string(&path)?;
        let place = || path.display().to_string();
        if path.ends_with(OTHERS) {
            for (row, reason) in untested(&text, row).with_context(place)? {
                add(row, reason)?;
            }
        } else if name != "mod" {
            for (row, test) in tested(&text).with_context(place)? {
                add(row, format!("`foreign::{name}::{test}`"))?;
            }
        }
    }
    Ok(rows)
}

/// The rows of a file of tests, each with the test below it.
fn tested(text: &str) -> anyhow::Result<Vec<(Row, String)>> {
    let mut found = Vec::new();
    let mut documentation = String::new();
    for line in text.lines().map(str::trim) {
        if let Some(sentence) = line.strip_prefix("///") {
            documentation.push_str(sentence);
            documentation.push('\n');
            continue;
        }
        if let Some(rest) = line.strip_prefix("async fn ") {
            let name = rest.split('(').next().unwrap_or_default();
            for paragraph in documentation.split("\n\n") {
                let paragraph = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
                if paragraph.starts_with('`') {
                    found.push((row(&paragraph)?, name.to_owned()));
                }
            }
        }
        documentation.clear();
    }
    Ok(found)
}

/// Reads a row: a name in backticks, who, whose data, check, with bars between.
fn row(text: &str) -> anyhow::Result<Row> {
    let cells: Vec<_> = text.split(" | ").map(str::trim).collect();
    let [name, who, data, check] = cells.as_slice() else {
        bail!("expected `name` | who | whose data | check, found: {text}");
    };
    Ok(Row {
        name: name.trim_matches('`').to_owned(),
        who: (*who).to_owned(),
        data: (*data).to_owned(),
        check: (*check).to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_has_as_many_rows_as_its_documentation() {
        let text = "    /// `a` | users | theirs | a check of\n    /// two lines\n    ///\n    /// `b` | all | \
                    none | none\n    async fn it_holds(server: Server) {\n    /// Helper.\n    async fn x() {}\n";
        let found = tested(text).unwrap();
        let names: Vec<_> = found
            .iter()
            .map(|(row, test)| (row.name.as_str(), test.as_str()))
            .collect();
        assert_eq!(names, [("a", "it_holds"), ("b", "it_holds")]);
        assert_eq!(found[0].0.check, "a check of two lines");
        assert!(tested("/// `a` | users\nasync fn x() {").is_err());
    }

    #[test]
    fn a_row_without_a_test_has_a_reason() {
        assert!(untested("`a` | b | c | d\n", row).is_err());
        assert_eq!(
            untested("`a` | b | c | d\n  Because.\n", row).unwrap()[0].1,
            "Because."
        );
    }

    #[test]
    fn a_name_without_a_row_is_an_error() {
        let error = write(
            &mut String::new(),
            "x",
            vec!["a".into()],
            &mut BTreeMap::new(),
        );
        assert!(error.unwrap_err().to_string().contains("`a` has no row"));
    }
}
