//! Compares `x-dropforge-stream` with the schema of the events.

use super::named_types::types_of;
use super::properties::Properties;
use crate::document::similar::Proposals;
use crate::document::{Diagnostic, Document, Node};

/// Rejects an `event` that is not a property of the events: they would have no names.
pub(in crate::structure) fn check(
    document: &Document,
    media_type: &Node,
    proposals: &Proposals,
) -> Option<Diagnostic> {
    let event = media_type.get("x-dropforge-stream")?.get("event")?;
    let name = event.as_str()?;
    let schema = media_type.get("schema")?;
    let (_, target) = document.resolve(schema, "").ok()?;
    let mut known = Properties::default();
    known.collect(document, schema);
    let is_any = known.names.is_empty() && types_of(target).is_empty();
    if known.is_open || is_any || known.names.contains(name) {
        return None;
    }
    let message = format!("`event` names `{name}`, which is not a property of the events");
    let finding = Diagnostic::error("stream-event", event.span, message);
    Some(finding.did_you_mean_or(
        proposals.nearest(known.names.iter().copied(), name, 2),
        "name the property whose value is also the name of the event",
    ))
}
