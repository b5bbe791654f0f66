//! Checks Markdown files.

use super::remarks::{Remark, locate, of_list, of_sentences};
use super::text;
use crate::document::{Diagnostic, Diagnostics, Span};

/// The findings of the rules in a Markdown file, in its order.
pub fn check_markdown(markdown: &str) -> Diagnostics {
    let mut findings = Diagnostics::default();
    let mut cursor = 0;
    for run in text::runs(markdown) {
        // The runs come in the order of the file, so that a word is found in its own run.
        let start = locate(&markdown[cursor..], first_words(&run.text))
            .map_or(cursor, |(start, _)| cursor + start);
        cursor = start;
        let sentences = match run.in_table {
            true => Vec::new(),
            false => of_sentences(&run.text),
        };
        for remark in of_list(&run.text).into_iter().chain(sentences) {
            findings.push(finding(markdown, start, remark));
        }
    }
    findings.sort();
    findings
}

fn finding(markdown: &str, start: usize, remark: Remark) -> Diagnostic {
    let found = locate(&markdown[start..], &remark.words);
    let (from, to) = found.unwrap_or((0, 0));
    let span = Span::new(start + from, start + to);
    Diagnostic::error(remark.rule, span, remark.message).help(remark.help)
}

/// The words of a run in front of its first code or address.
fn first_words(run: &str) -> &str {
    run.split(text::CODE).next().unwrap_or_default()
}
