//! Writes JSON as readable YAML.
//!
//! The crate `serde_yaml` would replace this file, but is no longer maintained. `saphyr-parser`, which reads
//! documents here, has no writer.

use serde_json::Value;

/// A value as a YAML document.
pub fn yaml(value: &Value) -> String {
    let mut text = String::new();
    match has_lines(value) {
        true => members(value, 0, &mut text),
        false => {
            text.push_str(&scalar(value));
            text.push('\n');
        }
    }
    text
}

/// Whether a value has lines of its own: an object or array that is not empty.
fn has_lines(value: &Value) -> bool {
    match value {
        Value::Object(object) => !object.is_empty(),
        Value::Array(elements) => !elements.is_empty(),
        _ => false,
    }
}

/// The lines of an object or array. The first line is not indented if it follows
/// other text.
fn members(value: &Value, indent: usize, text: &mut String) {
    let pad = |text: &mut String| {
        if text.is_empty() || text.ends_with('\n') {
            text.push_str(&" ".repeat(indent));
        }
    };
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                pad(text);
                text.push_str(&word(key));
                text.push(':');
                below(value, indent, text);
            }
        }
        Value::Array(elements) => {
            for element in elements {
                pad(text);
                text.push('-');
                match element {
                    Value::Object(object) if !object.is_empty() => {
                        text.push(' ');
                        members(element, indent + 2, text);
                    }
                    _ => below(element, indent, text),
                }
            }
        }
        _ => {}
    }
}

/// A value after its key or dash, with the end of the line.
fn below(value: &Value, indent: usize, text: &mut String) {
    match value {
        _ if has_lines(value) => {
            text.push('\n');
            members(value, indent + 2, text);
        }
        Value::String(string) if is_block(string) => block(string, indent + 2, text),
        _ => {
            text.push(' ');
            text.push_str(&scalar(value));
            text.push('\n');
        }
    }
}

fn scalar(value: &Value) -> String {
    match value {
        Value::String(string) => word(string),
        // JSON and YAML write `{}` and `[]` alike.
        value => value.to_string(),
    }
}

/// A string on one line, in quotes if YAML could read it as another type. The quotes are
/// JSON's, which YAML accepts.
fn word(string: &str) -> String {
    let reserved = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let is_plain = string.starts_with(|c: char| c.is_ascii_alphabetic() || "/_$".contains(c))
        && string
            .chars()
            .all(|c| c.is_alphanumeric() || " _/.$(){}+-".contains(c))
        && !string.ends_with(' ')
        && !reserved
            .iter()
            .any(|word| string.eq_ignore_ascii_case(word));
    match is_plain {
        true => string.to_owned(),
        false => Value::from(string).to_string(),
    }
}

/// Whether a string is written as a block.
fn is_block(string: &str) -> bool {
    string.trim_end_matches('\n').contains('\n')
        && !string.starts_with([' ', '\n', '\t'])
        && string.chars().all(|c| c == '\n' || !c.is_control())
        // YAML treats these characters as line breaks, or forbids them.
        && !string.contains(['\u{85}', '\u{2028}', '\u{2029}', '\u{feff}'])
}

fn block(string: &str, indent: usize, text: &mut String) {
    let content = string.trim_end_matches('\n');
    text.push_str(match string.len() - content.len() {
        0 => " |-\n",
        1 => " |\n",
        _ => " |+\n",
    });
    for line in string.strip_suffix('\n').unwrap_or(string).split('\n') {
        if !line.is_empty() {
            text.push_str(&" ".repeat(indent));
            text.push_str(line);
        }
        text.push('\n');
    }
}
