//! An edit of the JSON of a document.

use dropforge::document::pointer::segments;
use serde_json::{Map, Value};

#[derive(Debug, Clone)]
pub(crate) enum Edit {
    /// Takes a member or an element away.
    Remove(String),
    /// Puts a value in the place of another.
    Set(String, Value),
    /// Adds a member to the object at the pointer, or sets it.
    Insert(String, String, Value),
    /// Adds an element to the array at the pointer.
    Push(String, Value),
    /// Renames a member of the object at the pointer, in the same position.
    Rename(String, String, String),
    /// Exchanges two values.
    Swap(String, String),
    /// All of them, one after the other.
    Several(Vec<Edit>),
}

impl Edit {
    /// Does it. None where the place is not there.
    pub(crate) fn apply(&self, document: &mut Value) -> Option<()> {
        match self {
            Edit::Remove(pointer) => {
                let (parent, _) = pointer.rsplit_once('/')?;
                let key = segments(pointer).next_back()?;
                match document.pointer_mut(parent)? {
                    Value::Object(object) => {
                        object.shift_remove(&key)?;
                    }
                    Value::Array(array) => {
                        let index: usize = key.parse().ok()?;
                        (index < array.len()).then(|| array.remove(index))?;
                    }
                    _ => return None,
                }
            }
            Edit::Set(pointer, value) => *document.pointer_mut(pointer)? = value.clone(),
            Edit::Insert(pointer, key, value) => {
                let object = document.pointer_mut(pointer)?.as_object_mut()?;
                object.insert(key.clone(), value.clone());
            }
            Edit::Push(pointer, value) => {
                document
                    .pointer_mut(pointer)?
                    .as_array_mut()?
                    .push(value.clone());
            }
            Edit::Rename(pointer, from, to) => {
                let object = document.pointer_mut(pointer)?.as_object_mut()?;
                if !object.contains_key(from) || object.contains_key(to) {
                    return None;
                }
                let renamed: Map<String, Value> = std::mem::take(object)
                    .into_iter()
                    .map(|(key, value)| (if key == *from { to.clone() } else { key }, value))
                    .collect();
                *object = renamed;
            }
            Edit::Swap(one, other) => {
                let (first, second) = (
                    document.pointer(one)?.clone(),
                    document.pointer(other)?.clone(),
                );
                *document.pointer_mut(one)? = second;
                *document.pointer_mut(other)? = first;
            }
            Edit::Several(edits) => {
                for edit in edits {
                    edit.apply(document)?;
                }
            }
        }
        Some(())
    }
}
