//! Finds keys that became lines of a block of text (`|` or `>`), because they are indented too deep.
//!
//! Texts also have samples of code. So a line that is deeper than the text is a key only if it continues a paragraph.
//! A sample cannot do this. No text may follow the line either.

use super::key::{Object, ValueType, Version};
use super::tables::REFERENCE;
use crate::document::{Diagnostic, Node, Source, Span};

/// Warns of a line in a block of text that would be a key if it were indented less. It may be a key of the surrounding
/// object, or of the map that holds this object.
pub(super) fn check(
    node: &Node,
    object: &Object,
    version: Version,
    source: &Source,
) -> Option<Diagnostic> {
    node.as_str()?;
    let base = indentation(node.span, source)?;
    let block = Block {
        lines: lines(source.text_of(node.span)?, node.span.start, base),
        base,
        object,
        version,
    };
    (0..block.lines.len()).find_map(|index| block.finding(index))
}

/// The indentation of a block of text; `None` for any other value. The span of a block begins with its text, and the
/// line above it, apart from empty lines, ends with the indicator.
pub(super) fn indentation(span: Span, source: &Source) -> Option<usize> {
    let file = source.file(span.start);
    let before = file.text.get(..span.start - file.start)?;
    let above = before.trim_end_matches(' ');
    if !above.ends_with('\n') {
        return None;
    }
    let header = above.trim_end().rsplit('\n').next()?;
    let header = header.split(" #").next()?.trim_end();
    let header = header.trim_end_matches(|c: char| c.is_ascii_digit() || c == '+' || c == '-');
    [" |", " >"]
        .into_iter()
        .any(|indicator| header.ends_with(indicator))
        .then_some(before.len() - above.len())
}

/// A block of text in an object.
struct Block<'b> {
    lines: Vec<Line<'b>>,
    /// The indentation of the text.
    base: usize,
    object: &'b Object,
    version: Version,
}

/// A line of a block.
struct Line<'b> {
    /// The offset of its text.
    start: usize,
    indent: usize,
    text: &'b str,
    /// Whether the line belongs to a sample between fences.
    is_fenced: bool,
    /// Whether the line, if it is deeper, continues a paragraph. A sample may follow an empty line, a list or a colon.
    is_in_paragraph: bool,
    /// Whether all lines below are indented like it, or deeper.
    is_last: bool,
}

fn lines(text: &str, start: usize, base: usize) -> Vec<Line<'_>> {
    let mut found = Vec::new();
    let mut at = start;
    // The text begins behind the indentation of its first line.
    let mut before = base;
    let mut is_open = false;
    for line in text.split_inclusive('\n') {
        let text = line.trim();
        let is_fence = text.starts_with("```") || text.starts_with("~~~");
        is_open ^= is_fence;
        found.push(Line {
            start: at + line.len() - line.trim_start().len(),
            indent: before + line.len() - line.trim_start_matches(' ').len(),
            text,
            is_fenced: is_open || is_fence,
            is_in_paragraph: false,
            is_last: false,
        });
        at += line.len();
        before = 0;
    }
    mark_paragraphs(&mut found, base);
    mark_last(&mut found);
    found
}

