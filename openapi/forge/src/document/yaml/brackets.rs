//! The brackets of a flow collection, and the texts in quotes in it.

/// A flow collection, up to its end or to a byte before that.
#[derive(Debug, Default)]
pub(super) struct Brackets {
    /// The offsets of the brackets that are open at the end.
    pub(super) open: Vec<usize>,
    /// The offset of the last comment.
    pub(super) comment: Option<usize>,
    /// The offsets of the quotes around the last text in quotes.
    pub(super) quoted: Option<(usize, usize)>,
    /// The offset of the end.
    pub(super) end: usize,
}

/// Reads the collection whose bracket is at `start`. Ends with the bracket that closes it, with a
/// closing bracket of the other kind, or at `limit`.
pub(super) fn read(text: &str, start: usize, limit: usize) -> Brackets {
    let mut brackets = Brackets {
        end: limit,
        ..Brackets::default()
    };
    // Within a word, a quote has no meaning.
    let mut in_word = false;
    let mut before = ' ';
    let mut chars = text[start..limit].char_indices().peekable();
    while let Some((index, c)) = chars.next() {
        let at = start + index;
        let previous = std::mem::replace(&mut before, c);
        match c {
            '#' if previous.is_whitespace() => {
                brackets.comment = Some(at);
                while chars.next_if(|(_, c)| *c != '\n').is_some() {}
            }
            '"' | '\'' if !in_word => {
                let Some(close) = closing_quote(text, at, limit) else {
                    return brackets;
                };
                brackets.quoted = Some((at, close));
                while chars
                    .next_if(|(index, _)| start + *index <= close)
                    .is_some()
                {}
            }
            '{' | '[' => {
                brackets.open.push(at);
                in_word = false;
            }
            '}' | ']' => {
                let opening = brackets
                    .open
                    .last()
                    .map(|open| text[*open..].chars().next());
                let is_match =
                    matches!((opening.flatten(), c), (Some('{'), '}') | (Some('['), ']'));
                if is_match {
                    brackets.open.pop();
                }
                if !is_match || brackets.open.is_empty() {
                    brackets.end = at + 1;
                    return brackets;
                }
                in_word = false;
            }
            ',' => in_word = false,
            ':' if !in_word || chars.peek().is_none_or(|(_, c)| c.is_whitespace()) => {
                in_word = false;
            }
            c => in_word |= !c.is_whitespace(),
        }
    }
    brackets
}

/// The offset behind the bracket that closes the one at `start`.
pub(super) fn end(text: &str, start: usize) -> Option<usize> {
    let brackets = read(text, start, text.len());
    brackets.open.is_empty().then_some(brackets.end)
}

/// The offset of the quote that closes the one at `start`, if it is before `limit`.
pub(super) fn closing_quote(text: &str, start: usize, limit: usize) -> Option<usize> {
    let mut chars = text.get(start..limit)?.char_indices().peekable();
    let (_, quote) = chars.next()?;
    while let Some((index, c)) = chars.next() {
        match c {
            '\\' if quote == '"' => _ = chars.next(),
            // A single quote that is written twice is one of the text.
            '\'' if c == quote && chars.peek().is_some_and(|(_, next)| *next == quote) => {
                _ = chars.next();
            }
            c if c == quote => return Some(start + index),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_end_where_quotes_words_and_comments_allow_it() {
        for (text, expected) in [
            ("{a: [1, 2]} b", Some("{a: [1, 2]}")),
            ("{a: it's, b: ']'}]", Some("{a: it's, b: ']'}")),
            (
                "['it''s]', \"\\\"]\", \"x\":\"]\"]]",
                Some("['it''s]', \"\\\"]\", \"x\":\"]\"]"),
            ),
            ("{a: b#c, d: e # }\n}", Some("{a: b#c, d: e # }\n}")),
            ("[a # ]\n]", Some("[a # ]\n]")),
            ("[a", None),
            ("[a}", None),
            ("[{a: b]", None),
        ] {
            let found = end(text, 0).map(|end| &text[..end]);
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn the_open_brackets_and_the_last_quotes_are_known() {
        let text = "x: [{a: 'b', c: \"d\" # e\n";
        let found = read(text, 3, text.len());
        assert_eq!(found.open, [3, 4]);
        assert_eq!(found.quoted, Some((16, 18)));
        assert_eq!(found.comment, Some(20));
    }
}
