//! Why JSON could not be read, without its values: they may be secrets.

use std::fmt::Display;

/// The texts of serde before a value of the input. All other words of serde come from the document.
const BEFORE: [&str; 4] = [
    "invalid type: ",
    "invalid value: ",
    "unknown variant ",
    "unknown field ",
];
/// The texts of serde after a quoted value.
const AFTER: [&str; 2] = [", expected ", ", there are no "];

/// The text of an error of serde, without the value that it quotes.
pub(crate) fn without_values(error: &impl Display) -> String {
    let text = error.to_string();
    let marks = BEFORE
        .iter()
        .filter_map(|mark| text.find(mark).map(|at| at + mark.len()));
    let Some(start) = marks.min() else {
        return text;
    };
    let (before, rest) = text.split_at(start);
    // A kind without a value, such as `null`, comes before the expected type.
    let kind = AFTER.iter().filter_map(|after| rest.find(after)).min();
    let Some(opening) = rest
        .find(['"', '`'])
        .filter(|at| kind.is_none_or(|kind| *at < kind))
    else {
        return text;
    };
    let (kind, quoted) = rest.split_at(opening);
    let quote = &quoted[..1];
    // The value may have the same text, so the last one counts.
    let ends = AFTER
        .iter()
        .filter_map(|after| quoted.rfind(&format!("{quote}{after}")));
    let after = ends.max().map_or("", |end| &quoted[end + 1..]);
    format!("{before}{kind}{quote}…{quote}{after}")
}

#[cfg(test)]
mod tests {
    use serde::de::DeserializeOwned;
    use std::{collections::BTreeMap, time::Duration};

    use super::*;

    fn reason<T: DeserializeOwned + std::fmt::Debug>(json: &str) -> String {
        let error = serde_json::from_str::<T>(json).expect_err(json);
        without_values(&error)
    }

    #[test]
    fn an_error_names_what_was_expected_and_no_value() {
        for value in [
            "sk-1",
            r#"a\", expected b"#,
            "`, expected `c",
            "unknown field `d`",
        ] {
            let quoted = format!(r#""{value}""#);
            for (text, expected) in [
                (
                    reason::<BTreeMap<String, u8>>(&quoted),
                    r#"invalid type: string "…", expected a map at line 1 column "#,
                ),
                (
                    reason::<Duration>(&format!("{{{quoted}: 1}}")),
                    "unknown field `…`, expected `secs` or `nanos` at line 1 column ",
                ),
                (
                    reason::<Result<u8, u8>>(&format!("{{{quoted}: 1}}")),
                    "unknown variant `…`, expected `Ok` or `Err` at line 1 column ",
                ),
                (
                    reason::<char>(&quoted),
                    r#"invalid value: string "…", expected a character at line 1 column "#,
                ),
            ] {
                let column = text.strip_prefix(expected);
                let column = column.unwrap_or_else(|| panic!("{value}: {text}"));
                column.parse::<u32>().expect("the column");
            }
        }
        assert_eq!(
            reason::<u8>("4711"),
            "invalid value: integer `…`, expected u8 at line 1 column 4"
        );
    }

    #[test]
    fn errors_without_values_stay_as_they_are() {
        for (text, expected) in [
            (
                reason::<Duration>("{}"),
                "missing field `secs` at line 1 column 2",
            ),
            (
                reason::<Vec<BTreeMap<u8, u8>>>("[null]"),
                "invalid type: null, expected a map at line 1 column 5",
            ),
            (
                reason::<Duration>("{"),
                "EOF while parsing an object at line 1 column 1",
            ),
        ] {
            assert_eq!(text, expected);
        }
        // A truncated text of serde shows no value either.
        assert_eq!(
            without_values(&"invalid type: string \"sk-1"),
            "invalid type: string \"…\""
        );
    }
}
