//! Discriminators of schemas that are copied: they choose schemas by names, and a copy may have another name.

use std::collections::HashMap;

use crate::document::node::{Entry, Object};
use crate::document::{Kind, Node, Span, names_file, pointer};

fn mapping(object: &mut Object) -> impl Iterator<Item = &mut Node> {
    let mapping = object
        .get_mut("discriminator")
        .and_then(|discriminator| discriminator.get_mut("mapping"))
        .and_then(Node::as_object_mut);
    let targets = mapping.into_iter().flat_map(Object::iter_mut);
    targets.map(|(_, entry)| &mut entry.value)
}

/// Whether a target of a mapping is a reference, and not a name.
fn is_reference(text: &str) -> bool {
    text.contains('#') || names_file(text)
}

/// The targets of the mapping of a discriminator that are references.
pub(super) fn references(object: &mut Object) -> impl Iterator<Item = &mut Node> {
    mapping(object).filter(|target| target.as_str().is_some_and(is_reference))
}

/// Writes the names in the mapping of a discriminator as references, if they are those of schemas of the same file.
pub(super) fn qualify(object: &mut Object, root: &Node) {
    for target in mapping(object) {
        let Some(name) = target.as_string_mut().filter(|name| !is_reference(name)) else {
            continue;
        };
        let schema = pointer::join("/components/schemas", name);
        if pointer::find(root, &schema).is_some() {
            *name = format!("#{schema}");
        }
    }
}

/// Whether [`keep_names`] has added an entry of a mapping: its key has the position of its value. The author has
/// not written such an entry: it is the name of the alternative in its file.
pub(crate) fn is_own_name(key: Span, value: Span) -> bool {
    key == value
}

/// Adds the alternatives whose copies have other names to the mapping, each under its own name. `renamed` has these
/// names by the positions of the references.
pub(super) fn keep_names(object: &mut Object, renamed: &HashMap<Span, String>) {
    let known: Vec<Kind> = references(object)
        .map(|target| target.kind.clone())
        .collect();
    let lists = ["oneOf", "anyOf"].map(|key| object.get(key).map(Node::elements));
    let mut added: Vec<(String, Entry)> = Vec::new();
    for alternative in lists.into_iter().flatten().flatten() {
        let Some(reference) = alternative.get("$ref") else {
            continue;
        };
        let is_mapped = known.contains(&reference.kind);
        if let Some(name) = renamed.get(&reference.span).filter(|_| !is_mapped) {
            let entry = Entry {
                key_span: reference.span,
                value: reference.clone(),
            };
            added.push((name.clone(), entry));
        }
    }
    let discriminator = object.get_mut("discriminator");
    let Some(discriminator) = discriminator.and_then(Node::as_object_mut) else {
        return;
    };
    for (name, entry) in added {
        discriminator.add("mapping", Kind::Object(Object::default()));
        let mapping = discriminator.get_mut("mapping");
        if let Some(mapping) = mapping.and_then(Node::as_object_mut) {
            mapping.get_or_insert(&name, entry);
        }
    }
}
