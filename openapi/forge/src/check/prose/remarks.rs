//! Remarks about a text: words that should be others, and sentences that are too long.

use std::sync::LazyLock;

use regress::Regex;

use super::text;
use super::words::VERBS;
use crate::check::rule::Rule;

/// The maximum of words in a sentence.
pub const MAX_WORDS: usize = 25;

pub(super) const PHRASE: &str = "wording";
pub(super) const SPELLING: &str = "spelling";
pub(super) const SENTENCE: &str = "sentence-length";
pub(super) const VERB: &str = "summary-verb";
pub(super) const REPEATS: &str = "description-repeats";

/// The rules of this check.
pub const RULES: [Rule; 5] = [
    Rule {
        id: PHRASE,
        asks: "Texts use the terms of the field and name the agent: a list of phrases has replacements.",
    },
    Rule {
        id: SPELLING,
        asks: "Spelling is American.",
    },
    Rule {
        id: SENTENCE,
        asks: "A sentence of a document has at most 25 words.",
    },
    Rule {
        id: VERB,
        asks: "The summary of an operation and the help of a command begin with a verb of the list.",
    },
    Rule {
        id: REPEATS,
        asks: "A description says more than the name of the thing.",
    },
];

/// A finding in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// The rule.
    pub rule: &'static str,
    /// The words, as in the text but for white space.
    pub words: String,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

pub(super) struct Pattern {
    rule: &'static str,
    regex: Regex,
    instead: &'static str,
}

type List = &'static [(&'static str, &'static str)];

pub(super) static TEXTS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    patterns([
        (PHRASE, super::words::PHRASES),
        (SPELLING, super::words::SPELLINGS),
    ])
});

pub(super) static NAMES: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    patterns([
        (PHRASE, super::words::NAMES),
        (SPELLING, super::words::SPELLINGS),
    ])
});

fn patterns<const N: usize>(lists: [(&'static str, List); N]) -> Vec<Pattern> {
    lists
        .into_iter()
        .flat_map(|(rule, list)| list.iter().map(move |entry| (rule, entry)))
        .filter_map(|(rule, (pattern, instead))| {
            let pattern = pattern.replace(' ', "\\s+");
            let regex = Regex::with_flags(&format!("(?<![\\w-]){pattern}(?!\\w)"), "iu").ok()?;
            Some(Pattern {
                rule,
                regex,
                instead,
            })
        })
        .collect()
}

/// The words of a Markdown text to replace.
pub fn words(markdown: &str) -> Vec<Remark> {
    let runs = text::runs(markdown);
    runs.iter().flat_map(|run| of_list(&run.text)).collect()
}

/// The words of a plain text to replace. Only code in backticks is ignored.
pub fn words_of_plain(text: &str) -> Vec<Remark> {
    of_list(&text::without_code(text))
}

/// The words of a name in source code to replace. Each remark has the whole name.
pub fn words_of_name(name: &str) -> Vec<Remark> {
    let words = heck::AsSnakeCase(name).to_string().replace('_', " ");
    let mut remarks = matches(&NAMES, &words);
    for remark in &mut remarks {
        remark.message = format!("the name `{name}` has a word to avoid: {}", remark.message);
        remark.words = name.to_owned();
    }
    remarks
}

pub(super) fn of_list(text: &str) -> Vec<Remark> {
    matches(&TEXTS, text)
}

fn matches(patterns: &[Pattern], text: &str) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for Pattern {
        rule,
        regex,
        instead,
    } in patterns
    {
        for found in regex.find_iter(text) {
            let words = text[found.range()].to_owned();
            let is = if *rule == SPELLING {
                "British"
            } else {
                "not plain English"
            };
            remarks.push(Remark {
                rule,
                message: format!("`{words}` is {is}"),
                help: format!("write {instead}"),
                words,
            });
        }
    }
    remarks
}

/// The sentences of a Markdown text that are too long.
pub fn sentences(markdown: &str) -> Vec<Remark> {
    let runs = text::runs(markdown);
    let paragraphs = runs.iter().filter(|run| !run.in_table);
    paragraphs.flat_map(|run| of_sentences(&run.text)).collect()
}

pub(super) fn of_sentences(run: &str) -> Vec<Remark> {
    text::sentences(run)
        .into_iter()
        .filter_map(|sentence| {
            let length = sentence.split(' ').count();
            (length > MAX_WORDS).then(|| Remark {
                rule: SENTENCE,
                message: format!("the sentence has {length} words"),
                help: format!("make two of it: a sentence has at most {MAX_WORDS}"),
                words: sentence
                    .split(text::CODE)
                    .next()
                    .unwrap_or_default()
                    .trim()
                    .to_owned(),
            })
        })
        .collect()
}

/// A remark about the first word of a summary or of a command's help, if the list does not have it
/// as a verb.
pub fn verb(first: &str) -> Option<Remark> {
    let first = first.trim_end_matches([',', '.', ';']);
    let is_known = VERBS.split(' ').any(|verb| verb == first);
    (!first.is_empty() && !is_known).then(|| Remark {
        rule: VERB,
        words: first.to_owned(),
        message: format!("`{first}` is not a verb that a summary begins with"),
        help: format!("begin with one of {}", VERBS.replace(' ', ", ")),
    })
}

/// The position of a remark's words in a text with other white space.
pub fn locate(text: &str, words: &str) -> Option<(usize, usize)> {
    let wanted: Vec<&str> = words.split_whitespace().collect();
    let first = wanted.first()?;
    text.match_indices(first).find_map(|(start, _)| {
        let mut end = start;
        for word in &wanted {
            let rest = &text[end..];
            let gap = rest.len() - rest.trim_start().len();
            if end != start && gap == 0 || !rest[gap..].starts_with(word) {
                return None;
            }
            end += gap + word.len();
        }
        Some((start, end))
    })
}
