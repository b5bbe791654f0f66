//! The released form of a document.
//!
//! Whoever consumes a document should not need YAML, and whoever reviews a
//! change to it should see no line that says the same as before. So the
//! released form is JSON, one key to a line, in the order of the document:
//! comments, anchors and styles of quoting are gone, and nothing is sorted.

use crate::document::Document;

/// The document as canonical JSON, with a line break at its end.
pub fn canonical(document: &Document) -> String {
    let mut text = format!("{:#}", document.to_json());
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn published(name: &str, text: &str) -> String {
        canonical(&Document::load(name, text).expect("a document"))
    }

    #[test]
    fn the_released_form_does_not_depend_on_how_the_document_is_written() {
        let block = "z: 'é'\na:\n  - 1.0\n  - &x {}\nm: *x # a comment\n";
        let flow = "{\"z\": \"\\u00e9\", \"a\": [1.0, {}], \"m\": {}}";
        let expected = "{\n  \"z\": \"é\",\n  \"a\": [\n    1.0,\n    {}\n  ],\n  \"m\": {}\n}\n";
        assert_eq!(published("x.yaml", block), expected);
        assert_eq!(published("x.json", flow), expected);
    }

    #[test]
    fn the_released_form_of_the_released_form_is_itself() {
        let once = published("x.yaml", "b: {d: [~, 1e3, 12345678901234567890]}\na: ''\n");
        assert_eq!(published("x.json", &once), once);
    }
}
