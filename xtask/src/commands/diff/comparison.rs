//! Two states of a document.

use dropforge::check::compatibility::{self, Change};
use dropforge::document::Document;

use crate::panics;

/// The changes of one document.
pub(in crate::commands) struct Comparison {
    pub(super) old: Document,
    pub(super) new: Document,
    pub(super) changes: Vec<Change>,
}

/// Compares two states of a document.
pub(in crate::commands) fn compare(old: Document, new: Document) -> anyhow::Result<Comparison> {
    // The comparison recovers from a panic of drift, whose message `catch` hides. Any other panic is a defect.
    let changes = panics::catch(|| compatibility::compare(&old, &new))
        .map_err(|panic| anyhow::anyhow!("cannot compare {}: {panic}", new.source.name))?;
    Ok(Comparison { old, new, changes })
}
