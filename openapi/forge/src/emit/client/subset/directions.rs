//! Finds the schemas that requests use, and those that responses use. A property that is required only in the other
//! direction is optional.

use super::schemas::children;
use crate::ir::{Api, SchemaId};
use std::collections::HashSet;

/// The schemas that request bodies use, directly or through others.
pub fn sent(api: &Api) -> HashSet<SchemaId> {
    let bodies = api
        .operations
        .iter()
        .filter_map(|operation| operation.body.as_ref());
    reached(
        api,
        bodies
            .flat_map(|body| &body.media)
            .filter_map(|media| media.schema),
    )
}

/// The schemas that responses use, directly or through others.
pub fn received(api: &Api) -> HashSet<SchemaId> {
    let media = api.responses.iter().flat_map(|response| &response.media);
    reached(api, media.filter_map(|media| media.schema))
}

fn reached(api: &Api, starts: impl Iterator<Item = SchemaId>) -> HashSet<SchemaId> {
    let mut found = HashSet::new();
    let mut queue: Vec<SchemaId> = starts.collect();
    while let Some(id) = queue.pop() {
        if found.insert(id) {
            queue.extend(children(&api.schemas[id.0]));
        }
    }
    found
}
