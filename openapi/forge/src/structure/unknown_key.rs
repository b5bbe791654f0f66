//! A key that its object does not have.

use super::key::{Object, Version};
use super::tables;
use crate::document::{self, Entry, Source};

/// An unknown key, and where it is.
pub(super) struct UnknownKey<'d> {
    pub(super) key: &'d str,
    pub(super) entry: &'d Entry,
    /// All keys of the object.
    pub(super) members: &'d document::Object,
    pub(super) object: &'static Object,
    pub(super) version: Version,
    pub(super) source: &'d Source,
}

impl UnknownKey<'_> {
    /// Whether the object may have a key of this name.
    pub(super) fn is_known(&self, name: &str) -> bool {
        let is_reference = self.object.is_referable && name == tables::REFERENCE;
        is_reference || self.object.key(name, self.version).is_some()
    }

    /// The message about the key.
    pub(super) fn message(&self) -> String {
        format!("`{}` is not a key of {}", self.key, self.object.name)
    }
}
