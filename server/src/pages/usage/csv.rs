//! Usage as comma-separated values (RFC 4180).

use csv::{Terminator, WriterBuilder};

use crate::inference::keys::usage::Sum;

const COLUMNS: [&str; 8] = [
    "day",
    "api_key_id",
    "display_name",
    "model",
    "requests",
    "errors",
    "input_tokens",
    "output_tokens",
];

const TAKES_ALL: &str = "a Vec takes all bytes";

/// One line for each key, model and day, after a line with the names of the columns.
pub fn write(rows: &[Sum]) -> String {
    let mut writer = WriterBuilder::new()
        .terminator(Terminator::CRLF)
        .from_writer(Vec::new());
    let lines = rows.iter().map(|row| {
        let Sum {
            line,
            counts,
            display_name,
        } = row;
        [
            line.day.to_string(),
            inert(&line.key_id),
            inert(display_name),
            inert(&line.model),
            counts.requests.to_string(),
            counts.errors.to_string(),
            counts.tokens.input.to_string(),
            counts.tokens.output.to_string(),
        ]
    });
    for line in std::iter::once(COLUMNS.map(str::to_owned)).chain(lines) {
        writer.write_record(line).expect(TAKES_ALL);
    }
    let bytes = writer.into_inner().expect(TAKES_ALL);
    String::from_utf8(bytes).expect("the fields are texts")
}

/// A text that spreadsheets do not run. They run one that begins like a formula, or with white space
/// that they skip (OWASP, CSV injection), so it gets an apostrophe.
pub fn inert(text: &str) -> String {
    match text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) {
        true => format!("'{text}"),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;

    use super::*;
    use crate::inference::admission::usage::{Counts, Line};

    #[test]
    fn a_field_keeps_its_separators_and_runs_nothing() {
        for (text, written) in [
            ("accord.echo", "accord.echo"),
            ("a,b", "\"a,b\""),
            ("a\"b", "\"a\"\"b\""),
            ("=1+1", "'=1+1"),
            ("\t=1+1", "'\t=1+1"),
            ("\r=1+1", "\"'\r=1+1\""),
            ("\n=1+1", "\"'\n=1+1\""),
        ] {
            let sum = Sum {
                line: Line {
                    key_id: "k".into(),
                    model: text.into(),
                    day: NaiveDate::default(),
                },
                counts: Counts::default(),
                display_name: "n".into(),
            };
            let text = write(&[sum]);
            let lines: Vec<_> = text.split("\r\n").collect();
            assert_eq!(lines[0], COLUMNS.join(","));
            let expected = format!("1970-01-01,k,n,{written},0,0,0,0");
            assert_eq!(lines[1..], [expected.as_str(), ""]);
        }
    }
}
