//! The members of objects: their properties, and the names that they require.

use super::comparison::{Class, Comparison, Shift, name, pair};
use crate::check::document_index::{Direction, DocumentIndex, LocatedNode, properties};
use crate::document::Node;

/// The maximum depth of parts of `allOf`.
const MAX_PARTS: usize = 8;

/// The reason for the class of a property that no message of the direction has.
const NOT_SENT: &str = "it is not sent";

impl<'d> Comparison<'d> {
    /// The members of two objects whose composition changed. Members that move between parts are
    /// not a change.
    pub(super) fn composed(
        &self,
        old: &LocatedNode<'d>,
        new: &LocatedNode<'d>,
    ) -> Option<(Members<'d>, Members<'d>)> {
        let parts = |place: &LocatedNode<'d>| {
            let parts = place.elements_of("allOf");
            parts.iter().map(name).collect::<Vec<_>>()
        };
        if parts(old) == parts(new) {
            return None;
        }
        let members = |index, place| Members::composed(index, place, MAX_PARTS);
        Some((members(&self.old, old)?, members(&self.new, new)?))
    }

    /// Compares the members of two objects. `place` is that of the new one.
    pub(super) fn members(
        &mut self,
        old: &Members<'d>,
        new: &Members<'d>,
        place: &LocatedNode<'d>,
        direction: Direction,
    ) {
        let paired = pair(
            old.properties.clone(),
            new.properties.clone(),
            |(name, _)| *name,
        );
        for (name, property) in &paired.removed {
            let (class, reason) = match direction {
                Direction::Request => {
                    (Class::BreaksClients, "the server ignores or rejects it now")
                }
                Direction::Response if is_of_other_direction(&self.old, property, direction) => {
                    (Class::Documentation, NOT_SENT)
                }
                Direction::Response => (Class::BreaksClients, "clients that read it find nothing"),
            };
            let message =
                self.in_direction(direction, &format!("the property `{name}` was removed"));
            self.removed(class, property, message, reason);
        }
        for (name, property) in &paired.added {
            self.added_property(old, new, name, property, direction);
        }
        for ((name, before), (_, now)) in &paired.kept {
            let was_sent = !is_of_other_direction(&self.old, before, direction);
            let is_sent = !is_of_other_direction(&self.new, now, direction);
            let had = old.requires(name) && was_sent;
            let has = new.requires(name) && is_sent;
            if let Some(shift) = Shift::of_requirement(had, has) {
                self.requirement(shift, name, now, direction);
            }
            self.one_way(name, (was_sent, is_sent), now, direction);
            let other = key_of(direction);
            if before.node.flag(other) != now.node.flag(other) {
                let message = format!("the property `{name}` has another `{other}`");
                let reason = "messages of this direction have the property before and after";
                let message = self.in_direction(direction, &message);
                self.changed(Class::Documentation, now, message, reason);
            }
            self.schema(before, now, direction);
        }
        self.undeclared(old, new, place, direction);
    }

    /// Compares whether messages of this direction have a property: `readOnly` and `writeOnly` say so.
    fn one_way(
        &mut self,
        name: &str,
        sent: (bool, bool),
        now: &LocatedNode<'d>,
        direction: Direction,
    ) {
        let (class, what, reason) = match (sent, direction) {
            ((true, false), Direction::Request) => (
                Class::BreaksClients,
                "is only sent by the server now",
                "the server ignores it now",
            ),
            ((true, false), Direction::Response) => (
                Class::BreaksClients,
                "is only sent by clients now",
                "clients that read it find nothing",
            ),
            ((false, true), Direction::Request) => (
                Class::Additive,
                "can be sent now",
                "requests without it mean what they meant",
            ),
            ((false, true), Direction::Response) => (
                Class::Additive,
                "can be there now",
                "clients that do not know it ignore it",
            ),
            _ => return,
        };
        let message = self.in_direction(direction, &format!("the property `{name}` {what}"));
        self.changed(class, now, message, reason);
    }

    fn added_property(
        &mut self,
        old: &Members<'d>,
        new: &Members<'d>,
        name: &str,
        property: &LocatedNode<'d>,
        direction: Direction,
    ) {
        let is_of_other = is_of_other_direction(&self.new, property, direction);
        let required = new.requires(name) && !is_of_other;
        let (class, reason) = match direction {
            Direction::Request if required => {
                (Class::BreaksClients, "requests without it are rejected")
            }
            Direction::Request => (Class::Additive, "requests without it mean what they meant"),
            Direction::Response if is_of_other => (Class::Additive, NOT_SENT),
            Direction::Response if old.closed => (
                Class::BreaksClients,
                "the document excluded other properties",
            ),
            Direction::Response if required => (
                Class::BreaksServers,
                "a response without it violates the document",
            ),
            Direction::Response => (Class::Additive, "clients that do not know it ignore it"),
        };
        let kind = if required { "required" } else { "optional" };
        let message = format!("the {kind} property `{name}` is new");
        let message = self.in_direction(direction, &message);
        self.changed(class, property, message, reason);
    }

    /// Compares the names that an object requires without a property of this name: another part
    /// may declare it, or none.
    fn undeclared(
        &mut self,
        old: &Members<'d>,
        new: &Members<'d>,
        place: &LocatedNode<'d>,
        direction: Direction,
    ) {
        for name in old.required.iter().chain(&new.required) {
            let Some(shift) = Shift::of_requirement(old.requires(name), new.requires(name)) else {
                continue;
            };
            // A property that was removed is reported as such.
            let was_removed = shift == Shift::Wider && old.declares(name);
            if !new.declares(name) && !was_removed {
                self.requirement(shift, name, place, direction);
            }
        }
    }

    fn requirement(
        &mut self,
        shift: Shift,
        name: &str,
        place: &LocatedNode<'d>,
        direction: Direction,
    ) {
        let what = match shift {
            Shift::Wider => "can be absent",
            _ => "has to be there",
        };
        let message = format!("the property `{name}` {what} now");
        self.shifted(shift, direction, place, message);
    }
}

