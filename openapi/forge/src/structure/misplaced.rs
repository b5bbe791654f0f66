//! Unknown keys that belong elsewhere: to another object, or to Swagger 2.0.

use super::key::Object;
use super::tables;
use super::unknown_key::UnknownKey;
use crate::document::Diagnostic;

const ADDRESS: &str =
    "write the address into `servers`, as in `servers: [{url: 'https://example.com/v1'}]`";
const MEDIA_TYPES: &str = "write each media type as a key of `content`";

/// The key of Swagger 2.0 without which anybody could call operations.
const SECURITY_DEFINITIONS: &str = "securityDefinitions";

/// Keys of Swagger 2.0, each with what OpenAPI 3 has in its place.
const OF_SWAGGER: [(&str, &str); 7] = [
    ("basePath", ADDRESS),
    ("consumes", MEDIA_TYPES),
    ("definitions", "move it to `components/schemas`"),
    ("host", ADDRESS),
    ("produces", MEDIA_TYPES),
    ("schemes", ADDRESS),
    (
        SECURITY_DEFINITIONS,
        "move it to `components/securitySchemes`",
    ),
];

/// Keys of a schema that restrict no value.
const ANNOTATIONS: [&str; 5] = ["deprecated", "description", "externalDocs", "title", "xml"];

/// The finding about a key whose place is known.
pub(super) fn check(unknown: &UnknownKey<'_>) -> Option<Diagnostic> {
    let UnknownKey { key, object, .. } = *unknown;
    let is_document = object.is(&tables::DOCUMENT);
    let swagger = OF_SWAGGER.iter().find(|(known, _)| *known == key);
    if let Some((_, help)) = swagger.filter(|_| is_document || object.is(&tables::OPERATION)) {
        return Some(finding(unknown, key == SECURITY_DEFINITIONS, help));
    }
    if is_document && tables::COMPONENTS.key(key, unknown.version).is_some() {
        let help = format!("move it to `components/{key}`");
        return Some(finding(unknown, false, &help));
    }
    if has_content(object) && (key == "schema" || key.contains('/')) {
        let help = match key {
            "schema" => {
                "it belongs into `content`: write `content: {application/json: {schema: …}}`"
            }
            _ => "it belongs into `content`",
        };
        return Some(finding(unknown, true, help));
    }
    let is_keyword = tables::SCHEMA.key(key, unknown.version).is_some();
    (has_schema(object) && is_keyword).then(|| {
        let has_own = ["schema", "content"]
            .iter()
            .any(|own| unknown.members.contains_key(own));
        let is_error = !has_own && !ANNOTATIONS.contains(&key);
        finding(unknown, is_error, "it belongs into `schema`")
    })
}

fn finding(unknown: &UnknownKey<'_>, is_error: bool, help: &str) -> Diagnostic {
    let span = unknown.entry.key_span;
    let message = unknown.message();
    let finding = match is_error {
        true => Diagnostic::error("misplaced-key", span, message),
        false => {
            let message = format!("{message}, and is ignored");
            Diagnostic::warning("misplaced-key", span, message)
        }
    };
    finding.help(help)
}

/// Whether an object holds bodies by their media types.
fn has_content(object: &Object) -> bool {
    object.is(&tables::REQUEST_BODY) || object.is(&tables::RESPONSE)
}

/// Whether an object holds one schema.
fn has_schema(object: &Object) -> bool {
    [&tables::HEADER, &tables::MEDIA_TYPE, &tables::PARAMETER]
        .iter()
        .any(|one| object.is(one))
}

#[cfg(test)]
mod tests {
    use crate::document::{Document, Severity};
    use crate::structure::check;

    /// The findings in a document: the text that each points at, whether it is an error, and the
    /// help.
    fn found(top: &str, response: &str) -> Vec<(String, bool, String)> {
        let text = format!(
            "openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\n{top}\npaths:\n  /a:\n    get:\n      \
             responses:\n        '200': {{description: Done, {response}}}\n"
        );
        let document = Document::load("x.yaml", &text).expect(&text);
        let all = check(&document).into_iter().map(|one| {
            let at = text[one.span.start..one.span.end].to_owned();
            let is_error = one.severity == Severity::Error;
            assert_eq!(one.code, "misplaced-key", "{text}");
            (at, is_error, one.help.unwrap_or_default())
        });
        all.collect()
    }

    #[test]
    fn a_key_of_swagger_is_moved() {
        for (key, value, is_error, help) in [
            ("basePath", "/v1", false, "`servers`"),
            ("host", "example.com", false, "`servers`"),
            ("schemes", "[https]", false, "`servers`"),
            ("definitions", "{}", false, "`components/schemas`"),
            ("parameters", "{}", false, "`components/parameters`"),
            ("consumes", "[application/json]", false, "`content`"),
            ("produces", "[application/json]", false, "`content`"),
            (
                "securityDefinitions",
                "{}",
                true,
                "`components/securitySchemes`",
            ),
        ] {
            let found = found(&format!("{key}: {value}"), "");
            let [(at, found_error, found_help)] = found.as_slice() else {
                panic!("{key}: {found:?}");
            };
            assert_eq!((at.as_str(), *found_error), (key, is_error));
            assert!(found_help.contains(help), "{found_help}");
        }
    }

    #[test]
    fn a_schema_belongs_into_content_and_its_keywords_into_the_schema() {
        for (response, at, is_error, help) in [
            ("schema: {type: string}", "schema", true, "`content`"),
            (
                "application/json: {schema: {}}",
                "application/json",
                true,
                "`content`",
            ),
            (
                "content: {application/json: {type: string}}",
                "type",
                true,
                "`schema`",
            ),
            (
                "content: {application/json: {description: d}}",
                "description",
                false,
                "`schema`",
            ),
            (
                "headers: {A: {schema: {type: string}, pattern: a}}",
                "pattern",
                false,
                "`schema`",
            ),
        ] {
            let found = found("", response);
            let [(found_at, found_error, found_help)] = found.as_slice() else {
                panic!("{response}: {found:?}");
            };
            assert_eq!((found_at.as_str(), *found_error), (at, is_error));
            assert!(found_help.contains(help), "{found_help}");
        }
    }
}
