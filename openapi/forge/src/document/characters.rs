//! Characters that look like those of YAML and JSON, and are others to a parser.

use super::{Diagnostic, Source, Span};

/// The characters that look like a sign or a space of the notation, or like nothing. Each has its name in Unicode and the
/// text to write in its place. In a value, many of them are right: `structure::stray_characters` lists the others.
const LOOKALIKES: [(char, &str, &str); 34] = [
    ('\u{a0}', "NO-BREAK SPACE", " "),
    ('\u{ad}', "SOFT HYPHEN", ""),
    ('\u{2002}', "EN SPACE", " "),
    ('\u{2003}', "EM SPACE", " "),
    ('\u{2009}', "THIN SPACE", " "),
    ('\u{200b}', "ZERO WIDTH SPACE", ""),
    ('\u{200c}', "ZERO WIDTH NON-JOINER", ""),
    ('\u{200d}', "ZERO WIDTH JOINER", ""),
    ('\u{200e}', "LEFT-TO-RIGHT MARK", ""),
    ('\u{200f}', "RIGHT-TO-LEFT MARK", ""),
    ('\u{2010}', "HYPHEN", "-"),
    ('\u{2011}', "NON-BREAKING HYPHEN", "-"),
    ('\u{2013}', "EN DASH", "-"),
    ('\u{2014}', "EM DASH", "-"),
    ('\u{2018}', "LEFT SINGLE QUOTATION MARK", "'"),
    ('\u{2019}', "RIGHT SINGLE QUOTATION MARK", "'"),
    ('\u{201a}', "SINGLE LOW-9 QUOTATION MARK", "'"),
    ('\u{201c}', "LEFT DOUBLE QUOTATION MARK", "\""),
    ('\u{201d}', "RIGHT DOUBLE QUOTATION MARK", "\""),
    ('\u{201e}', "DOUBLE LOW-9 QUOTATION MARK", "\""),
    ('\u{2028}', "LINE SEPARATOR", " "),
    ('\u{202f}', "NARROW NO-BREAK SPACE", " "),
    ('\u{2060}', "WORD JOINER", ""),
    ('\u{2212}', "MINUS SIGN", "-"),
    ('\u{3000}', "IDEOGRAPHIC SPACE", " "),
    ('\u{feff}', "ZERO WIDTH NO-BREAK SPACE", ""),
    ('\u{ff03}', "FULLWIDTH NUMBER SIGN", "#"),
    ('\u{ff0c}', "FULLWIDTH COMMA", ","),
    ('\u{ff0d}', "FULLWIDTH HYPHEN-MINUS", "-"),
    ('\u{ff1a}', "FULLWIDTH COLON", ":"),
    ('\u{ff3b}', "FULLWIDTH LEFT SQUARE BRACKET", "["),
    ('\u{ff3d}', "FULLWIDTH RIGHT SQUARE BRACKET", "]"),
    ('\u{ff5b}', "FULLWIDTH LEFT CURLY BRACKET", "{"),
    ('\u{ff5d}', "FULLWIDTH RIGHT CURLY BRACKET", "}"),
];

/// One of these characters in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unusual {
    /// Its offset in the text.
    pub(crate) at: usize,
    /// The text to write in its place; empty if it has to be removed.
    pub(crate) plain: &'static str,
    character: char,
    name: &'static str,
}

impl Unusual {
    /// The character for messages: `U+FF1A FULLWIDTH COLON`.
    pub(crate) fn describe(&self) -> String {
        format!("U+{:04X} {}", u32::from(self.character), self.name)
    }

    /// How to replace it.
    pub(crate) fn help(&self) -> String {
        match self.plain {
            "" => "remove it".to_owned(),
            " " => "write a space in its place".to_owned(),
            ":" => "write a colon and a space in its place".to_owned(),
            plain => format!("write `{plain}` in its place"),
        }
    }

    /// Its position, for a text that begins at an offset.
    pub(crate) fn span(&self, offset: usize) -> Span {
        let start = offset + self.at;
        Span::new(start, start + self.character.len_utf8())
    }

    /// Whether nothing is seen of it.
    pub(crate) fn is_blank(&self) -> bool {
        matches!(self.plain, "" | " ")
    }

    /// Whether it looks like a quote.
    pub(crate) fn is_quote(&self) -> bool {
        matches!(self.plain, "'" | "\"")
    }
}

/// The unusual characters of a text, in their order.
pub(crate) fn unusual(text: &str) -> impl Iterator<Item = Unusual> {
    text.char_indices().filter_map(|(at, c)| {
        let (character, name, plain) =
            *LOOKALIKES.iter().find(|(character, ..)| *character == c)?;
        Some(Unusual {
            at,
            plain,
            character,
            name,
        })
    })
}

/// A text with plain characters in place of the unusual ones.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match LOOKALIKES.iter().find(|(character, ..)| *character == c) {
            Some((_, _, instead)) => plain.push_str(instead),
            None => plain.push(c),
        }
    }
    plain
}

/// A name with plain characters, without spaces and quotes around it.
pub(crate) fn name(text: &str) -> String {
    let plain = plain(text);
    plain.trim_matches([' ', '\'', '"']).to_owned()
}

impl Source {
    /// The first unusual character of a span, with its position.
    pub(crate) fn unusual(&self, span: Span) -> Option<(Unusual, Span)> {
        let first = unusual(self.text_of(span)?).next()?;
        Some((first, first.span(span.start)))
    }

    /// The finding about a reference with an unusual character. `span` is that of the reference.
    pub(super) fn unusual_reference(&self, text: &str, span: Span) -> Option<Diagnostic> {
        let (unusual, at) = self.unusual(span)?;
        let message = format!("`{text}` has the character {}", unusual.describe());
        let finding = Diagnostic::error("unresolved-reference", span, message);
        Some(finding.related(at, "this character").help(unusual.help()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_is_named_with_its_place() {
        let found: Vec<_> = unusual("type\u{ff1a}a\u{200b}").collect();
        let described: Vec<_> = found.iter().map(Unusual::describe).collect();
        assert_eq!(
            described,
            ["U+FF1A FULLWIDTH COLON", "U+200B ZERO WIDTH SPACE"]
        );
        assert_eq!(found[1].span(10), Span::new(18, 21));
        let help: Vec<_> = found.iter().map(Unusual::help).collect();
        assert_eq!(
            help,
            ["write a colon and a space in its place", "remove it"]
        );
        assert_eq!(unusual("é: 'a', [b] — c").count(), 1);
    }

    #[test]
    fn a_name_is_cleaned() {
        assert_eq!(name("\u{a0}type\u{200b}"), "type");
        assert_eq!(name("\u{201c}A\u{201d}"), "A");
        assert_eq!(plain("\u{2212}5"), "-5");
    }
}
