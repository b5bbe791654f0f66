//! The properties that a schema has, with those of its parts.

use std::collections::{BTreeSet, HashSet};

use crate::document::{Document, Node};

/// A schema with more parts is treated as one that may have any property.
const MAX_PARTS: usize = 1000;

/// The properties of a schema.
#[derive(Default)]
pub(super) struct Properties<'d> {
    pub(super) names: BTreeSet<&'d str>,
    /// The names that one of the parts requires.
    pub(super) required: HashSet<&'d str>,
    seen: HashSet<*const Node>,
    /// Whether the schema allows other members.
    pub(super) is_open: bool,
    /// Whether the schema may declare properties that are not among the names.
    pub(super) is_partial: bool,
}

impl<'d> Properties<'d> {
    /// Adds the properties of a schema without its parts.
    pub(super) fn add_own(&mut self, schema: &'d Node) {
        let properties = schema.members_of("properties");
        self.names.extend(properties.map(|(name, _)| name));
        let required = schema.elements_of("required").iter();
        self.required.extend(required.filter_map(Node::as_str));
    }

    /// Adds the properties of a schema and of its parts.
    pub(super) fn collect(&mut self, document: &'d Document, schema: &'d Node) {
        let mut open = vec![schema];
        while let Some(schema) = open.pop() {
            if !self.seen.insert(schema) {
                continue;
            }
            self.add_own(schema);
            let is_open = |key| {
                schema
                    .get(key)
                    .is_some_and(|node| node.as_bool() != Some(false))
            };
            self.is_open |= ["additionalProperties", "unevaluatedProperties"]
                .into_iter()
                .any(is_open);
            self.is_partial |= ["patternProperties", "$dynamicRef"]
                .iter()
                .any(|key| schema.get(key).is_some());
            self.is_partial |= self.seen.len() > MAX_PARTS;
            if self.is_partial {
                self.is_open = true;
                return;
            }
            if schema.get("$ref").is_some() {
                open.extend(document.follow(schema, "").map(|(_, target)| target));
            }
            for key in ["allOf", "anyOf", "oneOf"] {
                open.extend(schema.elements_of(key));
            }
            open.extend(["then", "else"].iter().filter_map(|key| schema.get(key)));
        }
    }
}