/// Whether a property belongs to the other direction. Messages of this direction need not have it.
fn is_of_other_direction<'d>(
    index: &DocumentIndex<'d>,
    property: &LocatedNode<'d>,
    direction: Direction,
) -> bool {
    let key = match direction {
        Direction::Request => key_of(Direction::Response),
        Direction::Response => key_of(Direction::Request),
    };
    let property = index.resolve(property);
    property.is_some_and(|property| property.node.flag(key))
}

/// The key of a property that only messages of this direction have.
fn key_of(direction: Direction) -> &'static str {
    match direction {
        Direction::Request => "writeOnly",
        Direction::Response => "readOnly",
    }
}

/// The members of an object.
pub(super) struct Members<'d> {
    properties: Vec<(&'d str, LocatedNode<'d>)>,
    required: Vec<&'d str>,
    /// Whether the object is closed.
    closed: bool,
}

impl<'d> Members<'d> {
    /// The members that the schema declares itself.
    pub(super) fn own(schema: &LocatedNode<'d>) -> Members<'d> {
        let additional = schema.node.get("additionalProperties");
        Members {
            properties: properties(schema),
            required: schema
                .node
                .elements_of("required")
                .iter()
                .filter_map(Node::as_str)
                .collect(),
            closed: additional.and_then(Node::as_bool) == Some(false),
        }
    }

    /// The members of the schema and of all parts of its `allOf`. `None` if a part has further
    /// rules.
    fn composed(
        index: &DocumentIndex<'d>,
        schema: &LocatedNode<'d>,
        depth: usize,
    ) -> Option<Members<'d>> {
        const KEYS: [&str; 9] = [
            "allOf",
            "type",
            "properties",
            "required",
            "nullable",
            "description",
            "title",
            "example",
            "examples",
        ];
        let mut keys = schema.node.as_object()?.keys();
        let is_object = schema.text("type").is_none_or(|name| name == "object");
        let says_more = keys.any(|key| !KEYS.contains(&key) && !key.starts_with("x-"));
        if depth == 0 || !is_object || says_more {
            return None;
        }
        let mut members = Members::own(schema);
        for part in schema.elements_of("allOf") {
            let part = Members::composed(index, &index.resolve(&part)?, depth - 1)?;
            members.properties.extend(part.properties);
            members.required.extend(part.required);
        }
        Some(members)
    }

    fn requires(&self, name: &str) -> bool {
        self.required.contains(&name)
    }

    fn declares(&self, name: &str) -> bool {
        self.properties.iter().any(|(known, _)| *known == name)
    }
}
