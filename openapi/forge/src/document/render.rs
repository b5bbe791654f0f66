//! Diagnostics for people: `file:line:column`, the snippet and the help.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::source::File;
use super::{Diagnostic, Diagnostics, Place, Severity, Source, Span};

/// Places nearer than this many lines are shown in one snippet.
const NEAR: usize = 12;

/// Longer lines are truncated around the place: a minified document is one line, which no
/// terminal can show.
const LONG_LINE: usize = 20_000;

/// The length of the shown part of such a line.
const CUT: usize = 100;

impl Diagnostics {
    /// All findings as text without colors, each followed by an empty line. `source` is
    /// the source that they are about.
    pub fn render(&self, source: &Source) -> String {
        self.render_with(source, &Renderer::plain())
    }

    /// All findings as [`Diagnostics::render`] shows them, with the colors of a terminal.
    pub fn render_colored(&self, source: &Source) -> String {
        self.render_with(source, &Renderer::styled())
    }

    /// The text of each finding alone, with the colors of a terminal if `is_colored`. Reads the lines of
    /// `source` once for all of them.
    pub fn render_each(&self, source: &Source, is_colored: bool) -> Vec<String> {
        let renderer = match is_colored {
            true => Renderer::styled(),
            false => Renderer::plain(),
        };
        let files = Files::new(source);
        let findings = self.iter();
        findings
            .map(|finding| render(finding, &files, &renderer))
            .collect()
    }

    /// The place of each finding, in their order.
    pub fn places<'s>(&self, source: &'s Source) -> Vec<Place<'s>> {
        source.places(self.iter().map(|one| one.span.start))
    }

    fn render_with(&self, source: &Source, renderer: &Renderer) -> String {
        let files = Files::new(source);
        let texts = self.iter().map(|one| render(one, &files, renderer));
        texts.map(|text| text + "\n\n").collect()
    }
}

impl Source {
    /// The places of offsets, in their order. Reads the lines once for all of them.
    pub fn places(&self, offsets: impl IntoIterator<Item = usize>) -> Vec<Place<'_>> {
        let files = Files::new(self);
        let offsets = offsets.into_iter();
        offsets
            .map(|offset| files.of(offset).place(offset))
            .collect()
    }
}

impl Diagnostic {
    /// This finding alone, as [`Diagnostics::render`] shows it.
    pub fn render(&self, source: &Source) -> String {
        render(self, &Files::new(source), &Renderer::plain())
    }
}

fn render(diagnostic: &Diagnostic, files: &Files<'_>, renderer: &Renderer) -> String {
    let lines = files.of(diagnostic.span.start);
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = level
        .primary_title(diagnostic.message.as_str())
        .id(diagnostic.code)
        .elements(Vec::<Snippet<'_, Annotation<'_>>>::new());
    if lines.text.is_empty() {
        group = group.element(Origin::path(lines.name).line(1).char_column(1));
    } else {
        group = snippets(diagnostic, files, group);
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    renderer.render(&[group])
}

/// One snippet of the place and the related places near it, and a snippet for each
/// distant one.
fn snippets<'a>(diagnostic: &'a Diagnostic, files: &Files<'a>, group: Group<'a>) -> Group<'a> {
    let lines = files.of(diagnostic.span.start);
    let primary = Mark {
        kind: AnnotationKind::Primary,
        span: lines.visible(diagnostic.span),
        label: diagnostic.label.as_deref(),
    };
    let line = lines.number(primary.span.start);
    let related = diagnostic.related.iter().map(|(span, label)| {
        let lines = files.of(span.start);
        let place = Mark {
            kind: AnnotationKind::Context,
            span: lines.visible(*span),
            label: Some(label),
        };
        (lines, place)
    });
    let (near, far): (Vec<_>, Vec<_>) = related.partition(|(other, place)| {
        other.offset == lines.offset && lines.number(place.span.start).abs_diff(line) <= NEAR
    });
    let mut first = vec![primary];
    first.extend(near.into_iter().map(|(_, place)| place));
    far.into_iter()
        .fold(lines.show(group, &first), |group, (lines, place)| {
            lines.show(group, &[place])
        })
}

/// A part of a source that a snippet underlines.
struct Mark<'a> {
    kind: AnnotationKind,
    span: Span,
    label: Option<&'a str>,
}

/// The files of a source, in their order.
struct Files<'a>(Vec<Lines<'a>>);

impl<'a> Files<'a> {
    fn new(source: &'a Source) -> Files<'a> {
        Files(source.files().map(Lines::new).collect())
    }

    /// The file of an offset.
    fn of(&self, offset: usize) -> &Lines<'a> {
        let behind = self.0.partition_point(|lines| lines.offset <= offset);
        // An offset may be before the text of the first file: at its byte order mark.
        &self.0[behind.saturating_sub(1)]
    }
}

/// A text with the offsets of its lines, so that a snippet copies only a few lines of a
/// large document.
struct Lines<'a> {
    name: &'a str,
    text: &'a str,
    /// The offset of `text` in the source.
    offset: usize,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn new(file: File<'a>) -> Lines<'a> {
        let text = file.text.strip_prefix('\u{feff}').unwrap_or(file.text);
        let breaks = text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
        Lines {
            name: file.name,
            text,
            offset: file.start + file.text.len() - text.len(),
            starts: std::iter::once(0)
                .chain(breaks.map(|(i, _)| i + 1))
                .collect(),
        }
    }

    /// The index of the line that holds an offset.
    fn number(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset) - 1
    }

    /// The line and the column of an offset, as [`Source::place`] counts them.
    fn place(&self, offset: usize) -> Place<'a> {
        let at = offset.saturating_sub(self.offset);
        let at = self.text.floor_char_boundary(at);
        let line = self.number(at);
        Place {
            file: self.name,
            line: line + 1,
            column: 1 + self.text[self.starts[line]..at].chars().count(),
        }
    }

    /// The end of a line, without its line break.
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

    /// The underlined part of a span, as offsets into `text`: only the first line of a
    /// long value.
    fn visible(&self, span: Span) -> Span {
        let boundary = |offset: usize| {
            self.text
                .floor_char_boundary(offset.saturating_sub(self.offset))
        };
        let start = boundary(span.start);
        let line_end = self.end(self.number(start)).max(start);
        Span::new(start, boundary(span.end).clamp(start, line_end))
    }

    /// Adds a snippet of the lines from the first place to the last.
    fn show(&self, group: Group<'a>, places: &[Mark<'a>]) -> Group<'a> {
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

    /// Adds a piece of a long line around one place. The piece has its own origin, which
    /// shows the column within the whole line.
    fn show_cut(&self, group: Group<'a>, place: &Mark<'a>, line: usize) -> Group<'a> {
        let (line_start, line_end) = (self.starts[line], self.end(line));
        let Span { start, end } = place.span;
        let from = start.saturating_sub(CUT / 2).max(line_start);
        let from = self.text.floor_char_boundary(from);
        let to = (from + CUT).min(line_end).max(start);
        let to = self.text.ceil_char_boundary(to);
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

fn annotation<'a>(place: &Mark<'a>, start: usize, end: usize) -> Annotation<'a> {
    place.kind.span(start..end).label(place.label)
}
