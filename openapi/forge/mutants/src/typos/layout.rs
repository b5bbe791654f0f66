//! The layout of a YAML text: lines, indentation, and the text in braces or brackets.

use std::ops::Range;

use dropforge::document::{Kind, Node};

/// One step of indentation.
pub(super) const STEP: usize = 2;

/// A text, with the places that are in flow style.
pub(super) struct Layout<'t> {
    pub text: &'t str,
    flow: Vec<Range<usize>>,
}

impl<'t> Layout<'t> {
    pub fn new(text: &'t str, root: &Node) -> Self {
        let mut flow = Vec::new();
        collect(text, root, &mut flow);
        Layout { text, flow }
    }

    /// Whether an offset is inside of braces or brackets.
    pub fn is_flow(&self, offset: usize) -> bool {
        let mut flow = self.flow.iter();
        flow.any(|range| range.start < offset && offset < range.end)
    }

    /// Where the line of an offset begins.
    pub fn line_start(&self, offset: usize) -> usize {
        self.text[..offset].rfind('\n').map_or(0, |at| at + 1)
    }

    /// Where the line behind that of an offset begins.
    pub fn next_line(&self, offset: usize) -> usize {
        let end = self.text[offset..].find('\n');
        end.map_or(self.text.len(), |at| offset + at + 1)
    }

    /// The column of an offset, from 0.
    pub fn column(&self, offset: usize) -> usize {
        offset - self.line_start(offset)
    }

    /// Whether there are only spaces before an offset in its line.
    pub fn is_first(&self, offset: usize) -> bool {
        let before = &self.text[self.line_start(offset)..offset];
        before.bytes().all(|byte| byte == b' ')
    }

    /// Whether there are only spaces and dashes before an offset in its line.
    pub fn is_block_key(&self, offset: usize) -> bool {
        let before = &self.text[self.line_start(offset)..offset];
        !self.is_flow(offset) && before.bytes().all(|byte| matches!(byte, b' ' | b'-'))
    }

    /// Where the lines of a key in block style end, with everything below it.
    pub fn block_end(&self, key: usize) -> usize {
        let indent = self.column(key);
        let mut end = self.next_line(key);
        while end < self.text.len() {
            let line = &self.text[end..self.next_line(end)];
            let depth = line.len() - line.trim_start_matches(' ').len();
            // A list may have its dashes in the column of its key.
            let is_item = depth == indent && self.is_first(key) && line[depth..].starts_with("- ");
            if !line.trim().is_empty() && depth <= indent && !is_item {
                break;
            }
            end = self.next_line(end);
        }
        end
    }

    /// Whether the value behind a key is a block scalar (`|` or `>`).
    pub fn is_block_scalar(&self, key_end: usize) -> bool {
        let line = &self.text[key_end..self.next_line(key_end)];
        let value = line.trim_start_matches(':').trim();
        value.starts_with(['|', '>'])
    }

    /// The lines of a key in block style that is the first in its line, with everything below it.
    pub fn block(&self, key: usize) -> Range<usize> {
        self.line_start(key)..self.block_end(key)
    }
}

fn collect(text: &str, node: &Node, flow: &mut Vec<Range<usize>>) {
    let range = node.span.start..node.span.end;
    let is_flow = |opening| text[range.clone()].starts_with(opening);
    match &node.kind {
        Kind::Object(_) if is_flow('{') => flow.push(range),
        Kind::Array(_) if is_flow('[') => flow.push(range),
        Kind::Object(object) => {
            for (_, entry) in object.iter() {
                collect(text, &entry.value, flow);
            }
        }
        Kind::Array(elements) => {
            for element in elements {
                collect(text, element, flow);
            }
        }
        _ => {}
    }
}
