//! Rewrites schemas of OpenAPI 3.1 (JSON Schema 2020-12) as schemas of OpenAPI 3.0.3.

use super::nodes::{exclude_all, set};
use super::{bounds, compositions, expressions, looser, types, walk};
use crate::document::{
    Diagnostic, Diagnostics, EXTENSIBLE, EXTENSIBLE_ENUM, Entry, Kind, Node, Object, Span,
    more_places,
};

/// Keywords that do not constrain values.
const SILENT: [&str; 8] = [
    "$anchor",
    "$comment",
    "$dynamicAnchor",
    "$id",
    "$schema",
    "$vocabulary",
    "contentSchema",
    "summary",
];

/// Rewrites every schema of a document.
pub(super) fn rewrite(root: &mut Node, findings: &mut Diagnostics) {
    let mut pass = Pass {
        findings,
        nullable: Vec::new(),
        flags: Vec::new(),
    };
    walk::schemas(root, "", &mut |_, schema| pass.schema(schema, false));
    pass.finish();
}

/// Reads `const` in a document of OpenAPI 3.0, which has no such keyword.
pub(super) fn read_constants(root: &mut Node, findings: &mut Diagnostics) {
    walk::schemas(root, "", &mut |_, schema| {
        walk::every(schema, "", &mut |_, schema| {
            // A reference ignores the keys beside it.
            if schema.contains_key("$ref") {
                return;
            }
            if let Some(span) = schema.key_span("const") {
                findings.push(
                    Diagnostic::warning(
                        "newer-keyword",
                        span,
                        "`const` is a keyword of OpenAPI 3.1: it is read as `enum` with one value",
                    )
                    .help("write `enum: [VALUE]`, or `openapi: 3.1.0`"),
                );
                constant(schema, findings);
            }
        });
    });
}

struct Pass<'f> {
    findings: &'f mut Diagnostics,
    /// The positions of `nullable`, which OpenAPI 3.1 does not have.
    nullable: Vec<Span>,
    /// The positions of exclusive bounds that are flags, as in OpenAPI 3.0.
    flags: Vec<Span>,
}

impl Pass<'_> {
    /// Rewrites a schema, its parts first. Inside `not`, a schema that accepts more than the
    /// document says makes the outer one accept less.
    fn schema(&mut self, node: &mut Node, is_negated: bool) {
        if let Kind::Bool(any) = node.kind {
            node.kind = Kind::Object(match any {
                true => Object::default(),
                false => nothing(node.span),
            });
        }
        let Some(schema) = node.as_object_mut() else {
            return;
        };
        walk::parts(schema, |keyword, _, part| {
            // A boolean is not a schema here: the keyword is a flag.
            let is_flag = matches!(
                keyword,
                "additionalProperties" | "unevaluatedProperties" | "unevaluatedItems"
            ) && part.as_bool().is_some();
            let is_tuple_end = keyword == "items" && part.as_bool() == Some(false);
            if !is_flag && !is_tuple_end {
                self.schema(part, is_negated != (keyword == "not"));
            }
        });
        self.keywords(schema, is_negated);
    }

    fn keywords(&mut self, schema: &mut Object, is_negated: bool) {
        for key in SILENT {
            schema.remove(key);
        }
        self.nullable.extend(schema.key_span("nullable"));
        for key in ["exclusiveMinimum", "exclusiveMaximum"] {
            let is_flag = schema.get(key).is_some_and(|node| node.as_bool().is_some());
            self.flags.extend(schema.key_span(key).filter(|_| is_flag));
        }
        self.findings.extend(expressions::check(schema));
        looser::rewrite(schema, is_negated, self.findings);
        constant(schema, self.findings);
        no_values(schema, self.findings);
        bounds::rewrite(schema);
        content(schema);
        types::rewrite(schema);
        compositions::null_branches(schema);
        compositions::reference(schema);
    }

    fn finish(self) {
        let older = [
            (
                self.nullable,
                "`nullable` is a keyword of OpenAPI 3.0",
                "write `type: [TYPE, 'null']`",
            ),
            (
                self.flags,
                "an exclusive bound of true or false is of OpenAPI 3.0",
                "write the bound itself, as in `exclusiveMinimum: 3`, in place of `minimum: 3`",
            ),
        ];
        for (places, what, help) in older {
            if let Some(first) = places.first() {
                let more = more_places(places.len() - 1);
                let message = format!("{what}{more}: it is honored");
                self.findings
                    .push(Diagnostic::warning("older-keyword", *first, message).help(help));
            }
        }
    }
}

