//! A comparison of two documents: what the walk adds its changes to.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;
use std::hash::Hash;

use crate::check::document_index::{Direction, DocumentIndex, LocatedNode};
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

/// The direction in which the allowed values have moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shift {
    /// Less is allowed than before.
    Narrower,
    /// The new document allows more.
    Wider,
    /// The new document rejects some values that the old one allowed, and allows others.
    Aside,
}

impl Shift {
    /// The shift between values that have to meet a requirement and others.
    pub(super) fn of_requirement(before: bool, now: bool) -> Option<Shift> {
        match (before, now) {
            (false, true) => Some(Shift::Narrower),
            (true, false) => Some(Shift::Wider),
            _ => None,
        }
    }

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

pub(super) struct Comparison<'d> {
    pub(super) old: DocumentIndex<'d>,
    pub(super) new: DocumentIndex<'d>,
    pub(super) changes: Vec<Change>,
    /// Pairs of schemas that have been compared, by pointers and direction.
    pub(super) seen: HashSet<(String, String, Direction)>,
    /// Pointers of objects that are composed of other parts than before.
    pub(super) composed: HashSet<String>,
    /// Pointers of parameters with another name than before.
    pub(super) renamed: HashSet<String>,
    /// Whether the service sends the compared requests, and clients respond.
    pub(super) is_reversed: bool,
}

impl<'d> Comparison<'d> {
    /// A comparison without changes.
    pub(super) fn new(old: &'d Document, new: &'d Document) -> Comparison<'d> {
        Comparison {
            old: DocumentIndex::new(old),
            new: DocumentIndex::new(new),
            changes: Vec::new(),
            seen: HashSet::new(),
            composed: HashSet::new(),
            renamed: HashSet::new(),
            is_reversed: false,
        }
    }

    /// Reports a change of a node that both documents have.
    pub(super) fn changed(
        &mut self,
        class: Class,
        place: &LocatedNode<'_>,
        message: String,
        reason: &str,
    ) {
        self.report(class, Side::New, &place.pointer, message, reason);
    }

    /// Reports that something is no longer there.
    pub(super) fn removed(
        &mut self,
        class: Class,
        place: &LocatedNode<'_>,
        message: String,
        reason: &str,
    ) {
        self.report(class, Side::Old, &place.pointer, message, reason);
    }

    /// Reports that values that go this way may be others than before.
    pub(super) fn shifted(
        &mut self,
        shift: Shift,
        direction: Direction,
        place: &LocatedNode<'_>,
        message: String,
    ) {
        let (class, reason) = shift.class(direction);
        self.changed(class, place, self.in_direction(direction, &message), reason);
    }

    /// The same of something that is no longer there.
    pub(super) fn lost(
        &mut self,
        shift: Shift,
        direction: Direction,
        place: &LocatedNode<'_>,
        message: String,
    ) {
        let (class, reason) = shift.class(direction);
        self.removed(class, place, self.in_direction(direction, &message), reason);
    }

    pub(super) fn report(
        &mut self,
        class: Class,
        side: Side,
        pointer: &str,
        message: String,
        reason: &str,
    ) {
        self.changes.push(Change {
            class,
            side,
            pointer: pointer.to_owned(),
            message,
            reason: match self.is_reversed {
                true => reversed(reason),
                false => reason.to_owned(),
            },
        });
    }

    /// The direction of requests.
    pub(super) fn request_direction(&self) -> Direction {
        match self.is_reversed {
            true => Direction::Response,
            false => Direction::Request,
        }
    }

    /// The direction of responses.
    pub(super) fn response_direction(&self) -> Direction {
        match self.is_reversed {
            true => Direction::Request,
            false => Direction::Response,
        }
    }

    /// A schema can go both ways, and mean another thing each way.
    pub(super) fn in_direction(&self, direction: Direction, message: &str) -> String {
        match direction == self.request_direction() {
            true => format!("in requests, {message}"),
            false => format!("in responses, {message}"),
        }
    }

    /// Both sides, their references followed. Nothing where one leads nowhere:
    /// that is an error in a document, and not a change.
    pub(super) fn resolved(
        &self,
        old: &LocatedNode<'d>,
        new: &LocatedNode<'d>,
    ) -> Option<(LocatedNode<'d>, LocatedNode<'d>)> {
        Some((self.old.resolve(old)?, self.new.resolve(new)?))
    }
}

/// A reason for requests and responses that go the opposite way.
fn reversed(reason: &str) -> String {
    let words = reason.split(' ').map(|word| match word {
        "request" => "response",
        "requests" => "responses",
        "response" => "request",
        "responses" => "requests",
        other => other,
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The parts on one side only, and those on both.
pub(super) struct Paired<T> {
    pub(super) removed: Vec<T>,
    pub(super) kept: Vec<(T, T)>,
    pub(super) added: Vec<T>,
}

/// Pairs two lists by a key, which is made once for each item. Items of one key are paired in their order.
pub(super) fn pair<T, K: Eq + Hash>(old: Vec<T>, new: Vec<T>, key: impl Fn(&T) -> K) -> Paired<T> {
    let mut places: HashMap<K, VecDeque<usize>> = HashMap::new();
    for (index, item) in new.iter().enumerate() {
        places.entry(key(item)).or_default().push_back(index);
    }
    let mut new: Vec<Option<T>> = new.into_iter().map(Some).collect();
    let (mut removed, mut kept) = (Vec::new(), Vec::new());
    for item in old {
        let place = places.get_mut(&key(&item)).and_then(VecDeque::pop_front);
        match place.and_then(|index| new[index].take()) {
            Some(other) => kept.push((item, other)),
            None => removed.push(item),
        }
    }
    Paired {
        removed,
        kept,
        added: new.into_iter().flatten().collect(),
    }
}

/// The identity of a part or an alternative: its reference, or its whole content.
pub(super) fn name(place: &LocatedNode<'_>) -> String {
    let reference = place.node.text("$ref");
    match reference {
        Some(reference) => reference.rsplit('/').next().unwrap_or(reference).to_owned(),
        None => place.node.to_json().to_string(),
    }
}

/// Whether a parameter, a header or a body has to be there.
pub(super) fn required(place: &LocatedNode<'_>) -> bool {
    place.node.flag("required")
}
