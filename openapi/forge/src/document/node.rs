//! The tree of a document.

use indexmap::IndexMap;
use serde_json::Number;

use super::Span;

/// A value with its position.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The position of the value. A YAML alias has the position of its anchor.
    pub span: Span,
    /// The value itself.
    pub kind: Kind,
}

/// The values that JSON has.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Node>),
    /// An object.
    Object(Object),
}

/// An object; its keys keep the order of the document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Object {
    entries: IndexMap<String, Entry>,
}

/// A value of an object, with the position of its key.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The position of the key.
    pub key_span: Span,
    /// The value.
    pub value: Node,
}

impl Entry {
    /// An entry whose key and value have one position.
    pub(crate) fn at(span: Span, kind: Kind) -> Entry {
        Entry {
            key_span: span,
            value: Node { span, kind },
        }
    }
}

impl Object {
    /// The value under a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries.get(key).map(|entry| &entry.value)
    }

    /// Key position and value under a key.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries.get(key)
    }

    /// The position of a key.
    pub fn key_span(&self, key: &str) -> Option<Span> {
        self.entries.get(key).map(|entry| entry.key_span)
    }

    /// Whether the object has the key, even with the value `null`.
    pub fn contains_key(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    /// Keys with their entries, in the document's order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Entry)> {
        self.entries
            .iter()
            .map(|(key, entry)| (key.as_str(), entry))
    }

    /// The keys, in the document's order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The value under a key, to be changed.
    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut Node> {
        self.entries.get_mut(key).map(|entry| &mut entry.value)
    }

    /// Keys with their entries, to be changed.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (&str, &mut Entry)> {
        self.entries
            .iter_mut()
            .map(|(key, entry)| (key.as_str(), entry))
    }

    /// Removes an entry; the others keep their order.
    pub(crate) fn remove(&mut self, key: &str) -> Option<Entry> {
        self.entries.shift_remove(key)
    }

    /// The value under a key; adds `entry` if the key is missing.
    pub(crate) fn get_or_insert(&mut self, key: &str, entry: Entry) -> &mut Node {
        let entry = self.entries.entry(key.to_owned()).or_insert(entry);
        &mut entry.value
    }

    /// Renames the key of an entry, which keeps its position. Nothing changes if the new key
    /// exists.
    pub(crate) fn rename(&mut self, from: &str, to: &str) {
        if let Some(index) = self.entries.get_index_of(from)
            && !self.entries.contains_key(to)
            && let Some(entry) = self.entries.shift_remove(from)
        {
            self.entries.shift_insert(index, to.to_owned(), entry);
        }
    }

    /// Adds a value, unless the key exists. Its position is the beginning of this object.
    pub(crate) fn add(&mut self, key: &str, kind: Kind) {
        let first = self.entries.first().map(|(_, first)| first.key_span);
        let span = first.unwrap_or_default();
        self.get_or_insert(key, Entry::at(span, kind));
    }

    /// Removes every entry for which `keep` returns false.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&str, &Node) -> bool) {
        self.entries.retain(|key, entry| keep(key, &entry.value));
    }

    /// Adds an entry.
    ///
    /// # Errors
    ///
    /// The position of the existing key if there is one; then nothing changes.
    pub(crate) fn insert(&mut self, key: String, entry: Entry) -> Result<(), Span> {
        match self.entries.entry(key) {
            indexmap::map::Entry::Occupied(first) => Err(first.get().key_span),
            indexmap::map::Entry::Vacant(free) => {
                free.insert(entry);
                Ok(())
            }
        }
    }
}

