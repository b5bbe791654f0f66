//! The places of references, and the kind of component of each.

use crate::document::visit::is_foreign;
use crate::document::{Kind, Node};

/// The kind of node at a place of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    /// An object that a component of this kind can replace, such as `schemas`.
    Component(&'static str),
    /// Objects of one kind under names that the author chooses.
    Named(&'static str),
    /// Another node that has objects.
    Other,
}

/// Keys whose values are of any kind.
const DATA: [&str; 6] = ["const", "default", "enum", "example", "examples", "value"];

/// Keywords of schemas whose value has schemas under names.
const NAMED_SCHEMAS: [&str; 4] = [
    "$defs",
    "dependentSchemas",
    "patternProperties",
    "properties",
];

/// Calls `visit` with each object that is a reference, and with the kind of component that it
/// means. The replacement of a reference is not visited.
pub(super) fn references(
    node: &mut Node,
    slot: Slot,
    visit: &mut dyn FnMut(&mut Node, Option<&'static str>),
) {
    match &mut node.kind {
        Kind::Object(_) => {
            if !matches!(slot, Slot::Named(_)) && node.get("$ref").is_some() {
                let kind = match slot {
                    Slot::Component(kind) => Some(kind),
                    _ => None,
                };
                visit(node, kind);
                if node.get("$ref").is_none() {
                    return;
                }
            }
            let Some(object) = node.as_object_mut() else {
                return;
            };
            for (key, entry) in object.iter_mut() {
                if let Some(inner) = inner(slot, key, &entry.value) {
                    references(&mut entry.value, inner, visit);
                }
            }
        }
        Kind::Array(elements) => {
            for element in elements {
                references(element, slot, visit);
            }
        }
        _ => {}
    }
}

/// The kind of node under a key; `None` if the node has no references.
fn inner(slot: Slot, key: &str, value: &Node) -> Option<Slot> {
    Some(match slot {
        Slot::Named(kind) => Slot::Component(kind),
        Slot::Component("callbacks") => Slot::Component("pathItems"),
        _ if is_foreign(key) => return None,
        Slot::Component("schemas") if NAMED_SCHEMAS.contains(&key) => Slot::Named("schemas"),
        Slot::Component("schemas") if DATA.contains(&key) => return None,
        Slot::Component("schemas") => Slot::Component("schemas"),
        _ => match (key, value.as_array().is_some()) {
            ("schema", _) => Slot::Component("schemas"),
            ("requestBody", _) => Slot::Component("requestBodies"),
            ("x-dropforge-method-not-allowed", _) => Slot::Component("responses"),
            ("parameters", true) => Slot::Component("parameters"),
            ("paths" | "pathItems" | "webhooks", _) => Slot::Named("pathItems"),
            ("responses" | "x-dropforge-not-found", _) => Slot::Named("responses"),
            ("headers" | "x-dropforge-response-headers", _) => Slot::Named("headers"),
            ("schemas", _) => Slot::Named("schemas"),
            ("parameters", false) => Slot::Named("parameters"),
            ("requestBodies", _) => Slot::Named("requestBodies"),
            ("examples", _) => Slot::Named("examples"),
            ("securitySchemes", _) => Slot::Named("securitySchemes"),
            ("links", _) => Slot::Named("links"),
            ("callbacks", _) => Slot::Named("callbacks"),
            ("content" | "encoding", _) => Slot::Named(""),
            (key, _) if DATA.contains(&key) => return None,
            _ => Slot::Other,
        },
    })
}
