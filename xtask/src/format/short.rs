//! Puts values with a single member onto the line of their key.
//!
//! `key: {$ref: "…"}` and `tags: [Users]`: one line, where block style takes two.

use dropforge::document::{Document, Node, Span};

/// Lists that are on one line when they have one element.
const LISTS: [&str; 6] = [
    "enum",
    "required",
    "security",
    "tags",
    "x-extensible-enum",
    "x-required-scopes",
];

/// The text of a document, with its single members in flow style.
pub(super) fn shorten(document: &Document, width: usize) -> String {
    let mut edits = Vec::new();
    collect(&document.root, &document.source.text, width, &mut edits);
    let mut text = document.source.text.clone();
    // From the end, so that positions before an edit stay valid. Copies by an alias or an expansion
    // have the position of the original.
    edits.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    edits.dedup();
    for (span, short) in edits {
        text.replace_range(span.start..span.end, &short);
    }
    text
}

fn collect(node: &Node, text: &str, width: usize, edits: &mut Vec<(Span, String)>) {
    for element in node.as_array().unwrap_or_default() {
        collect(element, text, width, edits);
    }
    for (key, entry) in node.as_object().into_iter().flat_map(|o| o.iter()) {
        let short = short(key, &entry.value, text);
        let edit = short.and_then(|(member, open, close)| {
            let end = entry.key_span.end;
            let between = text.get(end..member.start)?;
            // Only a line break and dashes may be in between: a comment would be lost, and flow
            // style has no line breaks here.
            let block = between.contains('\n')
                && between.chars().all(|c| matches!(c, ':' | '-' | ' ' | '\n'));
            let member = text.get(member.start..member.end)?.trim_end();
            let line = text[..end].rfind('\n').map_or(0, |at| at + 1);
            let short = format!(": {open}{member}{close}");
            let columns = text[line..end].chars().count() + short.chars().count();
            let fits = columns <= width && !member.contains('\n') && !member.contains(" #");
            let after = end + between.len() + member.len();
            (block && fits).then(|| (Span::new(end, after), short))
        });
        match edit {
            Some(edit) => edits.push(edit),
            None => collect(&entry.value, text, width, edits),
        }
    }
}

/// The text of a single member, and its brackets in flow style.
fn short(key: &str, value: &Node, text: &str) -> Option<(Span, &'static str, &'static str)> {
    if let Some(span) = single(value, text) {
        let (name, _) = value.as_object()?.iter().next()?;
        return (name == "$ref").then_some((span, "{", "}"));
    }
    let [element] = value.as_array()? else {
        return None;
    };
    if !LISTS.contains(&key) {
        return None;
    }
    if let Some(span) = single(element, text) {
        return Some((span, "[{", "}]"));
    }
    let plain = text.get(element.span.start..element.span.end)?;
    let plain = element.as_str().is_some() && !plain.contains([',', '[', ']', '{', '}', ':']);
    plain.then_some((element.span, "[", "]"))
}

/// From the key to the value of the only member of an object, if flow style leaves both as they are.
fn single(value: &Node, text: &str) -> Option<Span> {
    let object = value.as_object()?;
    let (_, entry) = object.iter().next()?;
    let fits = |span: Span| text.get(span.start..span.end).is_some_and(fits_flow);
    (object.len() == 1 && fits(entry.key_span) && fits(entry.value.span))
        .then(|| Span::new(entry.key_span.start, entry.value.span.end))
}

/// Whether a text means the same in flow style, where plain text has no commas and brackets.
fn fits_flow(text: &str) -> bool {
    text.starts_with(['"', '\'', '[', '{']) || !text.contains([',', '[', ']', '{', '}'])
}
