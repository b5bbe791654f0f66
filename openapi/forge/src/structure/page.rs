//! The page of constructs: every key of the tables, and what the generator does with it.

use std::fmt::Write;

use super::key::{Fate, Key, Object, Version};
use super::tables;

/// The page of constructs as Markdown, made from the tables.
pub fn constructs() -> String {
    let mut page = String::from(
        "# Constructs\n\n\
         Every key of OpenAPI 3.0.3 and 3.1 and every extension of the generator. `cargo xtask regenerate` writes this \
         page from the tables that documents are checked against.\n\n",
    );
    for (fate, meaning) in [
        (Fate::Read, "generated code depends on it"),
        (
            Fate::Ignored,
            "it is for readers of the document, and published with it",
        ),
        (
            Fate::Warned,
            "accepted with a warning, since generated code does not do what the key says",
        ),
        (
            Fate::Loosened,
            "accepted with a warning, since the server accepts more than the document says",
        ),
        (Fate::Refused, "the document is refused"),
    ] {
        let _ = writeln!(page, "- **{}**: {meaning}", fate.word());
    }
    page.push_str(
        "\nAn unknown key is refused if it resembles one of these, and warned of otherwise. So is a value of the wrong \
         type. Foreign keys with `x-` are free, unless they are within two letters of an extension below.\n",
    );
    for object in tables::objects() {
        section(&mut page, object);
    }
    page
}

fn section(page: &mut String, object: &Object) {
    let _ = writeln!(page, "\n## {}\n", object.section);
    if let Some(holds) = object.patterned {
        let _ = writeln!(page, "Every key but extensions holds {}.", holds.describe());
    }
    if object.is_referable {
        page.push_str("A reference (`$ref`) may take its place.\n");
    }
    if object.boolean == Some(Version::V31) {
        page.push_str("In OpenAPI 3.1, it may be a boolean.\n");
    }
    if object.keys.is_empty() {
        return;
    }
    if object.patterned.is_some() || object.is_referable {
        page.push('\n');
    }
    page.push_str("| Key | Type | Version | What becomes of it |\n|---|---|---|---|\n");
    for key in object.keys {
        row(page, key);
    }
}

fn row(page: &mut String, key: &Key) {
    let version = match key.only {
        None => "",
        Some(Version::V30) => "3.0",
        Some(Version::V31) => "3.1",
    };
    let required = match key.is_required {
        true => ", required",
        false => "",
    };
    let note = match key.note {
        "" => String::new(),
        note => format!(": {note}"),
    };
    let _ = writeln!(
        page,
        "| `{}` | {} | {version} | {}{required}{note} |",
        key.name,
        key.holds.describe(),
        key.fate.word(),
    );
}
