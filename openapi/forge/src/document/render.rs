//! Diagnostics as people read them: `file:line:column`, the snippet, what to do.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::{Diagnostic, Diagnostics, Severity, Source, Span};

/// Places nearer than this many lines are shown in one snippet.
const NEAR: usize = 12;

/// Lines longer than this are cut around the place: minified documents are one
/// line, and a terminal is not that wide.
const LONG_LINE: usize = 20_000;

/// How much of such a line is shown.
const CUT: usize = 100;

impl Diagnostics {
    /// All findings as text without colours, each with an empty line behind it.
    /// `source` is what they have been found in.
    pub fn render(&self, source: &Source) -> String {
        let lines = Lines::new(source);
        let mut text = String::new();
        for diagnostic in &self.0 {
            text.push_str(&render(diagnostic, &lines));
            text.push_str("\n\n");
        }
        text
    }
}

impl Diagnostic {
    /// This finding alone, as [`Diagnostics::render`] shows it.
    pub fn render(&self, source: &Source) -> String {
        render(self, &Lines::new(source))
    }
}

fn render(diagnostic: &Diagnostic, lines: &Lines<'_>) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = level
        .primary_title(diagnostic.message.as_str())
        .id(diagnostic.code)
        .elements(Vec::<Snippet<'_, Annotation<'_>>>::new());
    if lines.text.is_empty() {
        group = group.element(Origin::path(lines.name));
    } else {
        group = snippets(diagnostic, lines, group);
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    Renderer::plain().render(&[group])
}

/// The place itself with what is near it, and a snippet for each that is far.
fn snippets<'a>(diagnostic: &'a Diagnostic, lines: &Lines<'a>, group: Group<'a>) -> Group<'a> {
    let primary = Place {
        kind: AnnotationKind::Primary,
        span: lines.visible(diagnostic.span),
        label: diagnostic.label.as_deref(),
    };
    let line = lines.number(primary.span.start);
    let related = diagnostic.related.iter().map(|(span, label)| Place {
        kind: AnnotationKind::Context,
        span: lines.visible(*span),
        label: Some(label),
    });
    let (near, far): (Vec<_>, Vec<_>) =
        related.partition(|place| lines.number(place.span.start).abs_diff(line) <= NEAR);
    let mut first = vec![primary];
    first.extend(near);
    far.into_iter()
        .fold(lines.show(group, &first), |group, place| {
            lines.show(group, &[place])
        })
}

struct Place<'a> {
    kind: AnnotationKind,
    span: Span,
    label: Option<&'a str>,
}

/// A text and where its lines start, so that a snippet takes what it needs of
/// a large document and no more.
struct Lines<'a> {
    name: &'a str,
    text: &'a str,
    /// How many bytes of the file stand before `text`.
    skipped: usize,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn new(source: &'a Source) -> Lines<'a> {
        let text = source.text.strip_prefix('\u{feff}').unwrap_or(&source.text);
        let breaks = text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
        Lines {
            name: &source.name,
            text,
            skipped: source.text.len() - text.len(),
            starts: std::iter::once(0)
                .chain(breaks.map(|(i, _)| i + 1))
                .collect(),
        }
    }

    /// The index of the line that holds an offset.
    fn number(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset) - 1
    }

    /// Where a line ends, without its line break.
    fn end(&self, number: usize) -> usize {
        let end = self
            .starts
            .get(number + 1)
            .map_or(self.text.len(), |next| next - 1);
        let start = self.starts[number];
        if end > start && self.text.as_bytes()[end - 1] == b'\r' {
            end - 1
        } else {
            end
        }
    }

    /// What of a span is underlined, as offsets into `text`: a value of many
    /// lines is known by its first one.
    fn visible(&self, span: Span) -> Span {
        let boundary = |offset: usize| {
            let mut offset = offset.saturating_sub(self.skipped).min(self.text.len());
            while !self.text.is_char_boundary(offset) {
                offset -= 1;
            }
            offset
        };
        let start = boundary(span.start);
        let line_end = self.end(self.number(start)).max(start);
        Span::new(start, boundary(span.end).clamp(start, line_end))
    }

    /// Adds a snippet of the lines from the first place to the last.
    fn show(&self, group: Group<'a>, places: &[Place<'a>]) -> Group<'a> {
        let starts = places.iter().map(|place| place.span.start);
        let first = starts.clone().min().map_or(0, |at| self.number(at));
        let last = starts.max().map_or(0, |at| self.number(at));
        let (from, to) = (self.starts[first], self.end(last));
        if first == last && to - from > LONG_LINE {
            return places
                .iter()
                .fold(group, |group, place| self.show_cut(group, place, first));
        }
        group.element(
            Snippet::source(&self.text[from..to])
                .line_start(first + 1)
                .path(self.name)
                .annotations(places.iter().map(|place| {
                    let Span { start, end } = place.span;
                    annotation(place, start - from, end - from)
                })),
        )
    }

    /// Adds a piece of a long line around one place. The column is that of the
    /// whole line, so it stands in an origin of its own.
    fn show_cut(&self, group: Group<'a>, place: &Place<'a>, line: usize) -> Group<'a> {
        let (line_start, line_end) = (self.starts[line], self.end(line));
        let Span { start, end } = place.span;
        let mut from = start.saturating_sub(CUT / 2).max(line_start);
        while !self.text.is_char_boundary(from) {
            from -= 1;
        }
        let mut to = (from + CUT).min(line_end).max(start);
        while !self.text.is_char_boundary(to) {
            to += 1;
        }
        let column = 1 + self.text[line_start..start].chars().count();
        group
            .element(Origin::path(self.name).line(line + 1).char_column(column))
            .element(
                Snippet::source(&self.text[from..to])
                    .line_start(line + 1)
                    .annotation(annotation(place, start - from, end.clamp(start, to) - from)),
            )
    }
}

fn annotation<'a>(place: &Place<'a>, start: usize, end: usize) -> Annotation<'a> {
    place.kind.span(start..end).label(place.label)
}
