//! Checks the types of values.

use super::key::{Key, Object, Support, ValueType};
use super::tables::REFERENCE;
use super::{number, repeated, shape, text_block};
use crate::document::{self, Diagnostic, Entry, Kind, Node, Source, Span};

/// Checks a value against its type. `note` says how to write it.
pub(super) fn check(
    key: &str,
    node: &Node,
    value_type: ValueType,
    note: &'static str,
    source: &Source,
) -> Vec<Diagnostic> {
    if !is_of_type(node, value_type) {
        return vec![wrong_value(key, node, value_type, note, source)];
    }
    let mut found = Vec::new();
    let elements = node.elements();
    match value_type {
        ValueType::Texts | ValueType::TextOrTexts => {
            found.extend(texts(key, node, source));
            found.extend(repeated::check(elements));
            found.extend(elements.iter().filter_map(|one| two_lines(one, source)));
        }
        ValueType::Text | ValueType::Prose => found.extend(reversed_indicator(node, source)),
        ValueType::Values => {
            found.extend(elements.iter().filter_map(|one| two_lines(one, source)));
        }
        ValueType::TextMap => {
            for (name, entry) in node
                .members()
                .filter(|(_, entry)| entry.value.as_str().is_none())
            {
                let what = format!("`{name}` of `{key}`");
                let finding = wrong_type(&what, "a string", &entry.value);
                found.push(match without_space(name, &entry.value) {
                    true => finding.help(SPACE),
                    false => with_help(finding, &entry.value, ValueType::Text, note, source),
                });
            }
        }
        ValueType::TextsMap => {
            for (name, entry) in node.members() {
                match entry.value.as_array() {
                    Some(_) => found.extend(texts(name, &entry.value, source)),
                    None => {
                        let texts = ValueType::Texts;
                        found.push(wrong_value(name, &entry.value, texts, note, source));
                    }
                }
            }
        }
        _ => {}
    }
    found
}

/// Whether a value is a scalar, an array or an object, as its type demands.
fn is_of_type(node: &Node, value_type: ValueType) -> bool {
    match value_type {
        // The walk checks objects and security requirements.
        ValueType::Any | ValueType::Security | ValueType::One(_) => true,
        ValueType::Text | ValueType::Url | ValueType::Prose => node.as_str().is_some(),
        ValueType::Boolean => node.as_bool().is_some(),
        ValueType::Number => node.as_number().is_some(),
        ValueType::NumberOrFlag => node.as_number().is_some() || node.as_bool().is_some(),
        ValueType::Count => node.as_u64().is_some(),
        ValueType::Values | ValueType::Texts | ValueType::List(_) => node.as_array().is_some(),
        ValueType::TextOrTexts => node.as_str().is_some() || node.as_array().is_some(),
        ValueType::BooleanOr(_) => node.as_bool().is_some() || node.as_object().is_some(),
        ValueType::TextMap | ValueType::TextsMap | ValueType::ValueMap | ValueType::Map(_) => {
            node.as_object().is_some()
        }
    }
}

/// The finding about a value of another type.
pub(super) fn wrong_type(what: &str, wanted: &str, node: &Node) -> Diagnostic {
    Diagnostic::error(
        "wrong-type",
        node.span,
        format!("{what} must be {wanted}, and is {}", node.type_name()),
    )
}

/// The help for a name and a value that YAML reads as one name, as in `{type:string}`.
const SPACE: &str = "put a space after the colon between the name and its value";

/// Whether a name without a value may be both.
fn without_space(name: &str, value: &Node) -> bool {
    value.is_null() && name.contains(':')
}

