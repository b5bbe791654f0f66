//! The table of all operations in the top README, between two markers.

use std::fmt::Write;

use anyhow::{Context, ensure};
use dropforge::document::{Document, METHODS};
use dropforge::lower::base_path;

const BEGIN: &str = "<!-- operations: written by cargo xtask regenerate -->\n";
const END: &str = "<!-- operations end -->\n";

/// Inserts the table of the operations of these areas into the README.
///
/// # Errors
///
/// When the README does not have each marker once.
pub(super) fn insert(readme: &str, areas: &[(String, Document)]) -> anyhow::Result<String> {
    let (before, rest) = readme
        .split_once(BEGIN)
        .with_context(|| format!("README.md has no line {}", BEGIN.trim()))?;
    let (_, after) = rest
        .split_once(END)
        .with_context(|| format!("README.md has no line {}", END.trim()))?;
    ensure!(
        !after.contains(BEGIN),
        "README.md has two tables of operations"
    );
    Ok(format!("{before}{BEGIN}{}{END}{after}", table(areas)))
}

/// The operations of a document, in its order.
pub(super) fn operations(document: &Document) -> Vec<String> {
    let document = document.to_json();
    let paths = document["paths"].as_object().into_iter().flatten();
    let names = paths.flat_map(|(_, item)| {
        let operations = METHODS.iter().map(|method| &item[*method]["operationId"]);
        operations.filter_map(|name| name.as_str().map(str::to_owned))
    });
    names.collect()
}

/// The rows of all operations, in the order of the documents.
fn table(areas: &[(String, Document)]) -> String {
    let mut text =
        String::from("\n| area | operation | what it does | served at |\n|---|---|---|---|\n");
    for (area, document) in areas {
        let base = base_path(document);
        let document = document.to_json();
        let paths = document["paths"].as_object().into_iter().flatten();
        for (path, item) in paths {
            for method in METHODS {
                let operation = &item[method];
                let word = |key: &str| {
                    operation[key]
                        .as_str()
                        .unwrap_or_default()
                        .replace('|', "\\|")
                };
                if operation.is_object() {
                    // Writing to a String cannot fail.
                    let _ = writeln!(
                        text,
                        "| {area} | `{}` | {} | `{} {base}{path}` |",
                        word("operationId"),
                        word("summary"),
                        method.to_uppercase(),
                    );
                }
            }
        }
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "\
servers: [{url: 'https://accord.example/v1/'}]
paths:
  /a/{id}:
    get: {operationId: getA, summary: Get an a}
    parameters: []
";

    #[test]
    fn the_table_is_between_its_markers_and_nothing_else_changes() {
        let document = Document::load("a.yaml", DOCUMENT).expect("a document");
        let areas = [("a".to_owned(), document)];
        let readme = format!("before\n{BEGIN}stale\n{END}after\n");
        let once = insert(&readme, &areas).expect("markers");
        assert!(
            once.contains("| a | `getA` | Get an a | `GET /v1/a/{id}` |\n"),
            "{once}"
        );
        assert!(
            once.starts_with("before\n") && once.ends_with("after\n") && !once.contains("stale")
        );
        assert_eq!(insert(&once, &areas).expect("markers"), once);
        assert!(insert("no markers", &areas).is_err());
    }
}
