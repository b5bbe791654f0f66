//! Findings, as the editor shows them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use dropforge::document::{Diagnostic, Diagnostics, Severity, Source, Span};
use gen_lsp_types::{
    Diagnostic as Shown, DiagnosticRelatedInformation, DiagnosticSeverity, Location, Range,
};

use super::files::{self, Files};
use super::text::Text;

/// A finding in one file.
#[derive(Clone)]
pub(super) struct Finding {
    /// The finding, as the editor shows it.
    pub(super) shown: Shown,
    /// The correction, if there is a proposal.
    pub(super) fix: Option<Fix>,
}

/// A proposal for another text at the range of a finding.
#[derive(Clone)]
pub(super) struct Fix {
    /// The place of the text.
    pub(super) range: Range,
    /// The text at that place.
    pub(super) old: String,
    /// The text that should be there.
    pub(super) new: String,
}

/// Findings by the files that they are in.
pub(super) type ByFile = BTreeMap<PathBuf, Vec<Finding>>;

/// The findings about a document, by the files that it is made of. Each of these files has an
/// entry.
pub(super) fn by_file(source: &Source, findings: &Diagnostics, files: &Files) -> ByFile {
    let mut by_file = ByFile::new();
    for file in source.files() {
        let path = files::named(file.name);
        let text = Text::new(file.text);
        let of_file = by_file.entry(path).or_default();
        for finding in findings.iter() {
            let own = source.file(finding.span.start);
            if own.start != file.start {
                continue;
            }
            let span = Span::new(
                finding.span.start - own.start,
                finding.span.end.saturating_sub(own.start),
            );
            of_file.push(Finding {
                shown: shown(finding, text.underline(span.start, span.end), source, files),
                fix: fix(finding, file.text, span, &text),
            });
        }
    }
    by_file
}

fn shown(finding: &Diagnostic, range: Range, source: &Source, files: &Files) -> Shown {
    let mut message = finding.message.clone();
    if let Some(help) = &finding.help {
        message = format!("{message}\n{help}");
    }
    let related: Vec<_> = finding
        .related
        .iter()
        .filter_map(|(span, label)| {
            Some(DiagnosticRelatedInformation {
                location: location(source, *span, files)?,
                message: label.clone(),
            })
        })
        .collect();
    Shown {
        range,
        severity: Some(match finding.severity {
            Severity::Error => DiagnosticSeverity::Error,
            Severity::Warning => DiagnosticSeverity::Warning,
        }),
        code: Some(finding.code.into()),
        source: Some("accord".to_owned()),
        message: message.into(),
        related_information: (!related.is_empty()).then_some(related),
        ..Shown::default()
    }
}

/// The place of a span of a document.
pub(super) fn location(source: &Source, span: Span, files: &Files) -> Option<Location> {
    let file = source.file(span.start);
    let text = Text::new(file.text);
    let start = span.start.saturating_sub(file.start);
    let range = text.underline(start, span.end.saturating_sub(file.start));
    files.location(&files::named(file.name), range)
}

/// The correction of a finding. A text in quotes stays in quotes.
fn fix(finding: &Diagnostic, text: &str, span: Span, lines: &Text<'_>) -> Option<Fix> {
    let new = finding.replacement.as_deref()?;
    let old = text.get(span.start..span.end)?;
    let quote = old.chars().next().filter(|c| matches!(c, '"' | '\''));
    let is_quoted = quote.is_some_and(|quote| old.len() > 1 && old.ends_with(quote));
    let inner = match is_quoted {
        true => (span.start + 1, span.end - 1),
        false => (span.start, span.end),
    };
    Some(Fix {
        range: lines.range(inner.0, inner.1),
        old: text.get(inner.0..inner.1)?.to_owned(),
        new: new.to_owned(),
    })
}
