//! Values that a comment cuts: in YAML, a `#` behind a space begins one.
//!
//! Most comments are meant as such. So nothing warns of them, and only the help for a value that is
//! empty or invalid names the comment behind it.

use super::{Node, Source, Span};

impl Source {
    /// The help for a value that is absent, with a comment in its place.
    pub(crate) fn help_for_comment(&self, node: &Node) -> Option<String> {
        if !node.is_null() {
            return None;
        }
        // An absent value has the position of the colon or the dash before it.
        let file = self.file(node.span.start);
        let rest = file.text.get(node.span.start.checked_sub(file.start)?..)?;
        let is_absent = rest.starts_with([':', '-', ' ', '#']);
        let start = node.span.start + usize::from(rest.starts_with([':', '-']));
        is_absent
            .then(|| self.help_for_cut(Span::new(start, start)))
            .flatten()
    }

    /// The help for an invalid value with a comment behind it. `span` is that of the value.
    pub(crate) fn help_for_cut(&self, span: Span) -> Option<String> {
        let file = self.file(span.start);
        let line = file.text.get(span.start.checked_sub(file.start)?..)?;
        let line = line.lines().next()?;
        let behind = line.get(span.end.checked_sub(span.start)?..)?;
        let comment = behind.trim_start();
        let is_cut = comment.starts_with('#') && comment.len() < behind.len();
        // Behind quotes, the comment is one.
        if !is_cut || line.starts_with(['\'', '"']) {
            return None;
        }
        let quoted = line.trim().replace('\'', "''");
        Some(format!(
            "a `#` behind a space begins a comment: if it belongs to the value, put the value in quotes: `'{quoted}'`"
        ))
    }
}
