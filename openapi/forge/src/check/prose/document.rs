//! Checks the prose in a document: summaries, descriptions, titles, and texts in examples.

use super::remarks::{MAX_WORDS, REPEATS, Remark, locate, sentences, verb, words, words_of_plain};
use crate::check::document_index::{DocumentIndex, LocatedNode, has_names};
use crate::check::lint;
use crate::document::{Diagnostic, Diagnostics, Document, Span};

/// Members of error bodies that have a text for people. Other members of examples are data.
const ERROR_TEXTS: [&str; 5] = [
    "detail",
    "error_description",
    "errorDescription",
    "message",
    "reason",
];

/// All findings in a document, in its order.
pub fn check(document: &Document) -> Diagnostics {
    let index = DocumentIndex::new(document);
    let mut texts = Texts {
        document,
        findings: Diagnostics::default(),
    };
    texts.walk(&index.root());
    for operation in &index.operations {
        if let Some(summary) = operation.place.get("summary") {
            let text = summary.node.as_str().unwrap_or_default();
            let first = text.split_whitespace().next().unwrap_or_default();
            texts.remarks(&summary, verb(first).into_iter().collect());
        }
    }
    texts.findings.sort();
    texts.findings
}

/// The findings in all members of this name, anywhere in a YAML document.
pub fn check_members(document: &Document, name: &str) -> Diagnostics {
    let mut texts = Texts {
        document,
        findings: Diagnostics::default(),
    };
    texts.members(&LocatedNode::root(document), name);
    texts.findings.sort();
    texts.findings
}

struct Texts<'d> {
    document: &'d Document,
    findings: Diagnostics,
}

impl Texts<'_> {
    fn walk(&mut self, place: &LocatedNode<'_>) {
        for element in place.elements() {
            self.walk(&element);
        }
        // A key `description` there is a name, and not prose.
        let named = has_names(&place.pointer);
        for (key, value) in place.entries() {
            let text = value.node.as_str();
            match (key, text) {
                ("default" | "enum", _) if !named => {}
                ("example", _) if !named => self.example(&value),
                // The examples of a schema, which are a list.
                ("examples", _) if value.node.as_array().is_some() => self.example(&value),
                ("value", _) if is_example(place) => self.example(&value),
                ("summary" | "title" | "description", Some(text)) if !named => {
                    self.remarks(&value, words(text));
                    self.remarks(&value, sentences(text));
                    if key == "summary" {
                        self.findings.extend(lint::period(&value));
                    }
                    if key == "description" {
                        self.repeats(place, &value, text);
                    }
                }
                _ => {
                    if place.pointer.ends_with("/x-scopes")
                        && let Some(text) = text
                    {
                        self.remarks(&value, words(text));
                    }
                    self.walk(&value);
                }
            }
        }
    }

    fn members(&mut self, place: &LocatedNode<'_>, name: &str) {
        for element in place.elements() {
            self.members(&element, name);
        }
        for (key, value) in place.entries() {
            match value.node.as_str() {
                Some(text) if key == name => {
                    self.remarks(&value, words(text));
                    self.remarks(&value, sentences(text));
                }
                _ => self.members(&value, name),
            }
        }
    }

    /// Checks the texts of the service in an example. Everything else there is data.
    fn example(&mut self, place: &LocatedNode<'_>) {
        for element in place.elements() {
            self.example(&element);
        }
        for (key, value) in place.entries() {
            match value.node.as_str() {
                Some(text) if ERROR_TEXTS.contains(&key) => {
                    self.remarks(&value, words_of_plain(text));
                }
                _ => self.example(&value),
            }
        }
    }

    fn remarks(&mut self, place: &LocatedNode<'_>, remarks: Vec<Remark>) {
        let whole = place.node.span;
        let raw = self.document.source.text_of(whole);
        for remark in remarks {
            let found = raw.and_then(|raw| locate(raw, &remark.words));
            let span = found.map_or(whole, |(start, end)| {
                Span::new(whole.start + start, whole.start + end)
            });
            self.findings
                .push(Diagnostic::error(remark.rule, span, remark.message).help(remark.help));
        }
    }

    /// Reports a description that only repeats the name of its object.
    fn repeats(&mut self, owner: &LocatedNode<'_>, description: &LocatedNode<'_>, text: &str) {
        let (parent, key) = owner.pointer.rsplit_once('/').unwrap_or_default();
        let name = match owner.text("name") {
            Some(name) => name,
            None if has_names(parent) => key,
            None => return,
        };
        let name = plain_words(name);
        let text_words: Vec<_> = plain_words(text)
            .into_iter()
            .filter(|word| !EMPTY.contains(&word.as_str()))
            .collect();
        if text_words.len() < MAX_WORDS && text_words.iter().all(|word| name.contains(word)) {
            self.findings.push(
                Diagnostic::error(
                    REPEATS,
                    description.node.span,
                    "the description repeats the name",
                )
                .help("say what a reader cannot see from the name: unit, form, effect, example"),
            );
        }
    }
}

/// Words that add nothing to a name, as [`plain_words`] returns them: `thi` is `this`.
const EMPTY: [&str; 12] = [
    "a", "an", "field", "for", "in", "is", "object", "of", "the", "thi", "to", "value",
];

/// The words of a name or a text: lower case, without a plural's `s`.
fn plain_words(text: &str) -> Vec<String> {
    let snake = heck::AsSnakeCase(text).to_string();
    let words = snake.split('_').filter(|word| !word.is_empty());
    words
        .map(|word| word.trim_end_matches('s').to_owned())
        .collect()
}

fn is_example(place: &LocatedNode<'_>) -> bool {
    let parent = place.pointer.rsplit_once('/').unwrap_or_default().0;
    parent.ends_with("/examples") && has_names(parent)
}
