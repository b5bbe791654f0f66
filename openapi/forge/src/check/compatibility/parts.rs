//! Parts of a message that may be absent: its body, parameters and headers.

use super::comparison::{Class, Comparison, required};
use crate::check::document_index::{Direction, LocatedNode};

impl<'d> Comparison<'d> {
    /// A part that messages no longer have. `part` names it.
    pub(super) fn removed_part(
        &mut self,
        title: &str,
        part: &str,
        place: &LocatedNode<'d>,
        direction: Direction,
    ) {
        let reason = match direction {
            Direction::Request => "the server ignores it now",
            Direction::Response => "clients that read it find nothing",
        };
        let message = format!("{title}: the {part} was removed");
        self.removed(Class::BreaksClients, place, message, reason);
    }

    /// A part that messages did not have.
    pub(super) fn added_part(
        &mut self,
        title: &str,
        part: &str,
        place: &LocatedNode<'d>,
        direction: Direction,
    ) {
        let (class, kind, reason) = match (direction, required(place)) {
            (Direction::Request, true) => (
                Class::BreaksClients,
                "required",
                "requests without it are rejected",
            ),
            (Direction::Request, false) => (
                Class::Additive,
                "optional",
                "requests without it mean what they meant",
            ),
            (Direction::Response, true) => (
                Class::BreaksServers,
                "required",
                "a response without it violates the document",
            ),
            (Direction::Response, false) => (
                Class::Additive,
                "optional",
                "clients that do not know it ignore it",
            ),
        };
        let message = format!("{title}: the {kind} {part} is new");
        self.changed(class, place, message, reason);
    }

    /// A part that messages had before.
    pub(super) fn kept_part(
        &mut self,
        title: &str,
        part: &str,
        old: &LocatedNode<'d>,
        new: &LocatedNode<'d>,
        direction: Direction,
    ) {
        self.presence(title, part, old, new, direction);
        self.part_values(old, new, direction);
    }

    /// Compares whether a part has to be there.
    pub(super) fn presence(
        &mut self,
        title: &str,
        part: &str,
        old: &LocatedNode<'d>,
        new: &LocatedNode<'d>,
        direction: Direction,
    ) {
        let (class, what, reason) = match (required(old), required(new), direction) {
            (false, true, Direction::Request) => (
                Class::BreaksClients,
                "is required now",
                "requests without it are rejected",
            ),
            (true, false, Direction::Request) => (
                Class::Additive,
                "is optional now",
                "requests with it mean what they meant",
            ),
            (false, true, Direction::Response) => (
                Class::BreaksServers,
                "is always there now",
                "a response without it violates the document",
            ),
            (true, false, Direction::Response) => (
                Class::BreaksClients,
                "can be absent now",
                "clients rely on it",
            ),
            _ => return,
        };
        self.changed(class, new, format!("{title}: the {part} {what}"), reason);
    }

    /// Compares the values of a part.
    pub(super) fn part_values(
        &mut self,
        old: &LocatedNode<'d>,
        new: &LocatedNode<'d>,
        direction: Direction,
    ) {
        self.schema_pair((old.get("schema"), new.get("schema")), direction, new);
        self.contents(old, new, direction);
    }
}
