//! An index of a document: its operations, bodies, schemas and references, with their places.
//!
//! All checks ask for the same things: every operation, every body, every schema. So the index
//! walks a document once, along the structure of OpenAPI 3.0, and groups the nodes by kind. The
//! walk follows only the references of paths: it meets the other targets in their own place, and
//! collects the references separately.

use std::collections::HashSet;

use crate::document::{Diagnostic, Document, METHODS, Node, References, Span, pointer};
use crate::ir::{self, Codec};
use crate::lower;

/// A node, its pointer, and the place of its key.
#[derive(Debug, Clone)]
pub struct LocatedNode<'d> {
    /// Its JSON Pointer.
    pub pointer: String,
    /// The span for findings about the whole node: its key, or the node itself in an array.
    pub span: Span,
    /// The node.
    pub node: &'d Node,
}

impl<'d> LocatedNode<'d> {
    /// The root of a document.
    pub fn root(document: &'d Document) -> LocatedNode<'d> {
        let node = &document.root;
        LocatedNode {
            pointer: String::new(),
            span: Span::new(node.span.start, node.span.start),
            node,
        }
    }

    /// The member of this object under a key.
    pub fn get(&self, key: &str) -> Option<LocatedNode<'d>> {
        let entry = self.node.as_object()?.entry(key)?;
        Some(LocatedNode {
            pointer: pointer::join(&self.pointer, key),
            span: entry.key_span,
            node: &entry.value,
        })
    }

    /// The member under a key, or this node if it has none: a finding needs a place.
    pub fn get_or_self(&self, key: &str) -> LocatedNode<'d> {
        self.get(key).unwrap_or_else(|| self.clone())
    }

    /// All members of this object with their keys. For names that the author chooses, such as
    /// headers and properties, which may begin with `x-`.
    pub fn entries(&self) -> Vec<(&'d str, LocatedNode<'d>)> {
        let entries = self.node.members().map(|(key, entry)| {
            let place = LocatedNode {
                pointer: pointer::join(&self.pointer, key),
                span: entry.key_span,
                node: &entry.value,
            };
            (key, place)
        });
        entries.collect()
    }

    /// All members of the object under a key.
    pub fn entries_of(&self, key: &str) -> Vec<(&'d str, LocatedNode<'d>)> {
        let inner = self.get(key);
        inner.iter().flat_map(LocatedNode::entries).collect()
    }

    /// The members of an object without its extensions.
    pub fn fields(&self) -> Vec<(&'d str, LocatedNode<'d>)> {
        let mut fields = self.entries();
        fields.retain(|(key, _)| !key.starts_with("x-"));
        fields
    }

    /// The elements of this array.
    pub fn elements(&self) -> Vec<LocatedNode<'d>> {
        let elements = self.node.elements().iter().enumerate();
        let elements = elements.map(|(index, node)| LocatedNode {
            pointer: pointer::join(&self.pointer, &index.to_string()),
            span: node.span,
            node,
        });
        elements.collect()
    }

    /// The elements of the array under a key.
    pub fn elements_of(&self, key: &str) -> Vec<LocatedNode<'d>> {
        let inner = self.get(key);
        inner.iter().flat_map(LocatedNode::elements).collect()
    }

    /// The text under a key, unless it is absent or blank.
    pub fn text(&self, key: &str) -> Option<&'d str> {
        let text = self.node.get(key)?.as_str()?;
        (!text.trim().is_empty()).then_some(text)
    }
}

/// An operation.
#[derive(Debug)]
pub struct Operation<'d> {
    /// In lower case.
    pub method: &'static str,
    /// With its variables in braces.
    pub path: &'d str,
    /// The Operation Object.
    pub place: LocatedNode<'d>,
    /// The path item's parameters and the operation's own.
    pub parameters: Vec<LocatedNode<'d>>,
    /// The response of its path to methods that it does not have.
    pub method_not_allowed: Option<LocatedNode<'d>>,
}

impl<'d> Operation<'d> {
    /// The operations of a path item.
    pub(super) fn of_item(
        path: &'d str,
        item: &LocatedNode<'d>,
        method_not_allowed: Option<LocatedNode<'d>>,
    ) -> Vec<Operation<'d>> {
        let shared = item.elements_of("parameters");
        let operations = METHODS.into_iter().filter_map(|method| {
            let place = item.get(method)?;
            let own = place.elements_of("parameters");
            Some(Operation {
                method,
                path,
                parameters: shared.iter().cloned().chain(own).collect(),
                method_not_allowed: method_not_allowed.clone(),
                place,
            })
        });
        operations.collect()
    }

    /// The name of the operation for people: `POST /user`.
    pub fn title(&self) -> String {
        format!("{} {}", self.method.to_uppercase(), self.path)
    }
}

/// The response to methods that a path does not have, from the document or the path.
const METHOD_NOT_ALLOWED: &str = "x-dropforge-method-not-allowed";

/// The responses to unknown paths, by prefix, from the document.
const NOT_FOUND: &str = "x-dropforge-not-found";

/// The direction of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the client to the server.
    Request,
    /// From the server to the client.
    Response,
}