/// The finding about an entry of a map that is not the object it should be.
pub(super) fn wrong_entry(
    map: &str,
    name: &str,
    entry: &Entry,
    object: &Object,
) -> Option<Diagnostic> {
    let value = &entry.value;
    if name == REFERENCE && value.as_str().is_some() {
        let message = format!("`{REFERENCE}` cannot take the place of `{map}`");
        let may_refer = match object.is_referable {
            true => format!("; each of them may be a `{REFERENCE}`"),
            false => String::new(),
        };
        return Some(
            Diagnostic::error("misplaced-reference", entry.key_span, message)
                .help(format!("write out the entries of `{map}`{may_refer}")),
        );
    }
    without_space(name, value)
        .then(|| wrong_type(&format!("`{name}` of `{map}`"), "an object", value).help(SPACE))
}

fn wrong_value(
    key: &str,
    node: &Node,
    value_type: ValueType,
    note: &'static str,
    source: &Source,
) -> Diagnostic {
    let what = format!("`{key}`");
    if matches!(value_type, ValueType::Prose) && (node.is_null() || node.as_number().is_some()) {
        // No code depends on the text, and generators of documents leave it empty.
        let finding = Diagnostic::warning(
            "empty-text",
            node.span,
            format!("`{key}` must be a string, and is {}", node.type_name()),
        );
        return finding.help(source.help_for_comment(node).unwrap_or_else(|| {
            "write a text, in quotes if it looks like a number, or remove the key".to_owned()
        }));
    }
    let wanted = match value_type {
        ValueType::Values | ValueType::List(_) => "a list".to_owned(),
        ValueType::Map(_) | ValueType::TextMap | ValueType::TextsMap => "an object".to_owned(),
        ValueType::BooleanOr(_) => "true, false or an object".to_owned(),
        ValueType::Url => "a string".to_owned(),
        value_type => value_type.describe(),
    };
    with_help(
        wrong_type(&what, &wanted, node),
        node,
        value_type,
        note,
        source,
    )
}

/// Adds how to correct a value of another type.
fn with_help(
    finding: Diagnostic,
    node: &Node,
    value_type: ValueType,
    note: &str,
    source: &Source,
) -> Diagnostic {
    let is_list = matches!(
        value_type,
        ValueType::Values | ValueType::Texts | ValueType::List(_)
    );
    let is_text = matches!(
        value_type,
        ValueType::Text | ValueType::Url | ValueType::Prose
    );
    // Only `type` may be a string or a list of strings.
    let is_type = matches!(value_type, ValueType::TextOrTexts);
    if (is_text || is_type)
        && let Some(help) = source.help_for_comment(node)
    {
        return finding.help(help);
    }
    let quoted = node.as_str().unwrap_or_default();
    if matches!(
        value_type,
        ValueType::Number | ValueType::NumberOrFlag | ValueType::Count
    ) && let Some(help) = number::help(quoted)
    {
        return finding.help(help);
    }
    if let ValueType::BooleanOr(object) = value_type
        && node.as_str().is_some()
        && let Some(help) = shape::help(object, node, source)
    {
        return finding.help(help);
    }
    let is_boolean = matches!(value_type, ValueType::Boolean | ValueType::BooleanOr(_));
    let written = source.text_of(node.span).unwrap_or_default();
    let help = match &node.kind {
        _ if !note.is_empty() => note,
        Kind::Null if is_type && matches!(written, "null" | "Null" | "NULL" | "~") => {
            "write `'null'` in quotes: types are strings"
        }
        Kind::Null => "write a value, or remove the key",
        Kind::Object(item) if matches!(value_type, ValueType::List(_)) => {
            return finding.help(dash(item, node, source));
        }
        Kind::Object(_) | Kind::String(_) | Kind::Number(_) | Kind::Bool(_) if is_list => {
            "put each item behind a dash (`- `), or the list in brackets"
        }
        Kind::Bool(_) | Kind::Number(_) if is_text => "put it in quotes",
        Kind::String(_) if quoted == "true" || quoted == "false" => "remove the quotes",
        Kind::String(_) if is_boolean => "write true or false",
        Kind::String(_) if quoted.parse::<f64>().is_ok() => "remove the quotes",
        Kind::Array(_) => "remove the dash or the brackets",
        _ => return finding,
    };
    finding.help(help)
}

