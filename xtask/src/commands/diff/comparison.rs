//! A document at two times.

use dropforge::check::compatibility::{self, Change};
use dropforge::document::Document;

use crate::panics;

/// What changed in one document.
pub(in crate::commands) struct Comparison {
    pub(super) old: Document,
    pub(super) new: Document,
    pub(super) changes: Vec<Change>,
}

/// Compares two states of a document.
pub(in crate::commands) fn compare(old: Document, new: Document) -> anyhow::Result<Comparison> {
    // drift may panic; the walk beside it still has an answer then.
    let changes = panics::catch(|| compatibility::compare(&old, &new))
        .map_err(|panic| anyhow::anyhow!("cannot compare {}: {panic}", new.source.name))?;
    Ok(Comparison { old, new, changes })
}