/// A media type of a body, with its schema and its examples.
#[derive(Debug)]
pub struct Content<'d> {
    /// The name as the document writes it.
    pub media_type: &'d str,
    /// The direction of the body.
    pub direction: Direction,
    /// The Media Type Object.
    pub place: LocatedNode<'d>,
}

impl Content<'_> {
    /// The media type without its parameters, in lower case.
    pub fn essence(&self) -> String {
        ir::essence(self.media_type)
    }

    /// Whether the body is JSON.
    pub fn is_json(&self) -> bool {
        lower::codec(self.media_type) == Codec::Json
    }
}

/// An index of a document.
pub struct DocumentIndex<'d> {
    /// The document itself.
    pub document: &'d Document,
    /// The targets of the references.
    targets: References<'d>,
    /// The operations that the document serves, without callbacks.
    pub operations: Vec<Operation<'d>>,
    /// The media types of all bodies.
    pub contents: Vec<Content<'d>>,
    /// Every schema that is not a reference, at any depth.
    pub schemas: Vec<LocatedNode<'d>>,
    /// The parameters that are not references. The same applies to the next three fields. A node of
    /// a path item that two paths refer to is listed twice.
    pub parameters: Vec<LocatedNode<'d>>,
    /// The headers of responses.
    pub headers: Vec<LocatedNode<'d>>,
    /// The request bodies.
    pub request_bodies: Vec<LocatedNode<'d>>,
    /// The responses.
    pub responses: Vec<LocatedNode<'d>>,
    /// Objects that are a reference; the place is that of the object.
    pub references: Vec<LocatedNode<'d>>,
}

impl<'d> DocumentIndex<'d> {
    /// Walks a document.
    pub fn new(document: &'d Document) -> DocumentIndex<'d> {
        let mut index = DocumentIndex {
            document,
            targets: References::new(document),
            operations: Vec::new(),
            contents: Vec::new(),
            schemas: Vec::new(),
            parameters: Vec::new(),
            headers: Vec::new(),
            request_bodies: Vec::new(),
            responses: Vec::new(),
            references: Vec::new(),
        };
        let root = index.root();
        if let Some(response) = root.get(METHOD_NOT_ALLOWED) {
            index.response(&response);
        }
        for (_, response) in index.unknown_paths() {
            index.response(&response);
        }
        for (path, item) in root.get("paths").iter().flat_map(LocatedNode::fields) {
            index.record_reference(&item);
            // Operations behind a reference are operations of the document.
            if let Some(item) = index.resolve(&item) {
                index.path_item(path, &item);
            }
        }
        index.components(&root);
        index
    }

    /// The document as a place.
    pub fn root(&self) -> LocatedNode<'d> {
        LocatedNode::root(self.document)
    }

    /// The responses to unknown paths, by the prefix of the path.
    pub fn unknown_paths(&self) -> Vec<(&'d str, LocatedNode<'d>)> {
        self.root().entries_of(NOT_FOUND)
    }

    /// The components of one kind, by name.
    pub fn components_of(&self, kind: &str) -> Vec<(&'d str, LocatedNode<'d>)> {
        let components = self.root().get("components");
        components.map_or_else(Vec::new, |components| components.entries_of(kind))
    }

