//! The walk along the objects of a document, key by key.

use std::collections::{HashMap, HashSet};

use indexmap::IndexSet;

use super::key::{Key, Object, Support, ValueType, Version};
use super::key_place::KeyPlace;
use super::schema::{Compositions, Wholes};
use super::unknown_key::UnknownKey;
use super::{operation_tags, requirements, schemes, shape, tables, text_block, unknown, value};
use crate::document::similar::Proposals;
use crate::document::{Diagnostic, Diagnostics, Document, Node, References, Span, pointer};

/// Every key of a document that the specification or the generator defines, in the document's
/// order. Names that the author chooses, and the keys of examples and other values, are not
/// included.
pub fn keys(document: &Document) -> Vec<KeyPlace<'_>> {
    let mut walk = Walk::new(document);
    walk.keys = Some(Vec::new());
    walk.all();
    let mut keys = walk.keys.unwrap_or_default();
    keys.sort_by_key(|place| place.span.start);
    keys.dedup_by_key(|place| place.span);
    keys
}

/// Checks the structure of a document. Returns errors and warnings in the document's order, with
/// the findings of the loader.
pub fn check(document: &Document) -> Diagnostics {
    let written = document.as_written();
    let mut walk = Walk::new(&written);
    walk.all();
    let mut diagnostics = walk.diagnostics;
    if let Some(security) = written.root.get("security") {
        requirements::check(&written, security, &walk.proposals, &mut diagnostics);
    }
    for (_, scheme) in schemes::all(&written) {
        schemes::check(scheme, &mut diagnostics);
    }
    diagnostics.extend(document.findings.clone());
    diagnostics.sort();
    diagnostics
}

/// A node that should be an object of the specification.
pub(super) struct Place<'d> {
    pub(super) pointer: String,
    pub(super) node: &'d Node,
    /// The position of its key, or of the node itself in a list.
    pub(super) span: Span,
    pub(super) object: &'static Object,
}

pub(super) struct Walk<'d> {
    pub(super) document: &'d Document,
    pub(super) references: References<'d>,
    pub(super) version: Version,
    /// Targets of references that the walk has not visited yet.
    pub(super) targets: Vec<Place<'d>>,
    /// Pointers of visited nodes, each with the object as which it was checked.
    visited: HashSet<(String, *const Object)>,
    /// The operations by their operationId.
    pub(super) operations: HashMap<&'d str, Span>,
    /// The tags that the document declares.
    pub(super) declared_tags: IndexSet<&'d str>,
    /// The links, which are checked against all operations.
    pub(super) links: Vec<&'d Node>,
    /// The keys, if they are requested.
    pub(super) keys: Option<Vec<KeyPlace<'d>>>,
    /// The compositions of schemas.
    compositions: Compositions,
    pub(super) wholes: Wholes<'d>,
    pub(super) proposals: Proposals,
    pub(super) diagnostics: Diagnostics,
}

impl<'d> Walk<'d> {
    pub(super) fn new(document: &'d Document) -> Self {
        Walk {
            document,
            references: References::new(document),
            version: Version::of(document),
            targets: Vec::new(),
            visited: HashSet::new(),
            operations: HashMap::new(),
            declared_tags: operation_tags::declared(document),
            links: Vec::new(),
            keys: None,
            compositions: Compositions::default(),
            wholes: Wholes::default(),
            proposals: Proposals::default(),
            diagnostics: Diagnostics::default(),
        }
    }

    pub(super) fn all(&mut self) {
        let root = &self.document.root;
        self.object(Place {
            pointer: String::new(),
            node: root,
            span: root.span,
            object: &tables::DOCUMENT,
        });
        // A chain of references can be as long as the document, so the walk does not recurse along
        // it.
        while let Some(target) = self.targets.pop() {
            self.object(target);
        }
        self.links();
        self.diagnostics.extend(self.compositions.check());
    }