/// A schema for which no value is valid.
fn nothing(span: Span) -> Object {
    let mut schema = Object::default();
    exclude_all(&mut schema, span);
    schema
}

/// Rewrites `const` as an `enum` of one value, which replaces a list that has the value.
fn constant(schema: &mut Object, findings: &mut Diagnostics) {
    if let Some(constant) = schema.remove("const") {
        findings.extend(unlisted(schema, &constant.value));
        // No further value is valid.
        schema.remove(EXTENSIBLE);
        let (span, key_span) = (constant.value.span, constant.key_span);
        let mut values = Entry::at(span, Kind::Array(vec![constant.value]));
        values.key_span = key_span;
        set(schema, "enum", values);
    }
}

/// The error about a constant that the values beside it lack. `1` and `1.0` are one value.
fn unlisted(schema: &Object, constant: &Node) -> Option<Diagnostic> {
    let list = schema.entry("enum")?;
    let (json, number) = (constant.to_json(), constant.as_f64());
    let is_listed = list
        .value
        .as_array()?
        .iter()
        .any(|value| value.to_json() == json || number.is_some() && value.as_f64() == number);
    if is_listed {
        return None;
    }
    let key = match schema.contains_key(EXTENSIBLE) {
        true => EXTENSIBLE_ENUM,
        false => "enum",
    };
    let message = format!("`const` is not one of the values of `{key}`");
    Some(
        Diagnostic::error("const-not-in-enum", constant.span, message)
            .related(list.key_span, "the values")
            .help(format!("write one of the values, or remove `{key}`")),
    )
}

/// Rewrites an `enum` without values, which JSON Schema 2020-12 allows and OpenAPI 3.0 does not.
fn no_values(schema: &mut Object, findings: &mut Diagnostics) {
    let values = schema.get("enum").and_then(Node::as_array);
    let is_empty = values.is_some_and(<[Node]>::is_empty);
    if !is_empty || schema.contains_key(EXTENSIBLE) {
        return;
    }
    if let Some(values) = schema.remove("enum") {
        let message = "`enum` has no values: no value is valid";
        findings.push(
            Diagnostic::warning("enum", values.key_span, message)
                .help("list the values, or remove `enum`"),
        );
        exclude_all(schema, values.key_span);
    }
}

/// Rewrites `contentEncoding` and `contentMediaType` as `format` (OpenAPI 3.1.1, "Working with
/// Binary Data"). A string with a media type of texts, such as JSON, gets no format.
fn content(schema: &mut Object) {
    let encoding = schema.remove("contentEncoding");
    let media_type = schema.remove("contentMediaType");
    if schema.contains_key("format") {
        return;
    }
    let text = |entry: &Option<Entry>| {
        let text = entry.as_ref().and_then(|entry| entry.value.as_str());
        text.map(str::to_ascii_lowercase)
    };
    let format = match (text(&encoding).as_deref(), text(&media_type).as_deref()) {
        (Some("base64"), _) => "byte",
        (Some("binary"), _) => "binary",
        (None, Some(media)) if !is_text(media) => "binary",
        _ => return,
    };
    if let Some(at) = encoding.or(media_type) {
        schema.get_or_insert(
            "format",
            Entry::at(at.value.span, Kind::String(format.to_owned())),
        );
    }
}

/// Whether values of a media type are text. A JSON Web Token is: JSON Schema has it as an example of
/// `contentMediaType` (2020-12, Validation, section 8.6).
fn is_text(media_type: &str) -> bool {
    const TEXTS: [&str; 6] = ["graphql", "javascript", "json", "jwt", "xml", "yaml"];
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    essence.starts_with("text/") || TEXTS.iter().any(|text| essence.ends_with(text))
}
