//! The brackets of a line that are open at its end.

/// A part of the way into the brackets.
pub(super) enum Segment {
    Key(String),
    Index(usize),
}

/// The place at the end of a text that follows a key or a dash.
pub(super) struct Inline<'t> {
    /// The way into the brackets.
    pub(super) path: Vec<Segment>,
    /// Whether a value is typed; `None` outside of brackets.
    pub(super) is_value: Option<bool>,
    /// The word at the end.
    pub(super) word: &'t str,
    /// The quote before the word.
    pub(super) quote: Option<char>,
}

/// An open bracket.
enum Open {
    Brace(Option<String>),
    Bracket(usize),
}

/// Reads a text up to its end.
pub(super) fn parse(text: &str) -> Inline<'_> {
    let mut open: Vec<Open> = Vec::new();
    let (mut start, mut quote): (usize, Option<char>) = (0, None);
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let is_begin = text[start..at].trim().is_empty();
        match c {
            _ if quote == Some(c) => quote = None,
            '\\' if quote == Some('"') => _ = chars.next(),
            _ if quote.is_some() => {}
            '"' | '\'' if is_begin => (start, quote) = (at, Some(c)),
            '{' | '[' if is_begin => {
                open.push(match c {
                    '{' => Open::Brace(None),
                    _ => Open::Bracket(0),
                });
                start = at + 1;
            }
            '}' | ']' if !open.is_empty() => {
                open.pop();
                start = at + 1;
            }
            ',' => match open.last_mut() {
                Some(Open::Brace(key)) => (*key, start) = (None, at + 1),
                Some(Open::Bracket(index)) => (*index, start) = (*index + 1, at + 1),
                None => {}
            },
            ':' if chars.peek().is_none_or(|(_, next)| *next == ' ') => {
                if let Some(Open::Brace(key @ None)) = open.last_mut() {
                    let name = text[start..at].trim().trim_matches(['"', '\'']);
                    (*key, start) = (Some(name.to_owned()), at + 1);
                }
            }
            _ => {}
        }
    }
    let is_value = open.last().map(|open| matches!(open, Open::Brace(Some(_))));
    let path = open.into_iter().filter_map(|open| match open {
        Open::Brace(key) => key.map(Segment::Key),
        Open::Bracket(index) => Some(Segment::Index(index)),
    });
    let word = text[start..].trim_start();
    Inline {
        path: path.collect(),
        is_value,
        word: match quote {
            Some(quote) => word.trim_start_matches(quote),
            None => word,
        },
        quote,
    }
}
