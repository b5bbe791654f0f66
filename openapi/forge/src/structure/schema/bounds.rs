//! Checks bounds: contradictions, and bounds outside of the format.

use super::formats::integer_range;
use crate::document::{Diagnostic, Node};

/// Bounds of lengths and counts, the lower one first.
pub(super) const COUNTS: [(&str, &str); 3] = [
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
];

/// A bound of a number.
pub(super) struct Bound<'d> {
    pub(super) key: &'static str,
    pub(super) node: &'d Node,
    pub(super) value: f64,
    pub(super) is_exclusive: bool,
}

/// The bounds of a number. OpenAPI 3.0 has a flag for exclusive bounds, OpenAPI 3.1 a keyword. The flag is
/// honored in both.
pub(super) fn of_number<'d>(
    schema: &'d Node,
    key: &'static str,
    exclusive: &'static str,
) -> Vec<Bound<'d>> {
    let bound = |key, is_exclusive| {
        let node = schema.get(key)?;
        let value = node.as_f64()?;
        Some(Bound {
            key,
            node,
            value,
            is_exclusive,
        })
    };
    let inclusive = bound(key, schema.flag(exclusive));
    inclusive
        .into_iter()
        .chain(bound(exclusive, true))
        .collect()
}

pub(super) fn check(schema: &Node) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    found.extend(without_bound(schema, "exclusiveMinimum", "minimum"));
    found.extend(without_bound(schema, "exclusiveMaximum", "maximum"));
    let lower = of_number(schema, "minimum", "exclusiveMinimum");
    let upper = of_number(schema, "maximum", "exclusiveMaximum");
    for low in &lower {
        for high in &upper {
            let excludes = low.is_exclusive || high.is_exclusive;
            if low.value > high.value || excludes && low.value >= high.value {
                found.push(contradiction((low.key, low.node), (high.key, high.node)));
            }
        }
    }
    for (min, max) in COUNTS {
        if let (Some(low), Some(high)) = (schema.get(min), schema.get(max))
            && let (Some(least), Some(most)) = (low.as_u64(), high.as_u64())
            && least > most
        {
            found.push(contradiction((min, low), (max, high)));
        }
    }
    let Some(format) = schema.text("format") else {
        return found;
    };
    let bounds = lower.iter().chain(&upper);
    for bound in bounds.filter(|bound| is_outside(bound, format)) {
        found.push(
            Diagnostic::warning(
                "bound-outside-format",
                bound.node.span,
                format!("`{}` is outside of `{format}`", bound.key),
            )
            .help("correct the bound, or the format, which limits the values already"),
        );
    }
    found
}

/// Warns of the flag of OpenAPI 3.0 without its bound.
fn without_bound(schema: &Node, flag: &str, bound: &str) -> Option<Diagnostic> {
    if !schema.flag(flag) || schema.get(bound).is_some() {
        return None;
    }
    let message = format!("`{flag}` says nothing without `{bound}`, and is ignored");
    Some(
        Diagnostic::warning("ignored-key", schema.key_span(flag), message)
            .help(format!("add `{bound}`: the number that is excluded")),
    )
}

fn is_outside(bound: &Bound<'_>, format: &str) -> bool {
    let Some((least, most)) = integer_range(format) else {
        return false;
    };
    // An exclusive bound may be one beyond the limit.
    let by = i128::from(bound.is_exclusive);
    let (signed, unsigned) = (bound.node.as_i64(), bound.node.as_u64());
    let integer = signed.map(i128::from).or(unsigned.map(i128::from));
    // The conversion of a fraction, and of a number of more than 64 bits, rounds towards 0.
    let value = integer.unwrap_or(bound.value as i128);
    value < least - by || value > most + by
}

fn contradiction(low: (&str, &Node), high: (&str, &Node)) -> Diagnostic {
    let message = format!("no value satisfies both `{}` and `{}`", low.0, high.0);
    Diagnostic::error("contradicting-bounds", low.1.span, message)
        .related(high.1.span, "the upper bound")
        .help("correct one of them")
}
