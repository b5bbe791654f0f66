//! Checks `default`, `const` and the values of `enum` against the keywords beside them.

use super::bounds::{COUNTS, of_number};
use super::named_types::types_of;
use crate::document::{Diagnostic, Node, Source};
use crate::structure::repeated;

pub(super) fn check(schema: &Node, source: &Source) -> Vec<Diagnostic> {
    let values = schema.get("enum").and_then(Node::as_array).unwrap_or(&[]);
    let mut all: Vec<(&str, &Node)> = Vec::new();
    for (key, what) in [("default", "`default`"), ("const", "`const`")] {
        all.extend(schema.get(key).map(|node| (what, node)));
    }
    all.extend(values.iter().map(|node| ("a value of `enum`", node)));
    let mut found: Vec<Diagnostic> = all
        .into_iter()
        .filter_map(|(what, node)| {
            of_other_type(schema, what, node, source).or_else(|| outside(schema, what, node))
        })
        .collect();
    found.extend(repeated::check(values));
    if let Some(default) = schema.get("default")
        && !values.is_empty()
        && !is_listed(default, schema, values)
    {
        let finding = Diagnostic::warning(
            "default-not-in-enum",
            default.span,
            "`default` is not one of the values of `enum`",
        );
        found.push(finding.help("write one of the values, or remove `default`"));
    }
    found
}

fn is_listed(default: &Node, schema: &Node, values: &[Node]) -> bool {
    let is_extensible = schema.get(crate::document::EXTENSIBLE).is_some();
    let wanted = repeated::comparable(default);
    let mut values = values.iter().map(repeated::comparable);
    is_extensible || default.is_null() || values.any(|value| value == wanted)
}

fn of_other_type(schema: &Node, what: &str, node: &Node, source: &Source) -> Option<Diagnostic> {
    let types = types_of(schema);
    let is_nullable = schema.flag("nullable");
    let is_right = types.is_empty()
        || is_nullable && node.is_null()
        || types.iter().any(|name| is_of(node, name));
    if is_right {
        return None;
    }
    let help = match types.contains(&"boolean") && node.as_str().is_some() {
        true => "write true or false",
        false => "write a value of that type",
    };
    let help = source
        .help_for_comment(node)
        .unwrap_or_else(|| help.to_owned());
    let types = types.join("` or `");
    let message = format!("{what} is {}, and the type is `{types}`", node.type_name());
    Some(Diagnostic::warning("value-of-other-type", node.span, message).help(help))
}

/// Whether a value has a type of JSON Schema. Unknown types are not checked.
fn is_of(node: &Node, name: &str) -> bool {
    match name {
        "null" => node.is_null(),
        "boolean" => node.as_bool().is_some(),
        "integer" => node.as_number().is_some_and(|number| {
            number.is_i64() || number.is_u64() || number.as_f64().is_some_and(|n| n.fract() == 0.0)
        }),
        "number" => node.as_number().is_some(),
        "string" => node.as_str().is_some(),
        "array" => node.as_array().is_some(),
        "object" => node.as_object().is_some(),
        _ => true,
    }
}

/// A value that a bound of its schema excludes.
fn outside(schema: &Node, what: &str, node: &Node) -> Option<Diagnostic> {
    let key = excluding(schema, node)?;
    let message = format!("{what} is outside of `{key}`");
    let finding = Diagnostic::warning("value-outside-bounds", node.span, message)
        .related(schema.key_span(key), "the bound");
    Some(finding.help("correct the value, or the bound"))
}

fn excluding(schema: &Node, node: &Node) -> Option<&'static str> {
    if let Some(value) = node.as_f64() {
        let lower = of_number(schema, "minimum", "exclusiveMinimum");
        let lower = lower
            .into_iter()
            .find(|bound| value < bound.value || bound.is_exclusive && value <= bound.value);
        let upper = of_number(schema, "maximum", "exclusiveMaximum");
        let upper = upper
            .into_iter()
            .find(|bound| value > bound.value || bound.is_exclusive && value >= bound.value);
        return lower.or(upper).map(|bound| bound.key);
    }
    let length = node.as_str().map(|text| text.chars().count());
    let items = node.as_array().map(<[Node]>::len);
    let members = node.as_object().map(|members| members.len());
    for ((min, max), count) in COUNTS.into_iter().zip([length, items, members]) {
        let Some(count) = count.and_then(|count| u64::try_from(count).ok()) else {
            continue;
        };
        let bound = |key| schema.get(key).and_then(Node::as_u64);
        if bound(min).is_some_and(|least| count < least) {
            return Some(min);
        }
        if bound(max).is_some_and(|most| count > most) {
            return Some(max);
        }
    }
    None
}
