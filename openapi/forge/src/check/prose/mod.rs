//! The prose of documents, command lines, error texts and source code.
//!
//! Text is read as Markdown: code, fenced blocks and addresses are not prose. The rest is compared
//! with the list of [`mod@words`], and its sentences are counted.

mod document;
mod markdown;
mod remarks;
mod text;
mod words;

pub use document::{check, check_members};
pub use markdown::check_markdown;
pub use remarks::{
    MAX_WORDS, RULES, Remark, locate, sentences, verb, words, words_of_name, words_of_plain,
};

#[cfg(test)]
mod tests;
