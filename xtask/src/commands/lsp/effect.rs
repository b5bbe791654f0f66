//! What the edits of a document mean for its clients and servers.

use std::path::Path;

use dropforge::check::compatibility::Class;
use gen_lsp_types::{Diagnostic as Shown, DiagnosticSeverity};

use super::files::{self, Files};
use super::finding::{ByFile, Finding};
use crate::commands::diff;

/// The changes of a saved document since its release, at their places. A document that has never
/// been released has none.
pub(super) fn of_document(document: &Path, files: &Files) -> anyhow::Result<ByFile> {
    let mut by_file = ByFile::new();
    by_file.insert(document.to_owned(), Vec::new());
    for effect in diff::since_release(document)? {
        let path = files::named(&effect.file);
        let Some(location) = files.line(&path, effect.line) else {
            continue;
        };
        let class = effect.change.class;
        by_file.entry(path).or_default().push(Finding {
            shown: Shown {
                range: location.range,
                severity: Some(DiagnosticSeverity::Information),
                code: Some(code(class).into()),
                source: Some("accord diff".to_owned()),
                message: format!(
                    "{class}: {}\nbecause {}",
                    effect.change.message, effect.change.reason
                )
                .into(),
                ..Shown::default()
            },
            fix: None,
        });
    }
    Ok(by_file)
}

fn code(class: Class) -> &'static str {
    match class {
        Class::BreaksClients => "breaks-clients",
        Class::BreaksServers => "breaks-servers",
        Class::Additive => "additive",
        Class::Documentation => "documentation",
    }
}
