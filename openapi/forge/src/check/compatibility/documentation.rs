//! Changes that do not affect the wire.
//!
//! Compares the text of the two documents, and reports differences in texts, examples, decisions
//! and names of components. So different files never have an empty list of changes.

use super::comparison::{Class, Comparison};
use super::schemas::WORDS;
use crate::check::document_index::{LocatedNode, has_names};
use crate::document::visit::is_foreign;

/// Keys of texts for people, besides those of schemas: everything below them may change.
const OTHER_WORDS: [&str; 9] = [
    "summary",
    "tags",
    "info",
    "servers",
    "links",
    "allowEmptyValue",
    "xml",
    "bearerFormat",
    "scopes",
];

/// The reason for the class of such a change.
fn reason(key: &str) -> &'static str {
    match key {
        "servers" => "clients are configured with the address",
        _ => "it is not sent",
    }
}

impl<'d> Comparison<'d> {
    pub(super) fn documentation(&mut self) {
        let (old, new) = (self.old.root(), self.new.root());
        self.words(&old, &new);
    }

    /// Walks both documents while they have the same keys.
    pub(super) fn words(&mut self, old: &LocatedNode<'d>, new: &LocatedNode<'d>) {
        for (key, before) in old.entries() {
            let words = is_words(key, old);
            match new.get(key) {
                Some(now) if words => self.word(key, &before, &now),
                Some(now) => self.words(&before, &now),
                None if words || is_component(&before) => {
                    let message = format!("`{key}` was removed");
                    self.removed(Class::Documentation, &before, message, reason(key));
                }
                None => {}
            }
        }
        for (key, now) in new.entries() {
            if old.get(key).is_none() && (is_words(key, new) || is_component(&now)) {
                let message = format!("`{key}` is new");
                self.changed(Class::Documentation, &now, message, reason(key));
            }
        }
        for (before, now) in old.elements().iter().zip(&new.elements()) {
            self.words(before, now);
        }
    }

    fn word(&mut self, key: &str, before: &LocatedNode<'d>, now: &LocatedNode<'d>) {
        if before.node.to_json() != now.node.to_json() {
            let message = format!("`{key}` changed");
            self.changed(Class::Documentation, now, message, reason(key));
        }
    }
}

/// Whether the value of a key is a text for people. A property named `description` is not.
fn is_words(key: &str, owner: &LocatedNode<'_>) -> bool {
    (WORDS.contains(&key) || OTHER_WORDS.contains(&key) || is_foreign(key))
        && !has_names(&owner.pointer)
}

/// Whether this is a named component: `/components/<kind>/<name>`.
fn is_component(place: &LocatedNode<'_>) -> bool {
    place.pointer.starts_with("/components/") && place.pointer.matches('/').count() == 3
}
