//! The diagnostics of a document, with positions.

use super::{Place, Source, Span};

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The document is rejected.
    Error,
    /// The document is accepted, but its author should know.
    Warning,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Kebab-case name of the rule, stable: `unresolved-reference`.
    pub code: &'static str,
    /// The severity of the finding.
    pub severity: Severity,
    /// The message, in one line, without a period.
    pub message: String,
    /// The position of the finding.
    pub span: Span,
    /// A short text under the snippet.
    pub label: Option<String>,
    /// How to correct the document.
    pub help: Option<String>,
    /// The text that should replace the one at `span`, without quotes, if there is a proposal.
    pub replacement: Option<String>,
    /// Related places, each with a short text.
    pub related: Vec<(Span, String)>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            span,
            label: None,
            help: None,
            replacement: None,
            related: Vec::new(),
        }
    }

    /// A warning at `span`.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(code, span, message)
        }
    }

    /// Sets a short text under the snippet.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = Some(label.into());
        self
    }

    /// Sets the text how to correct the document.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Proposes a similar text for the one at `span`.
    #[must_use]
    pub fn did_you_mean(self, near: &str) -> Diagnostic {
        self.help(format!("did you mean `{near}`?"))
            .replacement(near)
    }

    /// Proposes the similar text for the one at `span`, if there is one. Otherwise sets how to correct the document.
    #[must_use]
    pub(crate) fn did_you_mean_or(self, near: Option<&str>, help: impl Into<String>) -> Diagnostic {
        match near {
            Some(near) => self.did_you_mean(near),
            None => self.help(help),
        }
    }

    /// Sets the text that should replace the one at `span`.
    #[must_use]
    pub fn replacement(mut self, text: impl Into<String>) -> Diagnostic {
        self.replacement = Some(text.into());
        self
    }

    /// Adds a related place.
    #[must_use]
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.related.push((span, label.into()));
        self
    }

    /// Whether another finding says the same about the same place.
    fn is_repeated(&self, other: &Diagnostic) -> bool {
        let essence = |one: &Diagnostic| (one.code, one.severity, one.span);
        essence(self) == essence(other)
            && self.message == other.message
            && self.related == other.related
    }

    /// The instruction of a build script that shows the finding in one line.
    fn for_cargo(&self, place: Place<'_>) -> String {
        let kind = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let help = self.help.iter().map(|help| format!("; {help}"));
        let help: String = help.collect();
        format!("cargo::{kind}={place}: {}{help}", self.message).replace('\n', " ")
    }
}

/// All findings about one document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diagnostics(pub Vec<Diagnostic>);

impl Diagnostics {
    /// Adds a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.0.push(diagnostic);
    }

    /// Whether there is no finding.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of findings.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether one of the findings is an error.
    pub fn has_errors(&self) -> bool {
        self.0.iter().any(|d| d.severity == Severity::Error)
    }

    /// Prints the findings as messages of a build script, which cargo shows with the place in the
    /// document: `cargo::warning=openapi/things.yaml:7:3: …`.
    pub fn print_for_cargo(&self, source: &Source) {
        for (diagnostic, place) in self.iter().zip(self.places(source)) {
            println!("{}", diagnostic.for_cargo(place));
        }
    }

    /// The same findings, each warning as an error: for documents that generated code must
    /// implement completely.
    #[must_use]
    pub fn deny_warnings(mut self) -> Diagnostics {
        for diagnostic in &mut self.0 {
            diagnostic.severity = Severity::Error;
        }
        self
    }

    /// All findings, in their order.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.0.iter()
    }

    /// Sorts the findings by their place in the document. Findings at one place keep their order,
    /// and duplicates are removed, even those with another help.
    pub fn sort(&mut self) {
        self.0.sort_by_key(|d| (d.span.start, d.span.end));
        self.0.dedup_by(|second, first| second.is_repeated(first));
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Diagnostics {
        Diagnostics(vec![diagnostic])
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, more: I) {
        self.0.extend(more);
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// The words for the further places of a finding that is reported at the first of them only.
pub(crate) fn more_places(more: usize) -> String {
    match more {
        0 => String::new(),
        1 => ", here and in one more place".to_owned(),
        more => format!(", here and in {more} more places"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_shows_a_finding_in_one_line_with_its_place() {
        let source = Source::new("a.yaml", "openapi: 3.0.3\ninfo: {}\n");
        let finding = Diagnostic::warning("ignored-key", Span::new(15, 19), "`info` is\nempty");
        let message = finding.help("fill it").for_cargo(source.place(15));
        assert_eq!(
            message,
            "cargo::warning=a.yaml:2:1: `info` is empty; fill it"
        );
    }

    /// The text is read once for all findings.
    #[test]
    fn the_places_of_many_findings_are_those_of_the_source() {
        let source = Source::new(
            "a.yaml",
            "\u{feff}a: 1\n".to_owned() + &"é: 2\r\n".repeat(20_000),
        );
        let offsets = source.text.char_indices().map(|(at, _)| at);
        let findings = offsets.map(|at| Diagnostic::warning("code", Span::new(at, at), "text"));
        let findings = Diagnostics(findings.collect());
        let places = findings.places(&source);
        assert_eq!(places.len(), findings.len());
        for (finding, place) in findings.iter().zip(places).step_by(4_999) {
            assert_eq!(place, source.place(finding.span.start));
        }
    }
}
