//! The text that the built-in models repeat.

use accord_inference_server::types;
use chrono::{DateTime, Utc};

use crate::kernel::Random;

/// The maximum size of the text of all choices, with the overhead of their pieces, in bytes.
const MAX_BYTES: usize = 16 << 20;
/// The overhead of one choice's piece in the events of a stream, in bytes.
const OVERHEAD: usize = 128;

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
    /// Repeats `text` up to the first of the `stops`, in at most `limit` pieces, and in fewer if all
    /// `choices` would exceed the maximum size.
    pub(super) fn new(text: &str, stops: &[String], limit: Option<i64>, choices: i64) -> Echo {
        let stops = stops.iter().filter(|stop| !stop.is_empty());
        let end = stops.filter_map(|stop| text.find(stop.as_str())).min();
        let limit = limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(0));
        let mut left = MAX_BYTES / usize::try_from(choices).unwrap_or(1).max(1);
        let mut echo = Echo {
            pieces: Vec::new(),
            is_cut: false,
        };
        for piece in split(&text[..end.unwrap_or(text.len())]) {
            let size = piece.len() + OVERHEAD;
            if echo.pieces.len() >= limit || size > left {
                echo.is_cut = true;
                break;
            }
            left -= size;
            echo.pieces.push(piece.to_owned());
        }
        echo
    }

    pub(super) fn text(&self) -> String {
        self.pieces.concat()
    }

    pub(super) fn tokens(&self) -> usize {
        self.pieces.len()
    }
}

/// Splits a text into words, each with the white space before it.
pub(super) fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let is_text = |character: char| !character.is_whitespace();
        let word = rest.find(is_text).unwrap_or(rest.len());
        let length = rest[word..].find(char::is_whitespace);
        let (piece, after) = rest.split_at(length.map_or(rest.len(), |length| word + length));
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
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
            let split: Vec<_> = split(text).collect();
            assert_eq!(split, pieces);
            assert_eq!(split.concat(), text);
        }
    }

    #[test]
    fn a_text_ends_at_the_first_stop_or_at_the_limit() {
        let echo = |stops: &[&str], limit| {
            let stops: Vec<String> = stops.iter().map(ToString::to_string).collect();
            let echo = Echo::new("one two three", &stops, limit, 1);
            (echo.text(), echo.is_cut)
        };
        assert_eq!(echo(&[], None), ("one two three".into(), false));
        assert_eq!(echo(&["three", " two"], None), ("one".into(), false));
        assert_eq!(echo(&[""], Some(2)), ("one two".into(), true));
        assert_eq!(echo(&[], Some(3)), ("one two three".into(), false));
        assert_eq!(echo(&[], Some(-1)), (String::new(), true));
    }

    #[test]
    fn all_choices_together_are_bounded() {
        let text = "a ".repeat(MAX_BYTES / 4);
        for (choices, pieces) in [(1, 1 << 17), (128, 1 << 10)] {
            let echo = Echo::new(&text, &[], None, choices);
            assert!((pieces * 9 / 10..pieces).contains(&echo.tokens()));
            assert!(echo.is_cut);
        }
        let word = "a".repeat(10 << 20);
        assert_eq!(Echo::new(&word, &[], None, 1).text(), word);
        assert!(Echo::new(&word, &[], None, 2).is_cut);
    }
}
