//! A document in memory, while routes are registered or described.
//!
//! The text is a part of the program; its tree is needed at start only, so it
//! is shared as long as somebody holds it and then given back.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use serde_json::Value;

use crate::table::Api;

/// Trees that somebody holds, by the address of their text.
static TREES: Mutex<Option<HashMap<usize, Weak<Value>>>> = Mutex::new(None);

/// How many references may lead to references.
const MAX_REFERENCES: usize = 32;

/// A document.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    tree: Arc<Value>,
}

impl Document {
    /// The document of an API.
    pub(crate) fn of(api: &'static Api) -> Self {
        let mut trees = TREES.lock().unwrap_or_else(PoisonError::into_inner);
        let trees = trees.get_or_insert_default();
        let key = api.document.as_ptr() as usize;
        if let Some(tree) = trees.get(&key).and_then(Weak::upgrade) {
            return Document { tree };
        }
        let tree = serde_json::from_str(api.document).unwrap_or_else(|error| {
            // The generator wrote it.
            tracing::error!(api = api.name, %error, "the document of an API is not JSON");
            Value::Null
        });
        let tree = Arc::new(tree);
        trees.insert(key, Arc::downgrade(&tree));
        Document { tree }
    }

    #[cfg(test)]
    pub(super) fn from_tree(tree: Value) -> Self {
        Document {
            tree: Arc::new(tree),
        }
    }

    /// What a JSON Pointer leads to; null where there is nothing.
    pub(crate) fn at(&self, pointer: &str) -> &Value {
        self.tree.pointer(pointer).unwrap_or(&Value::Null)
    }

    /// What a value is, if it is a reference.
    pub(crate) fn resolve<'d>(&'d self, value: &'d Value) -> &'d Value {
        let mut value = value;
        for _ in 0..MAX_REFERENCES {
            match target(value) {
                Some(pointer) => value = self.at(&pointer),
                None => return value,
            }
        }
        &Value::Null
    }
}

/// Where a reference leads, as a JSON Pointer.
pub(super) fn target(value: &Value) -> Option<String> {
    let fragment = value.get("$ref")?.as_str()?.strip_prefix('#')?;
    let decoded = percent_encoding::percent_decode_str(fragment).decode_utf8_lossy();
    Some(decoded.into_owned())
}

/// The name of the schema component that a reference leads to.
pub(super) fn component(value: &Value) -> Option<String> {
    let pointer = target(value)?;
    let name = pointer.strip_prefix("/components/schemas/")?;
    (!name.contains('/')).then(|| name.replace("~1", "/").replace("~0", "~"))
}
