//! Analyzes one document as the editor has it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dropforge::check::{lint, prose};
use dropforge::document::{Diagnostic, Diagnostics, Document, Refused, Source};
use dropforge::lower;

use super::files::{self, Files};
use super::finding::{self, ByFile};
use crate::{panics, repository};

/// What the build finds in a document.
pub(super) struct Analysis {
    /// The file of the document.
    pub(super) path: PathBuf,
    /// The findings, by file.
    pub(super) findings: ByFile,
    /// The document, if it could be loaded, and the findings in it.
    pub(super) loaded: Option<(Arc<Document>, Diagnostics)>,
}

/// The documents that a file is part of: itself, or those that name it. A file that does not exist is not a document.
pub(super) fn documents_of(path: &Path, files: &Files) -> Vec<PathBuf> {
    let is_shared = path.parent() == Some(&repository::root().join("openapi"));
    match files.read(path) {
        Ok(text) if repository::is_document(&text) || !is_shared => vec![path.to_owned()],
        text => {
            let name = path.file_name().and_then(|name| name.to_str());
            let reference = format!("{}#", name.unwrap_or_default());
            let names = |document: &PathBuf| {
                let text = files.read(document);
                text.is_ok_and(|text| repository::is_document(&text) && text.contains(&reference))
            };
            let mut all = repository::yaml().unwrap_or_default();
            all.retain(names);
            if all.is_empty() && text.is_ok() {
                all.push(path.to_owned());
            }
            all
        }
    }
}

/// Loads a document, and finds what its server cannot be generated from. This takes a fraction of
/// the time of the other checks. A file that is not a document is only read.
pub(super) fn build(path: &Path, files: &Files) -> Analysis {
    let name = files::name(path);
    let text = files.read(path).unwrap_or_default();
    let neighbor = |file: &str| {
        let text = files.read(&path.with_file_name(file));
        text.map(|text| text.to_string())
    };
    let found = panics::catch(|| match repository::is_document(&text) {
        true => Document::load_with(&name, &text, neighbor).map(|document| {
            let findings = match lower::lower(&document, &repository::area(path)) {
                Ok(lowered) => lowered.warnings,
                Err(findings) => findings,
            };
            (Some(document), denied(path, findings))
        }),
        false => match Document::read(&name, &text) {
            Ok(document) => Ok((None, document.findings)),
            Err(diagnostics) => Err(Refused {
                source: Source::new(&name, &*text),
                diagnostics,
            }),
        },
    });
    let (source, loaded, findings) = match found {
        Ok(Ok((Some(document), findings))) => (document.source.clone(), Some(document), findings),
        Ok(Ok((None, findings))) => (Source::new(&name, &*text), None, findings),
        Ok(Err(refused)) => (refused.source, None, refused.diagnostics),
        // The author of the text cannot correct a panic, so it is only logged.
        Err(panic) => {
            eprintln!("the analysis of {name} panicked: {panic}");
            (Source::new(&name, &*text), None, Diagnostics::default())
        }
    };
    Analysis {
        path: path.to_owned(),
        loaded: loaded.map(|document| (Arc::new(document), findings.clone())),
        findings: finding::by_file(&source, &findings, files),
    }
}

/// The findings of the lint in a document, without those of the build.
pub(super) fn lint(document: &Document, of_build: &Diagnostics, files: &Files) -> ByFile {
    let found = panics::catch(|| {
        let is_new = |finding: &Diagnostic| {
            let mut known = of_build.iter();
            !known.any(|known| (known.code, known.span) == (finding.code, finding.span))
        };
        let mut findings = Diagnostics::default();
        findings.extend(lint::lint(document).into_iter().filter(is_new));
        findings.extend(prose::check(document));
        findings.sort();
        findings
    });
    let findings = found.unwrap_or_else(|panic| {
        eprintln!("the lint of {} panicked: {panic}", document.source.name);
        Diagnostics::default()
    });
    finding::by_file(&document.source, &findings, files)
}

/// The findings of the generator as the build has them: it denies warnings in the contract.
pub(super) fn denied(path: &Path, findings: Diagnostics) -> Diagnostics {
    let contract = repository::documents().unwrap_or_default();
    match contract.iter().any(|own| own == path) {
        true => findings.deny_warnings(),
        false => findings,
    }
}
