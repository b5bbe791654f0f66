//! The formats that servers check.

use super::cursor::Cursor;
use super::lowering::Lowering;
use crate::ir::Types;
use crate::structure::integer_range;

/// The formats of strings that servers check.
const STRINGS: [&str; 12] = [
    "binary",
    "byte",
    "date",
    "date-time",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "time",
    "uri",
    "uuid",
];

/// The formats that exclude no value.
const ANNOTATIONS: [&str; 3] = ["commonmark", "html", "password"];

/// Whether servers check a format of values of a type.
pub(crate) fn is_checked(types: Types, format: &str) -> bool {
    let is_integer = integer_range(format).is_some();
    match types {
        Types::String => STRINGS.contains(&format),
        Types::Integer => is_integer,
        Types::Number => is_integer || matches!(format, "float" | "double"),
        Types::Any | Types::Boolean | Types::Array | Types::Object => false,
    }
}

/// Warns of the format of a schema that servers do not check.
pub(super) fn check(lowering: &mut Lowering<'_>, cursor: &Cursor<'_>, types: Types) {
    let Some(format) = cursor.get("format") else {
        return;
    };
    let Some(name) = format.node.as_str() else {
        return;
    };
    // The check of the structure has reported a misspelled format, and one of another type.
    let is_known = is_checked(types, name) || ANNOTATIONS.contains(&name);
    if is_known || lowering.is_reported(format.span()) {
        return;
    }
    lowering.warn(
        "format-not-checked",
        format.span(),
        format!("the server does not check the format `{name}`"),
        match types {
            Types::String => "write the rule as a `pattern`, or check the value in the handler",
            _ => "check the value in the handler",
        },
    );
}
