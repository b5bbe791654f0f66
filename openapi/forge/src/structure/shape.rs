//! How to write an object in place of another value.

use super::key::Object;
use super::schema::TYPES;
use super::tables;
use crate::document::{Kind, MAX_SHOWN, Node, Source, names_file, quoted};

/// The help for a value that is not the object that it should be.
pub(super) fn help(object: &Object, node: &Node, source: &Source) -> Option<String> {
    match &node.kind {
        Kind::String(text) => of_text(object, text),
        Kind::Array(items) => {
            let written = source.text_of(node.span).unwrap_or_default();
            let help = match written.starts_with('-') {
                true if items.len() == 1 => "remove the dash: an object has keys, and no items",
                true => "remove the dashes: an object has keys, and no items",
                false => "remove the brackets: an object has keys, and no items",
            };
            Some(help.to_owned())
        }
        Kind::Null => {
            let written = source.text_of(node.span).unwrap_or_default();
            let help = match written.is_empty() || written.starts_with([':', '-']) {
                true => "indent its keys deeper than its name, or remove it",
                false => "write an object, or remove it",
            };
            let comment = source.help_for_comment(node);
            Some(comment.unwrap_or_else(|| help.to_owned()))
        }
        _ => None,
    }
}

fn of_text(object: &Object, text: &str) -> Option<String> {
    let file = text.split('#').next().unwrap_or_default();
    let is_reference = text.starts_with('#') || names_file(file);
    if object.is_referable && is_reference {
        return Some(format!("write `{{$ref: {}}}`", quoted(text)));
    }
    if object.is(&tables::SCHEMA) && TYPES.contains(&text) {
        return Some(format!("write `{{type: {text}}}`"));
    }
    object.is(&tables::RESPONSE).then(|| {
        let is_word = |c: char| c.is_alphanumeric() || c == ' ';
        let is_plain = text.starts_with(char::is_alphabetic) && text.chars().all(is_word);
        match is_plain && text.chars().count() <= MAX_SHOWN {
            true => format!("write `{{description: {text}}}`"),
            false => format!("write `{{description: {}}}`", quoted(text)),
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::document::Document;
    use crate::structure::check;

    /// The help of the only finding in a document.
    fn help(paths: &str, schemas: &str) -> String {
        let text = format!(
            "openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths:{paths}\ncomponents:\n  \
             schemas:{schemas}\n"
        );
        let document = Document::load("x.yaml", &text).expect(&text);
        let found = check(&document);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        let first = found.iter().next().expect("a finding");
        assert_eq!(first.code, "wrong-type", "{text}");
        first.help.clone().unwrap_or_default()
    }

    #[test]
    fn a_schema_is_written_as_an_object() {
        for (schema, written) in [
            (
                "'#/components/schemas/S'",
                "write `{$ref: '#/components/schemas/S'}`",
            ),
            ("common.yaml#/a", "write `{$ref: 'common.yaml#/a'}`"),
            ("string", "write `{type: string}`"),
            ("{properties: {a: integer}}", "write `{type: integer}`"),
            ("{items: [string]}", "remove the brackets"),
            ("\n      - type: string", "remove the dash:"),
            ("{additionalProperties: treu}", "write true or false"),
            ("{additionalProperties: string}", "write `{type: string}`"),
        ] {
            let help = help(" {}", &format!("\n    S: {schema}"));
            assert!(help.starts_with(written), "{schema}: {help}");
        }
    }

    #[test]
    fn a_path_and_a_response_are_written_as_objects() {
        let responses = "responses: {'200': {description: d}}";
        for (path, written) in [
            (
                "{get: {responses: {'200': ok}}}".to_owned(),
                "write `{description: ok}`",
            ),
            (
                "{get: {responses: {'200': \"it's, ok\"}}}".to_owned(),
                "write `{description: 'it''s, ok'}`",
            ),
            (format!("\n    - get: {{{responses}}}"), "remove the dash:"),
            (
                format!("\n    get:\n    put: {{{responses}}}"),
                "indent its keys deeper",
            ),
        ] {
            let help = help(&format!("\n  /a: {path}"), " {}");
            assert!(help.starts_with(written), "{path}: {help}");
        }
    }
}
