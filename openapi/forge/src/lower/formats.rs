//! The formats that servers check.

use super::cursor::Cursor;
use super::lowering::Lowering;
use super::names::type_name;
use crate::document::more_places;
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

/// The format of values of a type that servers check, as a name: `DateTime`.
pub(super) fn checked(types: Types, format: Option<&str>) -> Option<String> {
    format
        .filter(|format| is_checked(types, format))
        .map(type_name)
}

fn is_checked(types: Types, format: &str) -> bool {
    let is_integer = integer_range(format).is_some();
    match types {
        Types::String => STRINGS.contains(&format),
        Types::Integer => is_integer,
        Types::Number => is_integer || matches!(format, "float" | "double"),
        Types::Any | Types::Boolean | Types::Array | Types::Object => false,
    }
}

/// Records the format of a schema that servers do not check.
pub(super) fn record(lowering: &mut Lowering<'_>, cursor: &Cursor<'_>, types: Types) {
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
    let of_type = (name.to_owned(), types == Types::String);
    let places = lowering.unchecked_formats.entry(of_type).or_default();
    places.insert(format.span());
}

/// Warns of each format that servers do not check, at the first of its places.
pub(super) fn report(lowering: &mut Lowering<'_>) {
    for ((name, is_text), places) in std::mem::take(&mut lowering.unchecked_formats) {
        let Some(first) = places.first() else {
            continue;
        };
        let more = more_places(places.len() - 1);
        lowering.warn(
            "format-not-checked",
            *first,
            format!("the server does not check the format `{name}`{more}"),
            match is_text {
                true => "write the rule as a `pattern`, or check the value in the handler",
                false => "check the value in the handler",
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_checked_only_for_values_of_its_type() {
        for (types, format, expected) in [
            (Types::String, "date-time", Some("DateTime")),
            (Types::String, "int32", None),
            (Types::String, "password", None),
            (Types::Integer, "uint8", Some("Uint8")),
            (Types::Integer, "double", None),
            (Types::Number, "int32", Some("Int32")),
            (Types::Number, "double", Some("Double")),
            (Types::Any, "date", None),
        ] {
            let checked = checked(types, Some(format));
            assert_eq!(checked.as_deref(), expected, "{types:?} {format}");
        }
        assert_eq!(checked(Types::String, None), None);
    }
}
