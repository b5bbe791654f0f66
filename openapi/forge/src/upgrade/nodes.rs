//! Creates nodes with the positions of the original nodes.

use crate::document::{Entry, Kind, Node, Object, Span};

/// A node with the position of its original.
pub(super) fn node(span: Span, kind: Kind) -> Node {
    Node { span, kind }
}

/// Sets a key, and replaces its value if it has one.
pub(super) fn set(object: &mut Object, key: &str, entry: Entry) {
    object.remove(key);
    object.get_or_insert(key, entry);
}

/// Makes no value valid, also not null: in OpenAPI 3.0, `nullable` allows null despite `not`.
pub(super) fn exclude_all(schema: &mut Object, span: Span) {
    schema.remove("nullable");
    set(
        schema,
        "not",
        Entry::at(span, Kind::Object(Object::default())),
    );
}

/// Whether no value of a schema is valid.
pub(super) fn excludes_all(schema: &Object) -> bool {
    let not = schema.get("not").and_then(Node::as_object);
    not.is_some_and(Object::is_empty)
}

/// Adds a schema for which values must also be valid.
pub(super) fn also(schema: &mut Object, other: Node) {
    let none = Entry::at(other.span, Kind::Array(Vec::new()));
    if let Some(all) = schema.get_or_insert("allOf", none).as_array_mut() {
        all.push(other);
    }
}