    /// The target of a component.
    pub fn component(&self, kind: &str, name: &str) -> Option<LocatedNode<'d>> {
        let component = self.root().get("components")?.get(kind)?.get(name)?;
        self.resolve(&component)
    }

    /// Schemas with all schemas that they are composed of, each once, with references followed.
    pub fn parts(&self, mut waiting: Vec<LocatedNode<'d>>) -> Vec<LocatedNode<'d>> {
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        while let Some(next) = waiting.pop() {
            let Some(schema) = self.resolve(&next) else {
                continue;
            };
            if !seen.insert(schema.pointer.clone()) {
                continue;
            }
            for key in ["allOf", "anyOf", "oneOf"] {
                waiting.extend(schema.elements_of(key));
            }
            found.push(schema);
        }
        found
    }

    /// The target of a place: itself, or the target of its reference. `None` if the reference is
    /// unresolved, which is reported once, for the reference.
    pub fn resolve(&self, place: &LocatedNode<'d>) -> Option<LocatedNode<'d>> {
        let (pointer, node) = self.follow(place).ok()?;
        Some(LocatedNode {
            pointer,
            span: place.span,
            node,
        })
    }

    /// The pointer and the node of the target of a place.
    ///
    /// # Errors
    ///
    /// An unresolved reference.
    pub fn follow(&self, place: &LocatedNode<'d>) -> Result<(String, &'d Node), Diagnostic> {
        self.targets.resolve(place.node, &place.pointer)
    }

    fn components(&mut self, root: &LocatedNode<'d>) {
        let Some(components) = root.get("components") else {
            return;
        };
        for (kind, of_kind) in components.fields() {
            for (_, component) in of_kind.entries() {
                match kind {
                    "schemas" => self.schema(&component),
                    "responses" => self.response(&component),
                    "parameters" => self.parameter(&component),
                    "requestBodies" => self.request_body(&component),
                    "headers" => self.header(&component),
                    "callbacks" => self.callback(&component),
                    // The walk does not enter examples, links and security schemes, but they can be
                    // references.
                    _ => _ = self.record_reference(&component),
                }
            }
        }
    }

    /// Records a place if it is a reference, and returns whether it is.
    fn record_reference(&mut self, place: &LocatedNode<'d>) -> bool {
        let is_reference = place.node.get("$ref").is_some();
        if is_reference {
            self.references.push(place.clone());
        }
        is_reference
    }

    fn path_item(&mut self, path: &'d str, item: &LocatedNode<'d>) {
        if self.record_reference(item) {
            return;
        }
        let own = item.get(METHOD_NOT_ALLOWED);
        if let Some(response) = &own {
            self.response(response);
        }
        for parameter in item.elements_of("parameters") {
            self.parameter(&parameter);
        }
        let method_not_allowed = own.or_else(|| self.root().get(METHOD_NOT_ALLOWED));
        for operation in Operation::of_item(path, item, method_not_allowed) {
            self.operation(&operation.place);
            self.operations.push(operation);
        }
    }

    fn operation(&mut self, place: &LocatedNode<'d>) {
        for parameter in place.elements_of("parameters") {
            self.parameter(&parameter);
        }
        if let Some(body) = place.get("requestBody") {
            self.request_body(&body);
        }
        for (_, response) in place.get("responses").iter().flat_map(LocatedNode::fields) {
            self.response(&response);
        }
        for (_, callback) in place.entries_of("callbacks") {
            self.callback(&callback);
        }
    }

    fn callback(&mut self, place: &LocatedNode<'d>) {
        if self.record_reference(place) {
            return;
        }
        // The client serves a callback. So its bodies and schemas count, but its operations are not
        // part of this document.
        let operations = self.operations.len();
        for (expression, item) in place.fields() {
            self.path_item(expression, &item);
        }
        self.operations.truncate(operations);
    }

    fn parameter(&mut self, place: &LocatedNode<'d>) {
        if !self.record_reference(place) {
            self.parameters.push(place.clone());
            self.schema_or_content(place, Direction::Request);
        }
    }

    fn header(&mut self, place: &LocatedNode<'d>) {
        if !self.record_reference(place) {
            self.headers.push(place.clone());
            self.schema_or_content(place, Direction::Response);
        }
    }

    fn schema_or_content(&mut self, place: &LocatedNode<'d>, direction: Direction) {
        if let Some(schema) = place.get("schema") {
            self.schema(&schema);
        }
        self.content(place, direction);
        self.examples(place);
    }

    fn request_body(&mut self, place: &LocatedNode<'d>) {
        if !self.record_reference(place) {
            self.request_bodies.push(place.clone());
            self.content(place, Direction::Request);
        }
    }

    fn response(&mut self, place: &LocatedNode<'d>) {
        if self.record_reference(place) {
            return;
        }
        self.responses.push(place.clone());
        for (_, header) in place.entries_of("headers") {
            self.header(&header);
        }
        for (_, link) in place.entries_of("links") {
            self.record_reference(&link);
        }
        self.content(place, Direction::Response);
    }

    fn content(&mut self, owner: &LocatedNode<'d>, direction: Direction) {
        for (media_type, place) in owner.entries_of("content") {
            if let Some(schema) = place.get("schema") {
                self.schema(&schema);
            }
            self.examples(&place);
            if let Some(stream) = place.get("x-dropforge-stream") {
                self.examples(&stream);
            }
            self.contents.push(Content {
                media_type,
                direction,
                place,
            });
        }
    }

    fn examples(&mut self, owner: &LocatedNode<'d>) {
        for (_, example) in owner.entries_of("examples") {
            self.record_reference(&example);
        }
    }

    fn schema(&mut self, place: &LocatedNode<'d>) {
        if self.record_reference(place) {
            return;
        }
        self.schemas.push(place.clone());
        for key in ["items", "not", "additionalProperties"] {
            if let Some(schema) = place.get(key)
                && schema.node.as_object().is_some()
            {
                self.schema(&schema);
            }
        }
        for key in ["allOf", "anyOf", "oneOf"] {
            for schema in place.elements_of(key) {
                self.schema(&schema);
            }
        }
        for (_, property) in properties(place) {
            self.schema(&property);
        }
    }
}

/// Keys of objects whose keys are names.
const NAMED: [&str; 7] = [
    "examples",
    "headers",
    "parameters",
    "properties",
    "responses",
    "schemas",
    "securitySchemes",
];

/// Whether the keys of the object at a pointer are names that the author chose. `/properties` has
/// names, and `/properties/headers` is the schema of a property.
pub fn has_names(pointer: &str) -> bool {
    let names = pointer::segments(pointer).rev();
    let names = names.take_while(|segment| NAMED.contains(&segment.as_str()));
    names.count() % 2 == 1
}

/// The properties of a schema.
pub fn properties<'d>(schema: &LocatedNode<'d>) -> Vec<(&'d str, LocatedNode<'d>)> {
    schema.entries_of("properties")
}
