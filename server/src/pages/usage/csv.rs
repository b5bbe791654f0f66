//! Usage as comma-separated values (RFC 4180).

use crate::inference::keys::usage::Sum;

/// One line for each key, model and day, after a line with the names of the columns.
pub fn write(rows: &[Sum]) -> String {
    let head = "day,api_key_id,display_name,model,requests,errors,input_tokens,output_tokens\r\n";
    let mut text = head.to_owned();
    for Sum {
        line,
        counts,
        display_name,
    } in rows
    {
        let fields = [
            line.day.to_string(),
            field(&line.key_id),
            field(display_name),
            field(&line.model),
            counts.requests.to_string(),
            counts.errors.to_string(),
            counts.tokens.input.to_string(),
            counts.tokens.output.to_string(),
        ];
        text.push_str(&fields.join(","));
        text.push_str("\r\n");
    }
    text
}

/// A text as a field. Spreadsheets run a text that begins like a formula, so such a text gets an
/// apostrophe.
fn field(text: &str) -> String {
    let text = match text.starts_with(['=', '+', '-', '@', '\t']) {
        true => format!("'{text}"),
        false => text.to_owned(),
    };
    match text.contains([',', '"', '\r', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::field;

    #[test]
    fn a_field_keeps_its_separators_and_runs_nothing() {
        for (text, written) in [
            ("accord.echo", "accord.echo"),
            ("a,b", "\"a,b\""),
            ("a\"b", "\"a\"\"b\""),
            ("=1+1", "'=1+1"),
        ] {
            assert_eq!(field(text), written);
        }
    }
}
