//! Compares the values of a discriminator with those that its property may have (OpenAPI 3.0.3, "Discriminator Object").

use std::collections::{HashMap, HashSet};

use super::discriminator::{alternatives, target};
use super::named_types::{TYPES, types_of};
use crate::document::similar::Proposals;
use crate::document::{Diagnostic, Document, EXTENSIBLE, Entry, Node, is_own_name};

/// Warns of alternatives that forbid the value by which they are chosen.
pub(super) fn check(document: &Document, schema: &Node, proposals: &Proposals) -> Vec<Diagnostic> {
    let property = schema
        .get("discriminator")
        .and_then(|discriminator| discriminator.get("propertyName"));
    let Some(property) = property else {
        return Vec::new();
    };
    let name = property.as_str().unwrap_or_default();
    let (mut found, mapped) = of_mapping(document, schema, name, proposals);
    let mut alternatives = alternatives(schema);
    let known: HashSet<*const Node> = mapped
        .iter()
        .map(|node| std::ptr::from_ref(*node))
        .collect();
    let names = own_names(schema);
    for alternative in &alternatives {
        found.extend(of_name(document, alternative, &known, &names, name));
    }
    if alternatives.is_empty() {
        alternatives.push(schema);
    }
    let mut all = alternatives.into_iter().chain(mapped);
    found.extend(all.find_map(|alternative| not_a_string(document, alternative, property)));
    found
}

/// The entries of `mapping`.
fn entries(schema: &Node) -> impl Iterator<Item = (&str, &Entry)> {
    let discriminator = schema.get("discriminator").into_iter();
    discriminator.flat_map(|discriminator| discriminator.members_of("mapping"))
}

/// The names of the alternatives that are called otherwise in their files, by the pointers of the copies.
fn own_names(schema: &Node) -> HashMap<String, &str> {
    let own = entries(schema).filter(|(_, entry)| is_own_name(entry.key_span, entry.value.span));
    own.filter_map(|(name, entry)| Some((target(entry.value.as_str()?), name)))
        .collect()
}

/// The findings about the values of `mapping`, and the schemas that it names.
fn of_mapping<'d>(
    document: &'d Document,
    schema: &Node,
    name: &str,
    proposals: &Proposals,
) -> (Vec<Diagnostic>, Vec<&'d Node>) {
    let (mut found, mut mapped) = (Vec::new(), Vec::new());
    let written = entries(schema).filter(|(_, one)| !is_own_name(one.key_span, one.value.span));
    for (value, entry) in written {
        let text = entry.value.as_str().unwrap_or_default();
        let at = target(text);
        let component = document.at(&at);
        let Some((pointer, alternative)) = component.and_then(|node| document.follow(node, &at))
        else {
            continue;
        };
        mapped.push(alternative);
        if let Some(values) = values_without(document, alternative, name, value) {
            let message = forbidden(&pointer, name, value);
            let finding = Diagnostic::warning("discriminator-value", entry.key_span, message);
            found.push(finding.did_you_mean_or(
                proposals.nearest_name(texts(values), value),
                "write one of the values of the property",
            ));
        }
    }
    (found, mapped)
}

/// An alternative whose property has more values is chosen by its name.
const MAX_VALUES: usize = 64;

/// The values of the property of an alternative that is not in `mapping`, if they lack the name of its component. Then these
/// values choose the alternative: no value with the name is valid, and a discriminator does not change which values are
/// valid (OpenAPI 3.0.4, "Discriminator Object").
pub(crate) fn tags(
    document: &Document,
    alternative: &Node,
    property: &str,
    component: &str,
) -> Option<Vec<String>> {
    let values = values_without(document, alternative, property, component)?;
    let mut seen = HashSet::new();
    let values: Vec<&str> = texts(values).filter(|text| seen.insert(*text)).collect();
    let is_short = values.len() <= MAX_VALUES;
    is_short.then(|| values.into_iter().map(str::to_owned).collect())
}

