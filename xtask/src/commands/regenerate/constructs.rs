//! The page of constructs, with examples: the first place of each key in a document of the
//! generator's tests, and the code that is generated for it there.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write;

use anyhow::Context;
use dropforge::document::{Document, pointer};
use dropforge::structure::key::Support;
use dropforge::structure::{constructs, keys};

use crate::repository;

/// The document and its generated server, without the ends of their names.
const GOLDEN: &str = "openapi/forge/tests/golden/kitchen";

/// What precedes the line of the document behind the first line of a generated item.
const PLACE: &str = " // tests/golden/kitchen.yaml:";

/// The generated items by their line of the document.
type Items = BTreeMap<usize, Vec<String>>;

/// Keys, and the lines of the document with them.
#[derive(Default)]
struct Example {
    keys: Vec<String>,
    lines: BTreeSet<usize>,
}

pub(super) fn page() -> anyhow::Result<String> {
    let path = |end: &str| repository::root().join(format!("{GOLDEN}.{end}"));
    let document = repository::load(&path("yaml"))?;
    let code = std::fs::read_to_string(path("rs")).context("cannot read the golden code")?;
    let mut page = constructs();
    page.push_str(
        "\n## Examples\n\n\
         The first place of each key in [kitchen.yaml](tests/golden/kitchen.yaml), and the items that are generated for \
         it in [kitchen.rs](tests/golden/kitchen.rs), each up to its body.\n",
    );
    let items = items(&code);
    let text: Vec<&str> = document.source.text.lines().collect();
    for (line, Example { keys, lines }) in examples(&document, &items) {
        let lines: Vec<&str> = lines.iter().map(|line| text[line - 1]).collect();
        let indent = lines.iter().map(|line| indent(line)).min().unwrap_or(0);
        let lines: Vec<&str> = lines.iter().map(|line| &line[indent..]).collect();
        // Writing to a String cannot fail.
        let _ = write!(
            page,
            "\n{}:\n\n```yaml\n{}\n```\n\n```rust\n{}\n```\n",
            keys.join(", "),
            lines.join("\n"),
            items[&line].join("\n"),
        );
    }
    Ok(page)
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The types, fields and tables of generated code. The first line of a document represents the
/// whole, and has none.
fn items(code: &str) -> Items {
    let mut items = Items::new();
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        let Some((first, place)) = line.split_once(PLACE) else {
            continue;
        };
        let indent = indent(first);
        let mut item = first[indent..].to_owned();
        let is_shown = item.starts_with("pub ") || item.contains("SCHEMA_");
        let Some(place) = place
            .parse::<usize>()
            .ok()
            .filter(|line| is_shown && *line > 1)
        else {
            continue;
        };
        let mut is_end = item.ends_with(['{', '}', ';', ',']);
        while !is_end && let Some(line) = lines.next() {
            let line = line.get(indent..).unwrap_or_default();
            is_end = line.ends_with(';') || !line.starts_with(' ');
            item.push('\n');
            item.push_str(line);
        }
        let known = items.entry(place).or_default();
        if !known.contains(&item) {
            known.push(item);
        }
    }
    items
}

/// The first place of each key that generated code depends on, by the line of its items.
fn examples(document: &Document, items: &Items) -> BTreeMap<usize, Example> {
    let mut known = HashSet::new();
    let mut examples: BTreeMap<usize, Example> = BTreeMap::new();
    for place in keys(document) {
        let section = place.object.section;
        let key = place.key.filter(|key| key.support == Support::Read);
        let Some(key) = key.filter(|key| !known.contains(&(section, key.name))) else {
            continue;
        };
        let Some(line) = line_of_items(document, items, &place.pointer) else {
            continue;
        };
        known.insert((section, key.name));
        let example = examples.entry(line).or_default();
        example.keys.push(format!("`{}` ({section})", key.name));
        let (own, _) = document.source.line_column(place.span.start);
        example.lines.extend([line, own]);
    }
    examples
}

/// The line of the innermost value around a key that has items. Those of an operation are at its
/// `operationId`.
fn line_of_items(document: &Document, items: &Items, key: &str) -> Option<usize> {
    let line = |pointer: &str| {
        let span = document.key_span(pointer)?;
        Some(document.source.line_column(span.start).0)
    };
    let mut at = key;
    while !at.is_empty() {
        let lines = [line(at), line(&pointer::join(at, "operationId"))];
        let mut lines = lines.into_iter().flatten();
        if let Some(found) = lines.find(|line| items.contains_key(line)) {
            return Some(found);
        }
        at = at.rsplit_once('/')?.0;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "\
openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /a:
    get:
      operationId: getA
      deprecated: true
      responses: {'204': {description: Done}}
components:
  schemas:
    Text: {type: string, maxLength: 4}
";

    const CODE: &str = "\
pub trait Kitchen { // tests/golden/kitchen.yaml:1
    fn get_a(); // tests/golden/kitchen.yaml:6
    pub since: Option< // tests/golden/kitchen.yaml:6
        Date,
    >,
    pub other: u8,
    pub(super) static SCHEMA_0: Schema = Schema::of( // tests/golden/kitchen.yaml:11
            Types::STRING,
        )
        .string(4);
";

    #[test]
    fn a_key_has_the_items_of_the_value_around_it() {
        let document = Document::load("kitchen.yaml", DOCUMENT).expect("a document");
        let items = items(CODE);
        assert_eq!(items[&6], ["pub since: Option<\n    Date,\n>,"]);
        let table = "pub(super) static SCHEMA_0: Schema = Schema::of(\n        Types::STRING,\n    )\n    .string(4);";
        assert_eq!(items[&11], [table]);
        let examples = examples(&document, &items);
        let of = |line: usize| (&examples[&line].keys, &examples[&line].lines);
        let (keys, lines) = of(6);
        assert!(keys.contains(&"`responses` (Operation Object)".to_owned()));
        assert!(!keys.iter().any(|key| key.contains("deprecated")));
        assert!(lines.contains(&6) && lines.contains(&8));
        let (keys, lines) = of(11);
        assert!(keys.contains(&"`maxLength` (Schema Object)".to_owned()));
        assert_eq!(lines.iter().collect::<Vec<_>>(), [&11]);
        assert_eq!(examples.len(), 2);
    }
}