    fn object(&mut self, place: Place<'d>) {
        let Place { node, object, .. } = place;
        if node.as_bool().is_some() && object.boolean == Some(self.version) {
            return;
        }
        let Some(members) = node.as_object() else {
            let finding = value::wrong_type(object.name, "an object", node);
            let help = shape::help(object, node, &self.document.source);
            self.diagnostics.push(match help {
                Some(help) => finding.help(help),
                None => finding,
            });
            return;
        };
        if object.is_referable && !self.visited.insert((place.pointer.clone(), object)) {
            return;
        }
        if object.is(&tables::SCHEMA) {
            self.compositions
                .add(self.document, node, &place.pointer, self.version);
        }
        if members.contains_key(tables::REFERENCE) && !self.reference(&place) {
            return;
        }
        for (key, entry) in members.iter() {
            if key == tables::REFERENCE {
                continue;
            }
            let at = pointer::join(&place.pointer, key);
            match (object.key(key, self.version), object.patterned) {
                (Some(known), _) => {
                    self.key(object, known, at, &entry.value, entry.key_span);
                }
                (None, Some(value_type))
                    if !unknown::is_extension(key) && !unknown::is_access(key) =>
                {
                    self.value(&at, key, &entry.value, entry.key_span, value_type, "");
                }
                (None, _) => self.diagnostics.extend(unknown::check(&UnknownKey {
                    key,
                    entry,
                    members,
                    object,
                    version: self.version,
                    source: &self.document.source,
                })),
            }
        }
        for key in object.keys_of(self.version).filter(|key| key.is_required) {
            if !members.contains_key(key.name) && !members.contains_key(tables::REFERENCE) {
                self.diagnostics
                    .push(value::missing(object, key, place.span));
            }
        }
        self.rules(&place);
    }

    fn key(
        &mut self,
        object: &'static Object,
        key: &'static Key,
        at: String,
        node: &'d Node,
        span: Span,
    ) {
        match key.support {
            Support::Read | Support::Ignored | Support::Loosened => {}
            Support::Warned => self.diagnostics.push(
                Diagnostic::warning(
                    "ignored-key",
                    span,
                    format!("`{}` of {} is ignored", key.name, object.name),
                )
                .help(key.note),
            ),
            Support::Refused => self.diagnostics.push(
                Diagnostic::error(
                    "unsupported-keyword",
                    span,
                    format!("`{}` of {} is not supported", key.name, object.name),
                )
                .help(key.note),
            ),
        }
        self.value(&at, key.name, node, span, key.value_type, key.note);
        let source = &self.document.source;
        self.diagnostics
            .extend(text_block::check(node, object, self.version, source));
        if let Some(keys) = &mut self.keys {
            keys.push(KeyPlace {
                object,
                key: Some(key),
                pointer: at,
                span,
                value: node,
            });
        }
    }

    /// Checks a value against its type, and walks the objects in it.
    fn value(
        &mut self,
        pointer: &str,
        key: &str,
        node: &'d Node,
        span: Span,
        value_type: ValueType,
        note: &'static str,
    ) {
        let found = value::check(key, node, value_type, note, &self.document.source);
        self.diagnostics.extend(found);
        match value_type {
            ValueType::One(object) => self.inner(pointer.to_owned(), node, span, object),
            ValueType::BooleanOr(object) if node.as_object().is_some() => {
                self.inner(pointer.to_owned(), node, span, object);
            }
            ValueType::List(object) => {
                for (index, element) in node.elements().iter().enumerate() {
                    let at = pointer::join(pointer, &index.to_string());
                    self.inner(at, element, element.span, object);
                }
            }
            ValueType::Map(object) => {
                for (name, entry) in node.members() {
                    if let Some(finding) = value::wrong_entry(key, name, entry, object) {
                        self.diagnostics.push(finding);
                        continue;
                    }
                    let at = pointer::join(pointer, name);
                    self.inner(at, &entry.value, entry.key_span, object);
                }
            }
            _ => {}
        }
    }

    fn inner(&mut self, pointer: String, node: &'d Node, span: Span, object: &'static Object) {
        self.object(Place {
            pointer,
            node,
            span,
            object,
        });
    }
}