impl Node {
    /// The value under a key, if this is an object that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.as_object().and_then(|object| object.get(key))
    }

    /// The position of a key of this object, or the node's own position if the key is missing: a
    /// diagnostic always needs a position.
    pub fn key_span(&self, key: &str) -> Span {
        self.as_object()
            .and_then(|object| object.key_span(key))
            .unwrap_or(self.span)
    }

    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            Kind::String(value) => Some(value),
            _ => None,
        }
    }

    /// The boolean, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self.kind {
            Kind::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The number, if it is one.
    pub fn as_number(&self) -> Option<&Number> {
        match &self.kind {
            Kind::Number(value) => Some(value),
            _ => None,
        }
    }

    /// The number, if it is a non-negative integer. `2.0` is an integer.
    pub fn as_u64(&self) -> Option<u64> {
        let number = self.as_number()?;
        number.as_u64().or_else(|| {
            let value = number.as_f64()?;
            // Above 2^53, a float may have lost digits.
            let whole = value.fract() == 0.0 && (0.0..9_007_199_254_740_992.0).contains(&value);
            whole.then_some(value as u64)
        })
    }

    /// The number, if it is an integer. `-2.0` is an integer.
    pub fn as_i64(&self) -> Option<i64> {
        let number = self.as_number()?;
        number.as_i64().or_else(|| {
            let value = number.as_f64()?;
            let whole = value.fract() == 0.0 && value.abs() < 9_007_199_254_740_992.0;
            whole.then_some(value as i64)
        })
    }

    /// The number as the nearest float.
    pub fn as_f64(&self) -> Option<f64> {
        self.as_number().and_then(Number::as_f64)
    }

    /// The elements, if it is an array.
    pub fn as_array(&self) -> Option<&[Node]> {
        match &self.kind {
            Kind::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// The elements of an array; none of another value.
    pub fn elements(&self) -> &[Node] {
        self.as_array().unwrap_or_default()
    }

    /// The members of an object, in the document's order; none of another value.
    pub fn members(&self) -> impl Iterator<Item = (&str, &Entry)> {
        self.as_object().into_iter().flat_map(Object::iter)
    }

    /// The text under a key.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_str()
    }

    /// Whether the value under a key is `true`.
    pub(crate) fn flag(&self, key: &str) -> bool {
        self.get(key).and_then(Node::as_bool) == Some(true)
    }

    /// The elements of the array under a key; none without one.
    pub(crate) fn elements_of(&self, key: &str) -> &[Node] {
        self.get(key).map(Node::elements).unwrap_or_default()
    }

    /// The members of the object under a key; none without one.
    pub(crate) fn members_of<'n>(
        &'n self,
        key: &str,
    ) -> impl Iterator<Item = (&'n str, &'n Entry)> + use<'n> {
        self.get(key).into_iter().flat_map(Node::members)
    }

    /// The object, if it is one.
    pub fn as_object(&self) -> Option<&Object> {
        match &self.kind {
            Kind::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The object, if it is one, to be changed.
    pub(crate) fn as_object_mut(&mut self) -> Option<&mut Object> {
        match &mut self.kind {
            Kind::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The elements, if it is an array, to be changed.
    pub(crate) fn as_array_mut(&mut self) -> Option<&mut Vec<Node>> {
        match &mut self.kind {
            Kind::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// The text, if it is a string, to be changed.
    pub(crate) fn as_string_mut(&mut self) -> Option<&mut String> {
        match &mut self.kind {
            Kind::String(text) => Some(text),
            _ => None,
        }
    }

    /// The value under a key, to be changed.
    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut Node> {
        self.as_object_mut()?.get_mut(key)
    }

    /// The number of nodes of this tree, its root included.
    pub(super) fn count(&self) -> usize {
        1 + match &self.kind {
            Kind::Array(elements) => elements.iter().map(Node::count).sum(),
            Kind::Object(object) => object.iter().map(|(_, entry)| entry.value.count()).sum(),
            _ => 0,
        }
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self.kind, Kind::Null)
    }

    /// The name of the value's type with an article, for messages: `a string`.
    pub fn type_name(&self) -> &'static str {
        match self.kind {
            Kind::Null => "null",
            Kind::Bool(_) => "a boolean",
            Kind::Number(_) => "a number",
            Kind::String(_) => "a string",
            Kind::Array(_) => "an array",
            Kind::Object(_) => "an object",
        }
    }

    /// The value without positions; keys keep their order.
    pub fn to_json(&self) -> serde_json::Value {
        use serde_json::Value;
        match &self.kind {
            Kind::Null => Value::Null,
            Kind::Bool(value) => Value::Bool(*value),
            Kind::Number(value) => Value::Number(value.clone()),
            Kind::String(value) => Value::String(value.clone()),
            Kind::Array(elements) => Value::Array(elements.iter().map(Node::to_json).collect()),
            Kind::Object(object) => Value::Object(
                object
                    .iter()
                    .map(|(key, entry)| (key.to_owned(), entry.value.to_json()))
                    .collect(),
            ),
        }
    }
}
