//! The components that a document uses, directly or through others.

use std::collections::HashSet;

use crate::document::{Kind, Node, pointer};

/// A kind of components, and the name of one.
type Component = (String, String);

/// The components that references from outside of `components` reach.
pub(super) fn components(root: &Node) -> HashSet<Component> {
    let mut waiting = Vec::new();
    for (key, entry) in root.members() {
        if key != "components" {
            named(&entry.value, &mut waiting);
        }
    }
    let mut used = HashSet::new();
    while let Some((kind, name)) = waiting.pop() {
        let of_kind = root.get("components").and_then(|all| all.get(&kind));
        if let Some(component) = of_kind.and_then(|of_kind| of_kind.get(&name))
            && used.insert((kind, name))
        {
            named(component, &mut waiting);
        }
    }
    used
}

/// Adds the components that references within a node name.
fn named(node: &Node, into: &mut Vec<Component>) {
    match &node.kind {
        Kind::Object(object) => {
            if let Some(text) = object.get("$ref").and_then(Node::as_str) {
                into.extend(component(text));
            }
            let mapping = node.get("discriminator").and_then(|of| of.get("mapping"));
            for (_, target) in mapping.into_iter().flat_map(Node::members) {
                // A mapping has references, or bare names of schemas.
                let text = target.value.as_str().unwrap_or_default();
                into.extend(match text.contains('#') {
                    true => component(text),
                    false => Some(("schemas".to_owned(), text.to_owned())),
                });
            }
            for (_, entry) in object.iter() {
                named(&entry.value, into);
            }
        }
        Kind::Array(elements) => {
            for element in elements {
                named(element, into);
            }
        }
        _ => {}
    }
}

/// The component that a reference leads to or into.
fn component(reference: &str) -> Option<Component> {
    let fragment = reference.strip_prefix('#')?;
    let decoded = percent_encoding::percent_decode_str(fragment)
        .decode_utf8()
        .ok()?;
    let mut segments = pointer::segments(&decoded);
    (segments.next()? == "components").then_some(())?;
    Some((segments.next()?, segments.next()?))
}
