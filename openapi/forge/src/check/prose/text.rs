//! Markdown, reduced to the prose in it.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The placeholder for code and addresses: one word that no pattern matches.
pub(super) const CODE: char = '\u{fffc}';

/// A paragraph, a list item, a heading or a cell.
#[derive(Debug, Default)]
pub(super) struct Run {
    pub text: String,
    pub in_table: bool,
}

/// The prose of a Markdown text, without fenced blocks and HTML.
pub(super) fn runs(markdown: &str) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut run = Run::default();
    let mut in_code = false;
    let mut in_table = false;
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        let ends = match event {
            Event::Text(text) if !in_code => {
                run.text.push_str(&without_addresses(&text));
                false
            }
            Event::Code(_) => {
                run.text.push(CODE);
                false
            }
            Event::SoftBreak | Event::HardBreak => {
                run.text.push(' ');
                false
            }
            Event::Start(Tag::CodeBlock(_)) => {
                in_code = true;
                true
            }
            Event::End(TagEnd::CodeBlock) => {
                in_code = false;
                true
            }
            Event::Start(Tag::Table(_)) => {
                in_table = true;
                true
            }
            Event::End(TagEnd::Table) => {
                in_table = false;
                true
            }
            Event::Start(tag) => !is_inline(&tag.to_end()),
            Event::End(tag) => !is_inline(&tag),
            _ => false,
        };
        if ends {
            runs.push(std::mem::take(&mut run));
        }
        run.in_table = in_table;
    }
    runs.push(run);
    runs.retain(|run| !run.text.trim().is_empty());
    runs
}

fn is_inline(tag: &TagEnd) -> bool {
    matches!(
        tag,
        TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image
    )
}

fn without_addresses(text: &str) -> String {
    if !text.contains("://") {
        return text.to_owned();
    }
    let words = text.split(' ').map(|word| match word.contains("://") {
        true => CODE.to_string(),
        false => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Plain text, with each part between backticks or braces as one word.
pub(super) fn without_code(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(['`', '{']) {
        let close = if rest[start..].starts_with('`') {
            '`'
        } else {
            '}'
        };
        let Some(length) = rest[start + 1..].find(close) else {
            break;
        };
        plain.push_str(&rest[..start]);
        plain.push(CODE);
        rest = &rest[start + 1 + length + 1..];
    }
    plain.push_str(rest);
    without_addresses(&plain)
}

/// The sentences of a run, words separated by one space.
pub(super) fn sentences(run: &str) -> Vec<String> {
    let is_word = |word: &&str| word.contains(|c: char| c.is_alphanumeric() || c == CODE);
    let words: Vec<&str> = run.split_whitespace().filter(is_word).collect();
    let mut sentences = Vec::new();
    let mut sentence: Vec<&str> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        sentence.push(word);
        let bare = word.trim_end_matches([')', '"', '\'', '*']);
        let next = words.get(at + 1).and_then(|next| next.chars().next());
        let starts = next.is_none_or(|c| !c.is_lowercase());
        if bare.ends_with(['.', '!', '?']) && starts {
            sentences.push(sentence.join(" "));
            sentence.clear();
        }
    }
    if !sentence.is_empty() {
        sentences.push(sentence.join(" "));
    }
    sentences
}
