//! Rewrites OpenAPI 3.1 as OpenAPI 3.0.3.
//!
//! One model serves both versions: the loader rewrites a document of OpenAPI 3.1, and all
//! later stages read 3.0.3. Each node keeps its position, and the author's own text stays
//! in [`Document::written`], for the check of the structure and for the published form.
//!
//! A keyword that the model lacks is left out with a warning if the server then only
//! accepts more values. Otherwise the document is rejected. `examples` of schemas are the exception:
//! they stay, for the check of examples.
//!
//! - [`identifiers`]: `$id`, `$anchor` and `$defs`, before references are followed;
//! - [`outline`]: the objects of the document except schemas;
//! - [`schema`]: schemas, with a file for each group of keywords.

mod bounds;
mod compositions;
mod expressions;
mod identifiers;
mod looser;
mod nodes;
mod outline;
mod schema;
#[cfg(test)]
mod tests;
mod types;
mod walk;

use crate::document::{Diagnostics, Document, is_of_31};

pub(crate) use identifiers::resolve as resolve_identifiers;
pub(crate) use types::OF_TYPE;

/// Rewrites a document of OpenAPI 3.1 as 3.0.3, and also the keywords of 3.1 in documents
/// of 3.0. Adds warnings to [`Document::findings`].
pub(crate) fn upgrade(document: &mut Document) {
    let mut findings = Diagnostics::default();
    if is_of_31(&document.root) {
        document.written = Some(document.root.clone());
        identifiers::hoist_definitions(&mut document.root);
        outline::rewrite(&mut document.root, &mut findings);
        schema::rewrite(&mut document.root, &mut findings);
    } else {
        schema::read_constants(&mut document.root, &mut findings);
    }
    document.findings.extend(findings);
}
