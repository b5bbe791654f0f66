//! Finds a misspelled `format`, and a format of another type.

use super::named_types::types_of;
use crate::document::{Diagnostic, Node, similar};

/// The formats of the OpenAPI Format Registry, and of JSON Schema 2020-12, that are numbers.
const NUMBERS: [&str; 13] = [
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float",
    "double",
    "double-int",
    "decimal",
    "decimal128",
];

/// The formats of integers that limit them, each with its least and its largest value.
const INTEGERS: [(&str, i128, i128); 8] = [
    ("int8", i8::MIN as i128, i8::MAX as i128),
    ("int16", i16::MIN as i128, i16::MAX as i128),
    ("int32", i32::MIN as i128, i32::MAX as i128),
    ("int64", i64::MIN as i128, i64::MAX as i128),
    ("uint8", 0, u8::MAX as i128),
    ("uint16", 0, u16::MAX as i128),
    ("uint32", 0, u32::MAX as i128),
    ("uint64", 0, u64::MAX as i128),
];

/// The least and the largest value of a format of integers.
pub(crate) fn integer_range(format: &str) -> Option<(i128, i128)> {
    let known = INTEGERS.into_iter().find(|(known, ..)| *known == format);
    known.map(|(_, least, most)| (least, most))
}

/// The formats that are strings.
const STRINGS: [&str; 33] = [
    "base64url",
    "binary",
    "byte",
    "char",
    "commonmark",
    "date",
    "date-time",
    "date-time-local",
    "duration",
    "email",
    "hostname",
    "html",
    "http-date",
    "idn-email",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "iri",
    "iri-reference",
    "json-pointer",
    "media-range",
    "password",
    "regex",
    "relative-json-pointer",
    "sf-binary",
    "sf-string",
    "sf-token",
    "time",
    "time-local",
    "uri",
    "uri-reference",
    "uri-template",
    "uuid",
];

/// Common names that resemble a format without being misspelled.
const OTHERS: [&str; 18] = [
    "bytes",
    "cuid",
    "float32",
    "float64",
    "guid",
    "int",
    "int128",
    "int256",
    "ip",
    "ksuid",
    "sf-boolean",
    "sf-integer",
    "uint",
    "uint128",
    "uint256",
    "ulid",
    "url",
    "urn",
];

/// Numbers that are often written as strings, since JSON parsers lose their digits. The registry
/// has these formats for both types.
const EITHER: [&str; 4] = ["int64", "uint64", "decimal", "decimal128"];

pub(super) fn check(schema: &Node) -> Option<Diagnostic> {
    let node = schema.get("format")?;
    let format = node.as_str()?;
    let wanted = match format {
        format if NUMBERS.contains(&format) => "number",
        format if STRINGS.contains(&format) => "string",
        format => return misspelled(node, format),
    };
    let types = types_of(schema);
    let is_named = |name: &str| types.contains(&name);
    let is_right = match wanted {
        "number" => is_named("number") || is_named("integer"),
        wanted => is_named(wanted),
    };
    if is_right || is_named("string") && EITHER.contains(&format) || is_composed(schema) {
        return None;
    }
    let message = match types.is_empty() {
        true => format!("`{format}` is a format of a {wanted}, and there is no `type`"),
        false => {
            let types = types.join("` or `");
            format!("`{format}` is a format of a {wanted}, and the type is `{types}`")
        }
    };
    Some(
        Diagnostic::warning("format-of-other-type", node.span, message)
            .help("correct the `type`, or remove the format, which is not checked here"),
    )
}

/// Whether the type may come from another schema.
fn is_composed(schema: &Node) -> bool {
    let keys = ["$ref", "allOf", "anyOf", "oneOf"];
    schema.get("type").is_none() && keys.iter().any(|key| schema.get(key).is_some())
}

fn misspelled(node: &Node, format: &str) -> Option<Diagnostic> {
    if OTHERS.contains(&format) {
        return None;
    }
    let tolerance = match format.chars().count() {
        0..3 => return None,
        3..5 => 1,
        _ => 2,
    };
    let known = || NUMBERS.into_iter().chain(STRINGS);
    // Swapped digits are more likely than a wrong digit: `int46` means `int64`.
    let mut digits: Vec<char> = format.chars().collect();
    digits.sort_unstable();
    let swapped = known().find(|known| {
        let mut other: Vec<char> = known.chars().collect();
        other.sort_unstable();
        other == digits
    });
    let near = swapped.or_else(|| similar::nearest(known(), format, tolerance))?;
    Some(
        Diagnostic::warning(
            "unknown-format",
            node.span,
            format!("there is no format `{format}`"),
        )
        .did_you_mean(near),
    )
}
