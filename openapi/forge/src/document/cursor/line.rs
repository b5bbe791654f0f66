//! The dashes and the key with which a line of YAML begins.

/// A dash or a key, with its column.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::document) enum Element<'t> {
    Dash(usize),
    Key(usize, &'t str),
}

/// A line, or the part of it before the cursor.
pub(in crate::document) struct Line<'t> {
    /// Dashes, and then the key, if there is one.
    pub(in crate::document) elements: Vec<Element<'t>>,
    /// The text behind them.
    pub(in crate::document) rest: &'t str,
    /// The column of the text behind them.
    rest_column: usize,
}

impl<'t> Line<'t> {
    pub(in crate::document) fn parse(line: &'t str) -> Line<'t> {
        let mut elements = Vec::new();
        let mut rest = line.trim_end_matches('\r').trim_start_matches(' ');
        let column = |rest: &str| line.trim_end_matches('\r').len() - rest.len();
        if rest.starts_with('#') {
            rest = "";
        }
        while let Some(behind) = rest.strip_prefix('-')
            && (behind.is_empty() || behind.starts_with(' '))
        {
            elements.push(Element::Dash(column(rest)));
            rest = behind.trim_start_matches(' ');
        }
        let rest_column = column(rest);
        if let Some((key, behind)) = key(rest) {
            elements.push(Element::Key(rest_column, key));
            rest = behind;
        }
        Line {
            elements,
            rest: rest.trim_start_matches(' '),
            rest_column,
        }
    }

    /// Whether the line has a key.
    pub(in crate::document) fn has_key(&self) -> bool {
        matches!(self.elements.last(), Some(Element::Key(..)))
    }

    /// The column of the key, or of the last dash if there is no key.
    pub(in crate::document) fn last_column(&self) -> Option<usize> {
        self.elements.last().map(|element| match element {
            Element::Dash(column) | Element::Key(column, _) => *column,
        })
    }

    /// The column of the key, or of the word that may become one.
    pub(super) fn column(&self) -> usize {
        self.rest_column
    }
}

/// The key at the beginning of a text, and the text behind its colon.
fn key(text: &str) -> Option<(&str, &str)> {
    let (key, behind) = match text.chars().next()? {
        quote @ ('"' | '\'') => {
            let inner = &text[1..];
            let end = inner.find(quote)?;
            (&inner[..end], inner[end + 1..].strip_prefix(':')?)
        }
        '{' | '[' | '#' | '&' | '*' | '!' | '|' | '>' | '%' | '@' | '`' => return None,
        _ => {
            let mut colons = text.match_indices(':').map(|(at, _)| at);
            let end =
                colons.find(|at| matches!(text[at + 1..].chars().next(), None | Some(' ')))?;
            (text[..end].trim_end(), &text[end + 1..])
        }
    };
    (behind.is_empty() || behind.starts_with(' ')).then_some((key, behind))
}
