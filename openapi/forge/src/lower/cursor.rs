//! A place in the document: a node and the JSON Pointer that leads there.
//!
//! The check of the structure has already rejected every value of the wrong type (`wrong-type`).
//! The document fails in the end, so it does not matter that a cursor treats such a value as
//! absent.

use crate::document::{Node, Span, pointer};

/// A node and its JSON Pointer.
#[derive(Clone)]
pub(super) struct Cursor<'d> {
    pub(super) node: &'d Node,
    pub(super) pointer: String,
}

impl<'d> Cursor<'d> {
    /// The member `key` of an object.
    pub(super) fn get(&self, key: &str) -> Option<Cursor<'d>> {
        self.node.get(key).map(|node| Cursor {
            node,
            pointer: pointer::join(&self.pointer, key),
        })
    }

    /// The members of an object. Empty for any other node, which has been rejected.
    pub(super) fn members(&self) -> Vec<(&'d str, Cursor<'d>)> {
        let members = self.node.members().map(|(key, entry)| {
            let cursor = Cursor {
                node: &entry.value,
                pointer: pointer::join(&self.pointer, key),
            };
            (key, cursor)
        });
        members.collect()
    }

    /// The members of the member `key`.
    pub(super) fn members_of(&self, key: &str) -> Vec<(&'d str, Cursor<'d>)> {
        self.get(key).iter().flat_map(Cursor::members).collect()
    }

    /// The elements of an array. Empty for any other node, which has been rejected.
    pub(super) fn elements(&self) -> Vec<Cursor<'d>> {
        let elements = self.node.elements().iter().enumerate();
        let elements = elements.map(|(index, node)| Cursor {
            node,
            pointer: format!("{}/{index}", self.pointer),
        });
        elements.collect()
    }

    /// The elements of the member `key`.
    pub(super) fn elements_of(&self, key: &str) -> Vec<Cursor<'d>> {
        self.get(key).iter().flat_map(Cursor::elements).collect()
    }

    /// Text of the member `key`. Another type has been rejected.
    pub(super) fn text(&self, key: &str) -> Option<String> {
        self.node.get(key)?.as_str().map(str::to_string)
    }

    /// Whether the member `key` is `true`. Another type has been rejected.
    pub(super) fn flag(&self, key: &str) -> bool {
        self.node.flag(key)
    }

    pub(super) fn span(&self) -> Span {
        self.node.span
    }

    /// The span of the member `key`, or of the object if it has no such member.
    pub(super) fn span_of(&self, key: &str) -> Span {
        self.node
            .get(key)
            .map_or(self.node.span, |value| value.span)
    }
}
