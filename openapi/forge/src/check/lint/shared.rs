//! Components of shared files that no document uses.

use std::collections::{BTreeMap, HashSet};

use crate::check::rule::Rule;
use crate::document::{Diagnostic, Diagnostics, Document, Node, Source};

/// The requirement of [`unused_in_shared_files`].
pub const UNUSED: Rule = Rule {
    id: "shared-component-unused",
    asks: "Every component of a file that documents share is used by one of them.",
};

/// The components that none of these documents uses, of each file that they share.
pub fn unused_in_shared_files(documents: &[Document]) -> Vec<(Source, Diagnostics)> {
    // A copied component keeps its position, so the position shows whether it was copied.
    let mut shared: BTreeMap<&str, (&str, HashSet<usize>)> = BTreeMap::new();
    for document in documents {
        for file in document.source.files().skip(1) {
            let (_, used) = shared
                .entry(file.name)
                .or_insert((file.text, HashSet::new()));
            let starts = components(document).map(|(_, _, value)| value.span.start);
            used.extend(starts.filter_map(|start| start.checked_sub(file.start)));
        }
    }
    let mut all = Vec::new();
    for (name, (text, used)) in shared {
        // Defects of the file itself are reported with the documents.
        let Ok(file) = Document::load(name, text) else {
            continue;
        };
        let unused = components(&file).filter(|(_, _, value)| !used.contains(&value.span.start));
        let findings = unused.map(|(name, span, _)| {
            let message = format!("no document uses `{name}`");
            Diagnostic::error(UNUSED.id, span, message)
                .help("remove it, or refer to it from a document")
        });
        all.push((file.source.clone(), Diagnostics(findings.collect())));
    }
    all
}

/// Every component with its name and the position of the name.
fn components(document: &Document) -> impl Iterator<Item = (&str, crate::document::Span, &Node)> {
    let kinds = document.root.members_of("components");
    kinds
        .flat_map(|(_, kind)| kind.value.members())
        .map(|(name, entry)| (name, entry.key_span, &entry.value))
}
