//! Finds the schemas that requests use, and those that responses use. A property that is required only in the other
//! direction is optional.

use super::schemas::children;
use crate::ir::{Api, MediaType, SchemaId};
use std::collections::HashSet;

/// The schemas that request bodies use, directly or through others.
pub fn sent(api: &Api) -> HashSet<SchemaId> {
    reached(api, api.request_media())
}

/// The schemas that responses use, directly or through others.
pub fn received(api: &Api) -> HashSet<SchemaId> {
    reached(api, api.response_media())
}

fn reached<'a>(api: &Api, media: impl Iterator<Item = &'a MediaType>) -> HashSet<SchemaId> {
    let mut found = HashSet::new();
    let mut queue: Vec<SchemaId> = media.filter_map(|media| media.schema).collect();
    while let Some(id) = queue.pop() {
        if found.insert(id) {
            queue.extend(children(&api.schemas[id.0]));
        }
    }
    found
}
