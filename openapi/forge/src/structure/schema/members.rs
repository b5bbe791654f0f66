//! Compares `required` with the properties of a schema and its parts.

use std::collections::HashMap;

use super::named_types::types_of;
use super::properties::Properties;
use crate::document::similar::{self, Proposals};
use crate::document::{Diagnostic, Document, Node, pointer};

/// The properties of schemas with all their parts. Each part of a schema needs those of the whole, and each object of
/// an example those of its schema.
#[derive(Default)]
pub(in crate::structure) struct Wholes<'d>(HashMap<*const Node, Properties<'d>>);

impl<'d> Wholes<'d> {
    pub(super) fn properties(
        &mut self,
        document: &'d Document,
        whole: &'d Node,
    ) -> &Properties<'d> {
        self.0.entry(whole).or_insert_with(|| {
            let mut known = Properties::default();
            known.collect(document, whole);
            known
        })
    }
}

/// Warns of required names that no property has. They are checked in requests and responses,
/// but have no field in the generated types.
pub(super) fn check<'d>(
    document: &'d Document,
    schema: &'d Node,
    at: &str,
    wholes: &mut Wholes<'d>,
    proposals: &Proposals,
) -> Vec<Diagnostic> {
    let Some(required) = schema.get("required").and_then(Node::as_array) else {
        return Vec::new();
    };
    let own = schema.get("properties").and_then(Node::as_object);
    let missing: Vec<(&str, &Node)> = required
        .iter()
        .filter_map(|node| Some((node.as_str()?, node)))
        .filter(|(name, _)| !own.is_some_and(|own| own.contains_key(name)))
        .collect();
    if missing.is_empty() {
        return Vec::new();
    }
    let whole = document.at(&outermost(at)).unwrap_or(schema);
    let known = wholes.properties(document, whole);
    // A schema with only `required` is a rule for the schemas beside it.
    let is_rule = known.names.is_empty() && types_of(schema).is_empty();
    if known.is_partial || is_rule {
        return Vec::new();
    }
    let unknown = missing.into_iter();
    unknown
        .filter(|(name, _)| !known.names.contains(name))
        .filter_map(|(name, node)| {
            let finding = Diagnostic::warning(
                "required-without-property",
                node.span,
                format!("`required` names `{name}`, which is not a property of this schema"),
            );
            let near = match known.is_open {
                true => misspelled(name, known, proposals),
                false => proposals.nearest(known.names.iter().copied(), name, 2),
            };
            match near {
                Some(near) => Some(finding.did_you_mean(near)),
                None if known.is_open => None,
                None => Some(finding.help("add the property, or remove the name")),
            }
        })
        .collect()
}

/// The property that a name of `required` probably means. An open schema may require members without properties, so the
/// name must be long enough, and the property optional.
fn misspelled<'d>(name: &str, known: &Properties<'d>, proposals: &Proposals) -> Option<&'d str> {
    // `item` is another name than `items`.
    let is_plural = |one: &str, other: &str| one.strip_prefix(other) == Some("s");
    let names = proposals.limited(known.names.iter().copied());
    let candidates = names.filter(|one| {
        !known.required.contains(one)
            && digits(one) == digits(name)
            && !is_plural(one, name)
            && !is_plural(name, one)
    });
    similar::nearest(candidates, name, tolerance(name))
}

/// How many characters of a misspelled name may differ. Short names resemble each other.
pub(super) fn tolerance(name: &str) -> usize {
    match name.chars().count() {
        0..4 => 0,
        4..8 => 1,
        _ => 2,
    }
}

/// The digits of a name: `address1` and `address2` are two names.
pub(super) fn digits(name: &str) -> String {
    name.chars().filter(char::is_ascii_digit).collect()
}

/// The schema that a part belongs to: its other parts may have the property.
fn outermost(at: &str) -> String {
    let mut segments: Vec<String> = pointer::segments(at).collect();
    loop {
        let count = segments.len();
        let keyword = |back: usize| {
            let index = count.checked_sub(back)?;
            segments.get(index).map(String::as_str)
        };
        let shorter = match (keyword(3), keyword(2), keyword(1)) {
            // The names of properties and schemas are not keywords.
            (_, Some("properties" | "schemas" | "$defs" | "patternProperties"), _) => break,
            (Some("properties"), Some("allOf" | "anyOf" | "oneOf" | "dependentSchemas"), _) => {
                break;
            }
            (_, Some("allOf" | "anyOf" | "oneOf" | "dependentSchemas"), _) => count - 2,
            (_, _, Some("not" | "if" | "then" | "else")) => count - 1,
            _ => break,
        };
        segments.truncate(shorter);
    }
    let segments = segments.iter();
    segments.fold(String::new(), |at, segment| pointer::join(&at, segment))
}
