//! The effect of a change to a document on its clients and servers.
//!
//! Two sets decide: the requests that a document allows, and the responses. Clients break if the
//! document allows fewer requests than before, or responses that they do not know. The server has
//! to follow if fewer responses are allowed. More requests are an addition. The files below report
//! for a pair of nodes whether the new one is narrower or wider. [`Shift::class`] turns that into a
//! class, by the direction.
//!
//! Objects are open, as JSON's are by convention: one more property in a response is an addition,
//! unless the schema closes the object.
//!
//! The walk is our own, since it has to cover every construct of our documents. [`drift_check`]
//! also asks `drift`, and reports each change that only `drift` finds.

mod bodies;
mod bounds;
mod documentation;
mod drift_check;
mod operations;
mod parts;
mod schemas;
mod security;

use std::collections::HashSet;
use std::fmt;

use super::document_index::{Direction, DocumentIndex, LocatedNode};
use crate::document::Document;

/// The class of a change, the gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// A client of the old document can fail with a server of the new one.
    BreaksClients,
    /// A server of the old document violates the new one.
    BreaksServers,
    /// The document allows more than before, and all that it allowed before.
    Additive,
    /// Nothing changes on the wire.
    Documentation,
}

impl Class {
    /// Whether people have to change their code.
    pub fn is_breaking(self) -> bool {
        matches!(self, Class::BreaksClients | Class::BreaksServers)
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Class::BreaksClients => "breaks clients",
            Class::BreaksServers => "breaks servers",
            Class::Additive => "additive",
            Class::Documentation => "documentation",
        })
    }
}

/// The document that a pointer is for: the new one, or the old one if the node was removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The old document.
    Old,
    /// The new document.
    New,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Change {
    /// Its class.
    pub class: Class,
    /// The document of its place.
    pub side: Side,
    /// Its place, as a JSON Pointer.
    pub pointer: String,
    /// The change itself.
    pub message: String,
    /// The reason for its class.
    pub reason: String,
}

/// The changes from one document to another, the gravest first.
pub fn compare(old: &Document, new: &Document) -> Vec<Change> {
    let mut comparison = Comparison {
        old: DocumentIndex::new(old),
        new: DocumentIndex::new(new),
        changes: Vec::new(),
        seen: HashSet::new(),
        composed: HashSet::new(),
    };
    comparison.operations();
    comparison.documentation();
    comparison.add_drift_findings();
    let mut reported = HashSet::new();
    let mut changes = comparison.changes;
    changes.retain(|change| reported.insert(change.clone()));
    changes.sort_by_key(|change| change.class);
    changes
}

/// How the set of allowed values has moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shift {
    /// The new document allows less.
    Narrower,
    /// The new document allows more.
    Wider,
    /// The new document rejects some values that the old one allowed, and allows others.
    Aside,
}

impl Shift {
    /// The class of the change for values of this direction, and the reason.
    fn class(self, direction: Direction) -> (Class, &'static str) {
        match (direction, self) {
            (Direction::Request, Shift::Narrower) => {
                (Class::BreaksClients, "valid requests are rejected now")
            }
            (Direction::Request, Shift::Wider) => (Class::Additive, "valid requests stay valid"),
            (Direction::Response, Shift::Wider) => (
                Class::BreaksClients,
                "clients can get responses that they do not know",
            ),
            (Direction::Response, Shift::Narrower) => (
                Class::BreaksServers,
                "responses that were valid no longer are",
            ),
            (_, Shift::Aside) => (
                Class::BreaksClients,
                "neither the old nor the new allows all that the other does",
            ),
        }
    }
}

struct Comparison<'d> {
    old: DocumentIndex<'d>,
    new: DocumentIndex<'d>,
    changes: Vec<Change>,
    /// Pairs of schemas that have been compared, by pointers and direction.
    seen: HashSet<(String, String, Direction)>,
    /// Pointers of objects whose composition has other parts than before.
    composed: HashSet<String>,
}

impl<'d> Comparison<'d> {
    /// Reports a change of a node that both documents have.
    fn changed(&mut self, class: Class, place: &LocatedNode<'_>, message: String, reason: &str) {
        self.report(class, Side::New, &place.pointer, message, reason);
    }

    /// Reports a removed node.
    fn removed(&mut self, class: Class, place: &LocatedNode<'_>, message: String, reason: &str) {
        self.report(class, Side::Old, &place.pointer, message, reason);
    }

    /// Reports that the set of values of this direction may have changed.
    fn shifted(
        &mut self,
        shift: Shift,
        direction: Direction,
        place: &LocatedNode<'_>,
        message: String,
    ) {
        let (class, reason) = shift.class(direction);
        self.changed(class, place, in_direction(direction, &message), reason);
    }

    /// The same for a removed node.
    fn lost(
        &mut self,
        shift: Shift,
        direction: Direction,
        place: &LocatedNode<'_>,
        message: String,
    ) {
        let (class, reason) = shift.class(direction);
        self.removed(class, place, in_direction(direction, &message), reason);
    }

    fn report(&mut self, class: Class, side: Side, pointer: &str, message: String, reason: &str) {
        self.changes.push(Change {
            class,
            side,
            pointer: pointer.to_owned(),
            message,
            reason: reason.to_owned(),
        });
    }

    /// Both sides, with their references followed. `None` if a reference is unresolved: that is an
    /// error in a document, and not a change.
    fn resolved(
        &self,
        old: &LocatedNode<'d>,
        new: &LocatedNode<'d>,
    ) -> Option<(LocatedNode<'d>, LocatedNode<'d>)> {
        Some((self.old.resolve(old)?, self.new.resolve(new)?))
    }
}

/// A schema can be used in both directions, with another meaning in each.
fn in_direction(direction: Direction, message: &str) -> String {
    match direction {
        Direction::Request => format!("in requests, {message}"),
        Direction::Response => format!("in responses, {message}"),
    }
}

/// The elements of one side only, and the pairs that both sides have.
struct Paired<T> {
    removed: Vec<T>,
    kept: Vec<(T, T)>,
    added: Vec<T>,
}

/// Pairs two lists by a key.
fn pair<T, K: PartialEq>(old: Vec<T>, new: Vec<T>, key: impl Fn(&T) -> K) -> Paired<T> {
    let mut paired = Paired {
        removed: Vec::new(),
        kept: Vec::new(),
        added: new,
    };
    for item in old {
        let wanted = key(&item);
        match paired.added.iter().position(|other| key(other) == wanted) {
            Some(at) => paired.kept.push((item, paired.added.remove(at))),
            None => paired.removed.push(item),
        }
    }
    paired
}

#[cfg(test)]
mod tests;
