//! The text that the built-in models repeat.

use accord_inference_server::types;
use chrono::{DateTime, Utc};

use crate::kernel::Random;

/// The parts of a response that do not follow from its request.
#[derive(Debug, Clone)]
pub struct Stamp {
    /// The unique part of all ids.
    pub id: String,
    /// The time when the response was created.
    pub at: DateTime<Utc>,
}

impl Stamp {
    /// Generates an id for a response of this time.
    pub fn new(random: &dyn Random, at: DateTime<Utc>) -> Self {
        Stamp {
            id: random.uuid().simple().to_string(),
            at,
        }
    }
}

/// A response's text, in the pieces of a stream. A piece counts as one token.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Echo {
    pub(super) pieces: Vec<String>,
    /// Whether the limit has truncated the text.
    pub(super) is_cut: bool,
}

impl Echo {
    /// Repeats `text` up to the first of the `stops`, in at most `limit` pieces.
    pub(super) fn new(text: &str, stops: &[String], limit: Option<i64>) -> Echo {
        let stops = stops.iter().filter(|stop| !stop.is_empty());
        let end = stops.filter_map(|stop| text.find(stop.as_str())).min();
        let mut pieces = split(&text[..end.unwrap_or(text.len())]);
        let limit = limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(0));
        let is_cut = pieces.len() > limit;
        pieces.truncate(limit);
        Echo { pieces, is_cut }
    }

    pub(super) fn text(&self) -> String {
        self.pieces.concat()
    }

    pub(super) fn tokens(&self) -> usize {
        self.pieces.len()
    }
}

/// Splits a text into words, each with the white space before it.
pub(super) fn split(text: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut in_word = false;
    for (at, character) in text.char_indices() {
        let space = character.is_whitespace();
        if space && in_word {
            pieces.push(text[start..at].to_owned());
            start = at;
        }
        in_word = !space;
    }
    if start < text.len() {
        pieces.push(text[start..].to_owned());
    }
    pieces
}

/// The text of a message, or the text parts of a list.
pub(super) fn text_of(content: Option<&types::MessageContent>) -> String {
    match content {
        None => String::new(),
        Some(types::MessageContent::String(text)) => text.clone(),
        Some(types::MessageContent::Array(parts)) => {
            let texts = parts.iter().filter_map(|part| part.text.as_deref());
            texts.collect::<Vec<_>>().join("\n")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_words_and_make_up_the_whole_text() {
        for (text, pieces) in [
            ("", vec![]),
            ("Hello", vec!["Hello"]),
            ("Hello big\n world", vec!["Hello", " big", "\n world"]),
            (" a ", vec![" a", " "]),
        ] {
            let split = split(text);
            assert_eq!(split, pieces);
            assert_eq!(split.concat(), text);
        }
    }

    #[test]
    fn a_text_ends_at_the_first_stop_or_at_the_limit() {
        let echo = |stops: &[&str], limit| {
            let stops: Vec<String> = stops.iter().map(ToString::to_string).collect();
            let echo = Echo::new("one two three", &stops, limit);
            (echo.text(), echo.is_cut)
        };
        assert_eq!(echo(&[], None), ("one two three".into(), false));
        assert_eq!(echo(&["three", " two"], None), ("one".into(), false));
        assert_eq!(echo(&[""], Some(2)), ("one two".into(), true));
        assert_eq!(echo(&[], Some(3)), ("one two three".into(), false));
        assert_eq!(echo(&[], Some(-1)), (String::new(), true));
    }
}
