//! JSON Pointers (RFC 6901), the names of places in a document.

use super::{Kind, Node, Span};

/// The pointer of the value that `parent` has under `key`.
///
/// ```
/// use dropforge::document::pointer::join;
/// assert_eq!(join("/paths", "/user"), "/paths/~1user");
/// ```
pub fn join(parent: &str, key: &str) -> String {
    let mut pointer = String::with_capacity(parent.len() + 1 + key.len());
    pointer.push_str(parent);
    pointer.push('/');
    for c in key.chars() {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            c => pointer.push(c),
        }
    }
    pointer
}

/// The keys and indexes of a pointer, unescaped.
pub fn segments(pointer: &str) -> impl DoubleEndedIterator<Item = String> + use<> {
    pointer
        .split('/')
        .skip(1)
        .map(|segment| segment.replace("~1", "/").replace("~0", "~"))
        .collect::<Vec<_>>()
        .into_iter()
}

/// The node that `pointer` names, seen from `root`.
pub fn find<'a>(root: &'a Node, pointer: &str) -> Option<&'a Node> {
    if !pointer.is_empty() && !pointer.starts_with('/') {
        return None;
    }
    segments(pointer).try_fold(root, |node, segment| child(node, &segment))
}

/// The position for a diagnostic about a whole node: its key, or the node itself in an array.
pub(super) fn key_span(root: &Node, pointer: &str) -> Option<Span> {
    let Some((parent, _)) = pointer.rsplit_once('/') else {
        return find(root, pointer).map(|node| node.span);
    };
    let parent = find(root, parent)?;
    let key = segments(pointer).next_back().unwrap_or_default();
    let node = child(parent, &key)?;
    let object = parent.as_object();
    let key_span = object.and_then(|object| object.key_span(&key));
    Some(key_span.unwrap_or(node.span))
}

/// The child of a node under one unescaped segment.
pub(crate) fn child<'a>(node: &'a Node, segment: &str) -> Option<&'a Node> {
    match &node.kind {
        Kind::Object(object) => object.get(segment),
        Kind::Array(elements) => {
            // No sign, no leading zero: RFC 6901 section 4.
            let canonical = segment == "0"
                || (!segment.starts_with('0') && segment.bytes().all(|b| b.is_ascii_digit()));
            if !canonical {
                return None;
            }
            elements.get(segment.parse::<usize>().ok()?)
        }
        _ => None,
    }
}
