//! The page of constructs: every key of the tables, and how the generator treats it.

use std::fmt::Write;

use super::key::{Key, Object, Support, Version};
use super::tables;

/// The page of constructs as Markdown, made from the tables.
pub fn constructs() -> String {
    let mut page = String::from(
        "# Constructs\n\n\
         Every key of OpenAPI 3.0.3 and 3.1 and every extension of the generator. `cargo xtask regenerate` writes this \
         page from the tables that documents are checked against.\n\n",
    );
    for (support, meaning) in [
        (Support::Read, "generated code depends on it"),
        (
            Support::Ignored,
            "only for readers of the document, and published with it",
        ),
        (
            Support::Warned,
            "accepted with a warning, since generated code does not implement the key",
        ),
        (
            Support::Loosened,
            "accepted with a warning, since the server accepts more than the document says",
        ),
        (Support::Refused, "the document is refused"),
    ] {
        let _ = writeln!(page, "- **{}**: {meaning}", support.word());
    }
    page.push_str(
        "\nAn unknown key is an error if it resembles one of these, and a warning otherwise. In schemas of OpenAPI 3.1, which \
         may have other keywords, it is a warning. A value of the wrong type is an error. Extensions of other tools (`x-`) \
         are allowed, unless they are within two letters of an extension below.\n",
    );
    for object in tables::objects() {
        section(&mut page, object);
    }
    page
}

fn section(page: &mut String, object: &Object) {
    let _ = writeln!(page, "\n## {}\n", object.section);
    if let Some(value_type) = object.patterned {
        let _ = writeln!(
            page,
            "The value of every key except extensions is {}.",
            value_type.describe()
        );
    }
    if object.is_referable {
        page.push_str("A reference (`$ref`) may replace it.\n");
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
    page.push_str("| Key | Type | Version | Support |\n|---|---|---|---|\n");
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
        key.value_type.describe(),
        key.support.word(),
    );
}
