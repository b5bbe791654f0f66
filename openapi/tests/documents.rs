//! What holds for every document: the rules, the released form.

use std::path::{Path, PathBuf};

use dropforge::check::{compatibility, lint, published};
use dropforge::document::Document;

fn openapi() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi")
}

/// The documents that the crate publishes, as they stand in the repository.
fn documents() -> impl Iterator<Item = (&'static str, Document)> {
    accord::DOCUMENTS.iter().map(|document| {
        let path = openapi().join(document.area).with_extension("yaml");
        let loaded = Document::load_file(path).unwrap_or_else(|refused| panic!("{refused}"));
        (document.area, loaded)
    })
}

#[test]
fn no_rule_has_anything_to_say() {
    for (_, document) in documents() {
        let findings = lint::lint(&document);
        assert!(
            findings.is_empty(),
            "\n{}",
            findings.render(&document.source)
        );
    }
}

#[test]
fn what_the_crate_publishes_is_what_stands_in_the_repository() {
    for ((area, document), published) in documents().zip(&accord::DOCUMENTS) {
        assert_eq!(area, published.area);
        let json: serde_json::Value = serde_json::from_str(published.json).unwrap();
        assert_eq!(json, document.to_json(), "{area}");
        assert_eq!(published.yaml, document.source.text, "{area}");
    }
}

/// The released form is what clients rely on. Whoever changes a document sees
/// here what the change means for them, before it is released with
/// `cargo xtask regenerate`.
#[test]
fn every_change_since_the_release_has_been_released() {
    for (area, document) in documents() {
        let path = openapi()
            .join("published")
            .join(area)
            .with_extension("json");
        let released = Document::load_file(&path).unwrap_or_else(|refused| panic!("{refused}"));
        if released.source.text == published::canonical(&document) {
            continue;
        }
        let changes = compatibility::compare(&released, &document);
        let told: Vec<_> = changes
            .iter()
            .map(|change| {
                format!(
                    "  {}: {} (#{})",
                    change.class, change.message, change.pointer
                )
            })
            .collect();
        panic!(
            "{} is not what is released; run `cargo xtask regenerate`\n{}",
            document.source.name,
            told.join("\n")
        );
    }
}

#[test]
fn clients_leave_out_what_their_reports_say_and_no_more() {
    for (area, document) in documents() {
        let client = match dropforge::emit::client::generate(&document) {
            Ok(client) => client,
            Err(diagnostics) => panic!("{}", diagnostics.render(&document.source)),
        };
        let path = openapi().join("published").join(format!("{area}.loss.md"));
        let pinned = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            client.report.to_markdown() == pinned,
            "the report of {area} is another; run `cargo xtask regenerate` and read what it changes"
        );
    }
}
