//! The table of access: who may call each operation and each page, on whose data, by which check,
//! and the test of the foreign caller.
//!
//! It is made of the documentation of the tests in [`FOLDER`]. An operation of a document or a page
//! without a row fails, and so does a row of what does not exist.

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
const SOURCES: &str = "server/src";

/// A row of the table without what it is tested by.
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
    write(&mut text, "pages", endpoints()?, &mut rows)?;
    if let Some(name) = rows.keys().next() {
        bail!("{FOLDER}: `{name}` is neither an operation nor a page");
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
    let mut paths = std::fs::read_dir(folder)
        .with_context(|| FOLDER.to_owned())?
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<Vec<_>>>()?;
    paths.sort();
    for path in paths {
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

/// The rows of a file of tests, each with the test that it stands above.
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

/// Every endpoint that is written by hand, as method and path.
fn endpoints() -> anyhow::Result<Vec<String>> {
    let mut found = Vec::new();
    let mut folders = vec![repository::root().join(SOURCES)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.extend(endpoints_of(&std::fs::read_to_string(&path)?)?);
            }
        }
    }
    found.sort_by_key(|name| {
        name.split_once(' ')
            .map(|(method, path)| (path.to_owned(), method.to_owned()))
    });
    Ok(found)
}

/// The endpoints of a source file.
fn endpoints_of(text: &str) -> anyhow::Result<Vec<String>> {
    let attributes = text.split("#[endpoint {").skip(1);
    attributes
        .map(|rest| {
            let attribute = rest.split("}]").next().unwrap_or_default();
            let (_, method) = attribute
                .split_once("method = ")
                .context("an endpoint without a method")?;
            let method = method.split(|c: char| !c.is_ascii_alphabetic()).next();
            let (_, path) = attribute
                .split_once("path = \"")
                .context("an endpoint without a path")?;
            let path = path.split('"').next().unwrap_or_default();
            Ok(format!("{} {path}", method.unwrap_or_default()))
        })
        .collect()
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
    fn an_endpoint_is_found_on_one_line_and_on_several() {
        let text = "#[endpoint { method = GET, path = \"/a\", unpublished = true }]\n\
                    #[endpoint {\n    method = POST,\n    path = \"/b/{c}\",\n}]\n";
        assert_eq!(endpoints_of(text).unwrap(), ["GET /a", "POST /b/{c}"]);
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