/// The help for an item that is not in a list.
fn dash(item: &document::Object, node: &Node, source: &Source) -> String {
    let written = source.text_of(node.span).unwrap_or_default();
    match item.keys().next() {
        Some(first) if first.starts_with('-') => "put a space behind the dash".to_owned(),
        Some(first) if !written.starts_with('{') => {
            format!("write a dash before the first key of each item: `- {first}:`")
        }
        _ => "put the items in brackets: `[{…}]`".to_owned(),
    }
}

/// The elements of a list of strings that are not strings.
fn texts(key: &str, list: &Node, source: &Source) -> Vec<Diagnostic> {
    let others = list
        .elements()
        .iter()
        .filter(|element| element.as_str().is_none());
    let what = format!("an item of `{key}`");
    others
        .map(|other| {
            let value_type = match key == "type" && other.is_null() {
                true => ValueType::TextOrTexts,
                false => ValueType::Text,
            };
            with_help(
                wrong_type(&what, "a string", other),
                other,
                value_type,
                "",
                source,
            )
        })
        .collect()
}

/// Warns of an item that continues in the next line: a dash may be missing there.
fn two_lines(element: &Node, source: &Source) -> Option<Diagnostic> {
    element.as_str()?;
    let written = source.text_of(element.span)?;
    let is_plain = !written.starts_with(['"', '\''])
        && text_block::indentation(element.span, source).is_none();
    (is_plain && written.trim_end().contains('\n')).then(|| {
        Diagnostic::warning(
            "item-of-two-lines",
            element.span,
            "an item of a list continues in the next line",
        )
        .help("put a dash before each item, or this one in quotes")
    })
}

/// Warns of a text that begins with the indicator of a block in the wrong order, as in `->`.
fn reversed_indicator(node: &Node, source: &Source) -> Option<Diagnostic> {
    node.as_str()?;
    let (first, _) = source.text_of(node.span)?.split_once('\n')?;
    let meant = match first.trim_end() {
        "->" => ">-",
        "-|" => "|-",
        "+>" => ">+",
        "+|" => "|+",
        _ => return None,
    };
    if text_block::indentation(node.span, source).is_some() {
        return None;
    }
    let message = format!("`{}` is a part of the text", first.trim_end());
    let finding = Diagnostic::warning("block-indicator", node.span, message);
    Some(finding.help(format!("write `{meant}` for a block of text")))
}

/// The finding about a missing required key.
pub(super) fn missing(object: &Object, key: &Key, span: Span) -> Diagnostic {
    let message = format!("{} has no `{}`", object.name, key.name);
    // Code can be generated without the key.
    let is_ignored = matches!(
        key.support,
        Support::Ignored | Support::Warned | Support::Loosened
    );
    let finding = match is_ignored || matches!(key.value_type, ValueType::Prose) {
        true => Diagnostic::warning("missing-key", span, message),
        false => Diagnostic::error("missing-key", span, message),
    };
    finding.help(format!("add `{}`: {}", key.name, key.value_type.describe()))
}

/// Warns of an `example` with Example Objects.
pub(super) fn examples(example: &Node, span: Span) -> Option<Diagnostic> {
    let members = example.as_object()?;
    let is_example = |node: &Node| {
        let keys: Vec<&str> = node.members().map(|(key, _)| key).collect();
        let known = ["summary", "description", "value", "externalValue", "$ref"];
        let has_value = ["value", "$ref"].iter().any(|key| keys.contains(key));
        has_value && keys.iter().all(|key| known.contains(key))
    };
    let mut all = members.iter();
    (!members.is_empty() && all.all(|(_, entry)| is_example(&entry.value))).then(|| {
        Diagnostic::warning(
            "example-of-examples",
            span,
            "`example` holds named examples, and is one value",
        )
        .did_you_mean("examples")
    })
}
