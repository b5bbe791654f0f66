//! A schema that becomes one of several alternatives, or the only one of them.

use serde_json::Value;

use super::comparison::{Comparison, Shift, name, pair};
use super::schemas::{WORDS, has_only};
use crate::check::document_index::{Direction, DocumentIndex, LocatedNode};

impl<'d> Comparison<'d> {
    /// Compares the alternatives of two schemas, if the schemas have different keywords for them. A
    /// schema without alternatives is its own. Returns whether they have an alternative in common.
    /// Otherwise they are other schemas.
    pub(super) fn unions(
        &mut self,
        old: &LocatedNode<'d>,
        new: &LocatedNode<'d>,
        direction: Direction,
    ) -> bool {
        let keywords = (keyword(old), keyword(new));
        if keywords.0 == keywords.1 {
            return false;
        }
        let mut before = alternatives(&self.old, old, keywords.0);
        let mut now = alternatives(&self.new, new, keywords.1);
        match keywords {
            (None, _) => before.push(own(old, &now)),
            (_, None) => now.push(own(new, &before)),
            _ => {}
        }
        let paired = pair(before, now, |(identity, _)| identity.clone());
        if paired.kept.is_empty() {
            return false;
        }
        for (_, place) in &paired.removed {
            let message = format!("the alternative {} was removed", name(place));
            self.lost(Shift::Narrower, direction, place, message);
        }
        for (_, place) in &paired.added {
            let message = format!("the alternative {} is new", name(place));
            self.shifted(Shift::Wider, direction, place, message);
        }
        if paired.removed.is_empty() && paired.added.is_empty() {
            // A schema and the only one of its alternatives allow the same.
            self.composed.insert(new.pointer.clone());
        }
        let several = match keywords {
            (Some("oneOf"), Some(_)) => Some((Shift::Wider, "several alternatives may match")),
            (Some(_), Some("oneOf")) => Some((Shift::Narrower, "only one alternative may match")),
            _ => None,
        };
        if let Some((shift, message)) = several {
            self.shifted(shift, direction, new, message.to_owned());
        }
        for ((_, old), (_, new)) in &paired.kept {
            self.schema(old, new, direction);
        }
        true
    }
}

/// The keyword of a schema that only lists alternatives.
fn keyword(schema: &LocatedNode<'_>) -> Option<&'static str> {
    let mut keywords = ["anyOf", "oneOf"].into_iter();
    keywords
        .find(|&keyword| schema.get(keyword).is_some() && has_only(schema, &[keyword, "nullable"]))
}

/// The alternatives of a schema, each with its identity: the pointer of its component, or its
/// content.
fn alternatives<'d>(
    index: &DocumentIndex<'d>,
    schema: &LocatedNode<'d>,
    keyword: Option<&str>,
) -> Vec<(Value, LocatedNode<'d>)> {
    let places = keyword.map_or_else(Vec::new, |keyword| schema.elements_of(keyword));
    let named = places.into_iter().map(|place| {
        let identity = match index.resolve(&place) {
            Some(target) if place.node.get("$ref").is_some() => target.pointer.into(),
            _ => content(&place),
        };
        (identity, place)
    });
    named.collect()
}

/// A schema as the only alternative, with the identity that it has among the others.
fn own<'d>(
    schema: &LocatedNode<'d>,
    others: &[(Value, LocatedNode<'d>)],
) -> (Value, LocatedNode<'d>) {
    let pointer = Value::from(schema.pointer.as_str());
    let is_listed = others.iter().any(|(identity, _)| *identity == pointer);
    let identity = match is_listed {
        true => pointer,
        false => content(schema),
    };
    (identity, schema.clone())
}

/// The content of a schema without words.
fn content(schema: &LocatedNode<'_>) -> Value {
    let mut content = schema.node.to_json();
    if let Some(content) = content.as_object_mut() {
        content.retain(|key, _| !WORDS.contains(&key.as_str()));
    }
    content
}
