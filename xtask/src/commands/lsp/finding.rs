//! Findings, as the editor shows them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use dropforge::document::{Diagnostic, Diagnostics, File, Severity, Source, Span};
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
    let texts = source.files().map(|file| (file, Text::new(file.text)));
    let texts: Vec<(File<'_>, Text<'_>)> = texts.collect();
    // The file that a span begins in, and the span there.
    let place = |span: Span| {
        let mut texts = texts.iter().rev();
        let (file, text) = texts.find(|(file, _)| file.start <= span.start)?;
        let end = span.end.saturating_sub(file.start);
        Some((file, text, Span::new(span.start - file.start, end)))
    };
    let named = texts.iter().map(|(file, _)| files::named(file.name));
    let mut by_file: ByFile = named.map(|path| (path, Vec::new())).collect();
    for finding in findings.iter() {
        let Some((file, text, span)) = place(finding.span) else {
            continue;
        };
        let related = finding.related.iter().filter_map(|(span, label)| {
            let (file, text, span) = place(*span)?;
            let range = text.underline(span.start, span.end);
            Some(DiagnosticRelatedInformation {
                location: files.location(&files::named(file.name), range)?,
                message: label.clone(),
            })
        });
        let range = text.underline(span.start, span.end);
        let of_file = by_file.entry(files::named(file.name)).or_default();
        of_file.push(Finding {
            shown: shown(finding, range, related.collect()),
            fix: fix(finding, file.text, span, text),
        });
    }
    by_file
}

fn shown(finding: &Diagnostic, range: Range, related: Vec<DiagnosticRelatedInformation>) -> Shown {
    let mut message = finding.message.clone();
    if let Some(help) = &finding.help {
        message = format!("{message}\n{help}");
    }
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
