//! The walk along the objects of a document, and the keys that do not belong there.

use std::collections::HashSet;

use super::objects::{self, Holds, Object};
use super::{requirements, schemes};
use crate::document::{Diagnostic, Diagnostics, Document, Node, Span, pointer, similar};

/// Keys that decide who may call. One in the wrong place is refused, since it would decide
/// nothing there.
const ACCESS: [(&str, &str); 2] = [
    (
        "security",
        "`security` belongs to an operation, or to the document for all operations without their own",
    ),
    (
        "securitySchemes",
        "`securitySchemes` belongs to `components`",
    ),
];

pub(super) fn check(document: &Document) -> Diagnostics {
    let mut walk = Walk {
        document,
        visited: HashSet::new(),
        diagnostics: Diagnostics::default(),
    };
    walk.object("", &document.root, document.root.span, &objects::DOCUMENT);
    if let Some(security) = document.root.get("security") {
        requirements::check(document, security, &mut walk.diagnostics);
    }
    for (_, scheme) in schemes::all(document) {
        schemes::check(scheme, &mut walk.diagnostics);
    }
    walk.diagnostics
}

struct Walk<'d> {
    document: &'d Document,
    /// Pointers of what has been walked, each with the name of the object it was taken for.
    visited: HashSet<(String, &'static str)>,
    diagnostics: Diagnostics,
}

impl<'d> Walk<'d> {
    /// Walks what should be an object. `span` is its key, or itself in a list.
    fn object(&mut self, pointer: &str, node: &'d Node, span: Span, object: &'static Object) {
        // Whoever uses a reference reports one that leads nowhere.
        let Ok((pointer, node)) = self.document.resolve(node, pointer) else {
            return;
        };
        if !self.visited.insert((pointer.clone(), object.name)) {
            return;
        }
        let Some(members) = node.as_object() else {
            if object.is_strict {
                self.diagnostics.push(wrong_type(object.name, node));
            }
            return;
        };
        for (key, entry) in members.iter() {
            let at = pointer::join(&pointer, key);
            let holds = match (object.holds(key), object.patterned) {
                (Some(holds), _) => holds,
                (None, Some(holds)) if !is_access(key) => match key.starts_with("x-") {
                    true => Holds::Value,
                    false => holds,
                },
                (None, _) => {
                    self.unknown(key, entry.key_span, object);
                    continue;
                }
            };
            self.held(&at, &entry.value, entry.key_span, holds);
        }
        if std::ptr::eq(object, &objects::OPERATION) {
            requirements::of_operation(self.document, node, span, &mut self.diagnostics);
        }
    }

    fn held(&mut self, pointer: &str, node: &'d Node, span: Span, holds: Holds) {
        match holds {
            Holds::Value => {}
            Holds::One(object) => self.object(pointer, node, span, object),
            Holds::List(object) => {
                for (index, element) in node.as_array().into_iter().flatten().enumerate() {
                    let at = pointer::join(pointer, &index.to_string());
                    self.object(&at, element, element.span, object);
                }
            }
            Holds::Map(object) => match node.as_object() {
                Some(members) => {
                    for (name, entry) in members.iter() {
                        let at = pointer::join(pointer, name);
                        self.object(&at, &entry.value, entry.key_span, object);
                    }
                }
                None if object.is_strict => {
                    let name = pointer::segments(pointer).next_back().unwrap_or_default();
                    self.diagnostics
                        .push(wrong_type(&format!("`{name}`"), node));
                }
                None => {}
            },
        }
    }

    /// Refuses an unknown key that resembles a known one, or decides about access elsewhere.
    /// Documents in the wild have other keys of their own, which change nothing that is known.
    fn unknown(&mut self, key: &str, span: Span, object: &Object) {
        let tolerance = if key.chars().count() < 6 { 1 } else { 2 };
        let known = object.keys.iter().map(|(known, _)| *known);
        let message = format!("`{key}` is not a key of {}", object.name);
        if let Some(near) = similar::nearest(known, key, tolerance) {
            let help = format!("did you mean `{near}`?");
            self.diagnostics
                .push(Diagnostic::error("unknown-key", span, message).help(help));
            return;
        }
        let access = ACCESS.iter().map(|(known, _)| *known);
        let meant = similar::nearest(access, key, tolerance);
        if let Some((_, help)) = ACCESS.iter().find(|(known, _)| Some(*known) == meant) {
            self.diagnostics
                .push(Diagnostic::error("misplaced-key", span, message).help(*help));
        }
    }
}

/// Whether a key is one that decides about access, case aside.
fn is_access(key: &str) -> bool {
    ACCESS
        .iter()
        .any(|(known, _)| known.eq_ignore_ascii_case(key))
}

/// The finding about something that is not an object.
pub(super) fn wrong_type(what: &str, node: &Node) -> Diagnostic {
    Diagnostic::error(
        "wrong-type",
        node.span,
        format!("{what} must be an object, and is {}", node.type_name()),
    )
}