/// The finding about an alternative that is not in `mapping`, and whose property forbids the name of its component.
fn of_name(
    document: &Document,
    alternative: &Node,
    mapped: &HashSet<*const Node>,
    names: &HashMap<String, &str>,
    name: &str,
) -> Option<Diagnostic> {
    let (pointer, resolved) = document.follow(alternative, "")?;
    let component = pointer.strip_prefix("/components/schemas/")?;
    // The author knows the name of the file.
    let component = names.get(&pointer).copied().unwrap_or(component);
    let pointer = format!("/components/schemas/{component}");
    let is_mapped = mapped.contains(&std::ptr::from_ref(resolved));
    if is_mapped || component.contains(['/', '~']) {
        return None;
    }
    let values = values_without(document, resolved, name, component)?;
    let value = texts(values).next()?;
    let message = forbidden(&pointer, name, component);
    let message = format!("{message}: it is chosen by `{value}`");
    Some(
        Diagnostic::warning("discriminator-value", alternative.span, message).help(format!(
            "add it to `mapping` of the discriminator: `{value}: '#{pointer}'`"
        )),
    )
}

/// A schema and its parts: a value must satisfy all of them.
fn parts<'d>(document: &'d Document, schema: &'d Node) -> Vec<&'d Node> {
    let mut found = Vec::new();
    let mut seen: HashSet<*const Node> = HashSet::new();
    let mut open = vec![schema];
    while let Some(next) = open.pop() {
        let Some((_, part)) = document.follow(next, "") else {
            continue;
        };
        if seen.insert(part) {
            found.push(part);
            open.extend(part.elements_of("allOf"));
        }
    }
    found
}

/// The parts of the schemas that a property has.
fn parts_of_property<'d>(
    document: &'d Document,
    schema: &'d Node,
    name: &str,
) -> impl Iterator<Item = &'d Node> {
    let properties = parts(document, schema)
        .into_iter()
        .filter_map(|part| part.get("properties")?.get(name));
    let properties: Vec<&Node> = properties.collect();
    properties
        .into_iter()
        .flat_map(move |property| parts(document, property))
}

/// The texts of a list of values.
fn texts(values: &[Node]) -> impl Iterator<Item = &str> {
    values.iter().filter_map(Node::as_str)
}

/// The values that a schema lists, if they cannot grow.
fn listed(schema: &Node) -> Option<&[Node]> {
    if schema.get(EXTENSIBLE).is_some() {
        return None;
    }
    let constant = schema.get("const").map(std::slice::from_ref);
    constant.or_else(|| schema.get("enum")?.as_array())
}

/// The values of a property, if they lack `value`.
fn values_without<'d>(
    document: &'d Document,
    alternative: &'d Node,
    name: &str,
    value: &str,
) -> Option<&'d [Node]> {
    let mut all = parts_of_property(document, alternative, name).filter_map(listed);
    all.find(|values| {
        let mut listed = texts(values).peekable();
        listed.peek().is_some() && listed.all(|text| text != value)
    })
}

/// The message about a value that the property of an alternative cannot have.
fn forbidden(pointer: &str, name: &str, value: &str) -> String {
    let title = pointer.rsplit('/').next().unwrap_or_default();
    format!("the property `{name}` of `{title}` cannot have the value `{value}`")
}

/// The finding about the property of a discriminator that is not a string.
fn not_a_string(document: &Document, alternative: &Node, property: &Node) -> Option<Diagnostic> {
    let name = property.as_str()?;
    let is_other = |part: &&Node| {
        let types = types_of(part);
        let is_other_type = |name: &&str| *name != "string" && TYPES.contains(name);
        !types.is_empty() && types.iter().all(is_other_type)
    };
    let part = parts_of_property(document, alternative, name).find(is_other)?;
    let message = format!("`{name}` is not a string, and the value of a discriminator is one");
    Some(
        Diagnostic::warning("discriminator-property", property.span, message)
            .related(part.key_span("type"), "its type")
            .help("write `type: string`, or name another property"),
    )
}
