//! Checks `discriminator` against the alternatives beside it (OpenAPI 3.0.3, "Discriminator Object").

use std::collections::HashSet;

use super::named_types::types_of;
use super::properties::Properties;
use crate::document::similar::Proposals;
use crate::document::{Diagnostic, Document, Node};

/// The JSON Pointer of the schema that an entry of `mapping` names.
pub(crate) fn target(name: &str) -> String {
    match name.strip_prefix('#') {
        Some(pointer) => pointer.to_owned(),
        None => format!("/components/schemas/{name}"),
    }
}

/// Checks the discriminator of a schema.
pub(super) fn check(document: &Document, schema: &Node, proposals: &Proposals) -> Vec<Diagnostic> {
    let Some(discriminator) = schema.get("discriminator") else {
        return Vec::new();
    };
    let alternatives = alternatives(schema);
    let mut found = check_mapping(document, discriminator, &alternatives);
    if let Some(property) = discriminator.get("propertyName") {
        let finding = check_property(document, schema, property, &alternatives, proposals);
        found.extend(finding);
    }
    found
}

/// The schemas of `oneOf` and `anyOf`.
pub(super) fn alternatives(schema: &Node) -> Vec<&Node> {
    let lists = ["oneOf", "anyOf"].map(|key| schema.get(key).map(Node::elements));
    lists.into_iter().flatten().flatten().collect()
}

/// Checks that the schemas of `mapping` are alternatives. Later passes report missing schemas.
fn check_mapping(
    document: &Document,
    discriminator: &Node,
    alternatives: &[&Node],
) -> Vec<Diagnostic> {
    let mut known: HashSet<*const Node> = HashSet::new();
    let mut open = alternatives.to_vec();
    while let Some(next) = open.pop() {
        if let Some((_, schema)) = document.follow(next, "")
            && known.insert(schema)
        {
            open.extend(self::alternatives(schema));
        }
    }
    let others = discriminator
        .members_of("mapping")
        .filter_map(|(_, entry)| {
            let name = entry.value.as_str()?;
            let (_, schema) = document.follow(document.at(&target(name))?, "")?;
            let is_known = alternatives.is_empty() || known.contains(&std::ptr::from_ref(schema));
            (!is_known).then_some((name, &entry.value))
        });
    others
        .map(|(name, node)| {
            let message = format!("`{name}` is not one of the alternatives");
            Diagnostic::error("discriminator", node.span, message)
                .help("list it under `oneOf`, or remove the entry of `mapping`")
        })
        .collect()
}

/// Checks that each alternative that is an object has the property of the discriminator, and requires it. Without
/// alternatives, the schema itself must have it. A schema that does not declare the property still allows it, so that the
/// finding is an error only if the author probably meant another one.
fn check_property(
    document: &Document,
    schema: &Node,
    property: &Node,
    alternatives: &[&Node],
    proposals: &Proposals,
) -> Option<Diagnostic> {
    let name = property.as_str()?;
    let mut shared = Properties::default();
    shared.add_own(schema);
    for part in schema.elements_of("allOf") {
        shared.collect(document, part);
    }
    if alternatives.is_empty() {
        return (!shared.names.contains(name) && !shared.is_open)
            .then(|| missing(property, name, "this schema", &shared, proposals));
    }
    let mut optional = None;
    for alternative in alternatives {
        let (pointer, resolved) = document.follow(alternative, "")?;
        let types = types_of(resolved);
        let mut known = Properties::default();
        known.collect(document, resolved);
        if known.is_open || shared.is_open || !types.is_empty() && !types.contains(&"object") {
            continue;
        }
        let title = pointer.rsplit('/').next().filter(|name| !name.is_empty());
        let title = title.map_or("an alternative".to_owned(), |name| format!("`{name}`"));
        if !known.names.contains(name) && !shared.names.contains(name) {
            let finding = missing(property, name, &title, &known, proposals);
            return Some(finding.related(alternative.span, "this alternative"));
        }
        if !known.required.contains(name) && !shared.required.contains(name) {
            optional.get_or_insert((title, alternative));
        }
    }
    let (title, alternative) = optional?;
    let message = format!("{title} does not require `{name}`, and no value without it is valid");
    Some(
        Diagnostic::warning("discriminator-optional", property.span, message)
            .related(alternative.span, "this alternative")
            .help(format!("add `{name}` to its `required`")),
    )
}

fn missing(
    property: &Node,
    name: &str,
    of: &str,
    known: &Properties<'_>,
    proposals: &Proposals,
) -> Diagnostic {
    let (code, at) = ("discriminator-property", property.span);
    let message = format!("`{name}` is not a property of {of}");
    match proposals.nearest(known.names.iter().copied(), name, 2) {
        Some(near) => Diagnostic::error(code, at, message).did_you_mean(near),
        None => Diagnostic::warning(code, at, message)
            .help("name a property that each alternative has and requires"),
    }
}
