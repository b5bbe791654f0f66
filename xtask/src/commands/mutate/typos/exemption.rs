//! Typos that leave a valid document: the rules that exempt them.

use dropforge::document::{Document, pointer};
use dropforge_mutants::typos::{Slip, Typo};
use serde_json::Value;

/// Why no check can notice a typo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exemption {
    /// The text has the same meaning.
    Equal,
    /// An optional key moved to another object that may have it, too.
    Moved,
    /// Two items of a list became one valid item.
    Merged,
}

impl Exemption {
    pub(super) const ALL: [Exemption; 3] = [Exemption::Equal, Exemption::Moved, Exemption::Merged];

    /// The rule.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Exemption::Equal => "the text says the same, for a parser of YAML",
            Exemption::Moved => {
                "an optional key moved to another object that may have it, too: the document is valid"
            }
            Exemption::Merged => "two items of a list became one item that is valid as well",
        }
    }
}

/// The rule that exempts a typo, if there is one.
pub(super) fn of(file: &str, text: &str, mutated: &str, typo: &Typo) -> Option<Exemption> {
    let read = |text: &str| Some(Document::read(file, text).ok()?.to_json());
    let (before, after) = (read(text)?, read(mutated)?);
    match typo.slip {
        _ if before == after => Some(Exemption::Equal),
        Slip::LineIndented | Slip::BlockIndented => {
            is_moved(&before, &after, &typo.pointer).then_some(Exemption::Moved)
        }
        Slip::DashDropped => is_merged(&before, &after, &typo.pointer).then_some(Exemption::Merged),
        _ => None,
    }
}

/// Whether only the place of one key has changed.
fn is_moved(before: &Value, after: &Value, pointer: &str) -> bool {
    let mut before = before.clone();
    let Some((parent, key)) = pointer.rsplit_once('/') else {
        return false;
    };
    let parent = before.pointer_mut(parent).and_then(Value::as_object_mut);
    let Some(value) = parent.and_then(|parent| parent.shift_remove(key)) else {
        return false;
    };
    let mut places = Vec::new();
    find(after, key, &value, "", &mut places);
    places.iter().any(|place| {
        let mut after = after.clone();
        let parent = after.pointer_mut(place).and_then(Value::as_object_mut);
        parent.and_then(|parent| parent.shift_remove(key)).is_some() && after == before
    })
}

/// The pointers of the objects that have this value under a key.
fn find(node: &Value, key: &str, value: &Value, at: &str, places: &mut Vec<String>) {
    match node {
        Value::Object(object) => {
            if object.get(key) == Some(value) {
                places.push(at.to_owned());
            }
            for (name, inner) in object {
                find(inner, key, value, &pointer::join(at, name), places);
            }
        }
        Value::Array(elements) => {
            for (index, inner) in elements.iter().enumerate() {
                find(inner, key, value, &format!("{at}/{index}"), places);
            }
        }
        _ => {}
    }
}

/// Whether one list has changed, and has one item less because an item before it absorbed it.
fn is_merged(before: &Value, after: &Value, pointer: &str) -> bool {
    let list = |all: &Value| all.pointer(pointer).and_then(Value::as_array).cloned();
    let (Some(old), Some(new)) = (list(before), list(after)) else {
        return false;
    };
    let mut rest = after.clone();
    if let Some(place) = rest.pointer_mut(pointer) {
        *place = Value::Array(old.clone());
    }
    let are_objects = old.iter().all(Value::is_object);
    are_objects && new.len() + 1 == old.len() && rest == *before
}