fn mark_paragraphs(lines: &mut [Line<'_>], base: usize) {
    const MARKERS: [char; 6] = ['-', '*', '+', '|', '>', '#'];
    let mut is_paragraph = false;
    for line in lines {
        line.is_in_paragraph = is_paragraph;
        let is_item =
            line.text.starts_with(MARKERS) || line.text.starts_with(|c: char| c.is_ascii_digit());
        let ends = line.text.is_empty() || is_item || line.is_fenced || line.text.ends_with(':');
        is_paragraph = !ends && (is_paragraph || line.indent == base);
    }
}

fn mark_last(lines: &mut [Line<'_>]) {
    let mut lowest = usize::MAX;
    for line in lines.iter_mut().rev() {
        line.is_last = lowest >= line.indent;
        if !line.text.is_empty() {
            lowest = lowest.min(line.indent);
        }
    }
}

/// The name and the value of a line that looks like a key.
fn key(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.split_once(':')?;
    if !rest.is_empty() && !rest.starts_with(' ') {
        return None;
    }
    let value = rest.split(" #").next().unwrap_or_default();
    Some((name, value.trim()))
}

impl Block<'_> {
    fn finding(&self, index: usize) -> Option<Diagnostic> {
        let line = &self.lines[index];
        let (name, value) = key(line.text).filter(|_| !line.is_fenced)?;
        let help = if self.is_key(index, name, value) {
            "indent it like the key of the text, or write the line in another way"
        } else if self.is_entry(index, name, value) {
            "indent it less if it is a key, or write the line in another way"
        } else {
            return None;
        };
        let span = Span::new(line.start, line.start + name.len());
        let message = format!("`{name}:` is a line of the text above it");
        Some(Diagnostic::warning("key-in-text", span, message).help(help))
    }

    /// Whether a line is a key of the object.
    fn is_key(&self, index: usize, name: &str, value: &str) -> bool {
        let Some(key) = self.object.key(name, self.version) else {
            return false;
        };
        let line = &self.lines[index];
        let is_like_text = line.indent == self.base;
        is_like_text || fits(value, key.value_type) && line.is_in_paragraph && line.is_last
    }

    /// Whether a line is the name of another such object, whose own keys follow. Texts begin a line with a capital letter,
    /// as in `Example:`.
    fn is_entry(&self, index: usize, name: &str, value: &str) -> bool {
        let line = &self.lines[index];
        if !value.is_empty() || name.contains(' ') || name.starts_with(char::is_uppercase) {
            return false;
        }
        let inner = self.lines[index + 1..].iter();
        let inner = inner.take_while(|inner| !inner.text.is_empty() && inner.indent > line.indent);
        let inner: Vec<&Line<'_>> = inner.collect();
        let Some(first) = inner.first() else {
            return false;
        };
        let own = inner
            .iter()
            .filter(|one| one.indent == first.indent && !one.text.starts_with("- "));
        let mut has_value = false;
        for one in own {
            let Some((name, value)) = key(one.text) else {
                return false;
            };
            let Some(value_type) = self.type_of(name) else {
                return false;
            };
            has_value |= fits(value, value_type);
        }
        let is_in_text = match line.indent == self.base {
            true => !self.is_introduced(index),
            false => line.is_in_paragraph,
        };
        has_value && is_in_text && line.is_last
    }

    fn type_of(&self, name: &str) -> Option<ValueType> {
        if self.object.is_referable && name == REFERENCE {
            return Some(ValueType::Url);
        }
        Some(self.object.key(name, self.version)?.value_type)
    }

    /// Whether the text before a line ends with a colon, as before a sample.
    fn is_introduced(&self, index: usize) -> bool {
        let mut before = self.lines[..index].iter().rev();
        let last = before.find(|line| !line.text.is_empty());
        last.is_some_and(|line| line.text.ends_with(':'))
    }
}

/// Whether a text is probably the value of a key, and not the rest of a sentence.
fn fits(value: &str, value_type: ValueType) -> bool {
    let is_empty_or = |bracket: char| value.is_empty() || value.starts_with(bracket);
    match value_type {
        ValueType::Prose => false,
        ValueType::Any | ValueType::Text | ValueType::TextOrTexts | ValueType::Url => {
            let is_word = !value.is_empty() && !value.contains(' ');
            is_word || value.starts_with(['"', '\''])
        }
        ValueType::Boolean => matches!(value, "true" | "false"),
        ValueType::Number | ValueType::NumberOrFlag | ValueType::Count => {
            value.parse::<f64>().is_ok()
        }
        ValueType::BooleanOr(_) => matches!(value, "true" | "false") || is_empty_or('{'),
        ValueType::List(_) | ValueType::Values | ValueType::Texts | ValueType::Security => {
            is_empty_or('[')
        }
        ValueType::One(_)
        | ValueType::Map(_)
        | ValueType::TextMap
        | ValueType::TextsMap
        | ValueType::ValueMap => is_empty_or('{'),
    }
}
