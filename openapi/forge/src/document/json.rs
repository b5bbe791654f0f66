//! JSON (RFC 8259), strictly: no comments, no trailing commas, no bare words.

mod explain;

use std::str::FromStr;

use jsonc_parser::ast::{self, ObjectPropName, Value};
use jsonc_parser::common::{Range, Ranged};
use jsonc_parser::errors::ParseErrorKind;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::Number;

use super::Span;
use super::defects::{MAX_DEPTH, duplicate_key, too_deep};
use super::diagnostic::{Diagnostic, Diagnostics};
use super::node::{Entry, Kind, Node, Object};

const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// Reads JSON. `offset` is the offset of `text` in its file.
pub(super) fn read(text: &str, offset: usize, diagnostics: &mut Diagnostics) -> Option<Node> {
    let mut reader = Reader {
        text,
        offset,
        diagnostics,
    };
    match parse_to_ast(text, &CollectOptions::default(), &STRICT) {
        Ok(_) if let Some((at, char)) = foreign_space(text) => {
            let span = reader.span(Range {
                start: at,
                end: at + char.len_utf8(),
            });
            let message = format!("U+{:04X} is not a space of JSON", u32::from(char));
            let finding = Diagnostic::error("json-syntax", span, message);
            let finding = finding.help("write a space in its place");
            reader.diagnostics.push(finding);
            None
        }
        Ok(parsed) => match parsed.value {
            Some(value) => reader.node(value, 1),
            None => {
                reader.error(
                    "empty-document",
                    Range { start: 0, end: 0 },
                    "the document is empty",
                );
                None
            }
        },
        Err(error) => {
            let range = error.range();
            match error.kind() {
                ParseErrorKind::NestingDepthExceeded => {
                    let span = reader.span(Range {
                        start: range.start,
                        end: range.start + 1,
                    });
                    reader.diagnostics.push(too_deep(span));
                }
                kind => {
                    let finding = explain::finding(text, offset, range, kind);
                    reader.diagnostics.push(finding);
                }
            }
            None
        }
    }
}

/// The first space between the tokens that RFC 8259, section 2, does not allow. The parser does.
fn foreign_space(text: &str) -> Option<(usize, char)> {
    let (mut is_string, mut is_escaped) = (false, false);
    text.char_indices().find(|(_, char)| {
        match char {
            _ if is_escaped => is_escaped = false,
            '\\' if is_string => is_escaped = true,
            '"' => is_string = !is_string,
            _ => {}
        }
        !is_string && char.is_whitespace() && !matches!(char, ' ' | '\t' | '\n' | '\r')
    })
}

/// The finding about a control character in a string.
fn unescaped(character: u8, span: Span) -> Diagnostic {
    let (name, escaped) = match character {
        b'\t' => ("tab", "\\t".to_owned()),
        b'\n' | b'\r' => ("line break", "\\n".to_owned()),
        other => ("control character", format!("\\u{other:04x}")),
    };
    let message = format!("a {name} in a string has to be escaped");
    Diagnostic::error("json-syntax", span, message).help(format!("write `{escaped}` in its place"))
}

struct Reader<'t, 'd> {
    text: &'t str,
    offset: usize,
    diagnostics: &'d mut Diagnostics,
}

impl Reader<'_, '_> {
    fn span(&self, range: Range) -> Span {
        Span::new(range.start + self.offset, range.end + self.offset)
    }

    fn error(&mut self, code: &'static str, range: Range, message: impl Into<String>) {
        let span = self.span(range);
        self.diagnostics
            .push(Diagnostic::error(code, span, message));
    }

    /// `depth` is the nesting of this value if it is an array or an object.
    fn node(&mut self, value: Value<'_>, depth: usize) -> Option<Node> {
        let range = value.range();
        let span = self.span(range);
        let kind = match value {
            Value::NullKeyword(_) => Kind::Null,
            Value::BooleanLit(literal) => Kind::Bool(literal.value),
            // `serde_json` reads `-0` as a float, since no integer has a negative zero.
            Value::NumberLit(literal) if literal.value == "-0" => Kind::Number(Number::from(0)),
            Value::NumberLit(literal) => match Number::from_str(literal.value) {
                Ok(number) => Kind::Number(number),
                Err(_) => {
                    self.error(
                        "number-out-of-range",
                        range,
                        format!("`{}` is too large for a number", literal.value),
                    );
                    return None;
                }
            },
            Value::StringLit(literal) => Kind::String(self.string(literal)),
            Value::Array(_) | Value::Object(_) if depth > MAX_DEPTH => {
                self.diagnostics
                    .push(too_deep(Span::new(span.start, span.start + 1)));
                return None;
            }
            Value::Array(array) => Kind::Array(
                array
                    .elements
                    .into_iter()
                    .filter_map(|element| self.node(element, depth + 1))
                    .collect(),
            ),
            Value::Object(object) => Kind::Object(self.object(object, depth)),
        };
        Some(Node { span, kind })
    }

    fn object(&mut self, object: ast::Object<'_>, depth: usize) -> Object {
        let mut entries = Object::default();
        for property in object.properties {
            let ObjectPropName::String(name) = property.name else {
                continue; // The strict parser has refused it already.
            };
            let key_span = self.span(name.range);
            let key = self.string(name);
            let Some(value) = self.node(property.value, depth + 1) else {
                continue;
            };
            if let Err(first) = entries.insert(key.clone(), Entry { key_span, value }) {
                self.diagnostics.push(duplicate_key(&key, key_span, first));
            }
        }
        entries
    }

    /// The text of a string. The parser lets control characters pass; RFC 8259, section 7, does not.
    fn string(&mut self, literal: ast::StringLit<'_>) -> String {
        let written = &self.text[literal.range.start..literal.range.end];
        if let Some(at) = written.bytes().position(|b| b < 0x20) {
            let start = literal.range.start + at;
            let range = Range {
                start,
                end: start + 1,
            };
            let finding = unescaped(written.as_bytes()[at], self.span(range));
            self.diagnostics.push(finding);
        }
        literal.value.into_owned()
    }
}
