//! The place in YAML at which somebody types.
//!
//! A text that is being typed is often not valid YAML. So the place is found from the indentation
//! of the lines above it, and from the brackets on its own line, without a parser. Brackets that
//! span several lines are not followed.

mod flow;
mod line;

use self::flow::Segment;
use self::line::Element;
pub(super) use self::line::Line;
use super::pointer;

/// The place at which somebody types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    /// The JSON Pointer of the value that is typed, or of the object whose key is typed.
    pub pointer: String,
    /// Whether a value follows a key on this line. Otherwise a key is typed, or an element of a
    /// list.
    pub is_value: bool,
    /// Whether it is within brackets.
    pub is_flow: bool,
    /// The offset at which the typed word begins, behind its quote.
    pub start: usize,
    /// The quote before the word, if the word has one.
    pub quote: Option<char>,
    /// The column of the object whose key is typed.
    pub column: usize,
}

/// What the lines above have to show.
#[derive(Clone, Copy)]
enum Wanted {
    /// The parent of a mapping whose keys begin at a column.
    OfMapping(usize),
    /// The parent of a list whose dashes are at a column.
    OfList(usize),
}

impl Cursor {
    /// The place at an offset of a text.
    pub fn new(text: &str, offset: usize) -> Cursor {
        let offset = text.floor_char_boundary(offset);
        let before = &text[..offset];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let own = Line::parse(&before[line_start..]);
        let inline = flow::parse(own.rest);
        let column = own.column();
        let mut segments: Vec<Segment> = inline.path.into_iter().rev().collect();
        let mut wanted = Wanted::OfMapping(column);
        for element in own.elements.iter().rev() {
            step(element, &mut wanted, &mut segments);
        }
        for line in before[..line_start].lines().rev().map(Line::parse) {
            for element in line.elements.iter().rev() {
                climb(element, &mut wanted, &mut segments);
            }
        }
        let path = segments.iter().rev();
        let pointer = path.fold(String::new(), |at, segment| match segment {
            Segment::Key(key) => pointer::join(&at, key),
            Segment::Index(index) => pointer::join(&at, &index.to_string()),
        });
        Cursor {
            pointer,
            is_value: inline.is_value.unwrap_or(own.has_key()),
            is_flow: inline.is_value.is_some(),
            start: offset - inline.word.len(),
            quote: inline.quote,
            column,
        }
    }
}

/// Adds an element of the line itself.
fn step(element: &Element<'_>, wanted: &mut Wanted, segments: &mut Vec<Segment>) {
    match element {
        Element::Key(column, key) => {
            segments.push(Segment::Key((*key).to_owned()));
            *wanted = Wanted::OfMapping(*column);
        }
        Element::Dash(column) => {
            segments.push(Segment::Index(0));
            *wanted = Wanted::OfList(*column);
        }
    }
}

/// Adds an element of a line above, if the place is within it.
fn climb(element: &Element<'_>, wanted: &mut Wanted, segments: &mut Vec<Segment>) {
    match (*wanted, element) {
        (Wanted::OfMapping(own), Element::Key(column, _) | Element::Dash(column))
            if *column < own =>
        {
            step(element, wanted, segments);
        }
        (Wanted::OfList(own), Element::Dash(column)) if *column == own => {
            if let Some(Segment::Index(index)) = segments.last_mut() {
                *index += 1;
            }
        }
        (Wanted::OfList(own), Element::Key(column, _)) if *column <= own => {
            step(element, wanted, segments);
        }
        (Wanted::OfList(own), Element::Dash(column)) if *column < own => {
            step(element, wanted, segments);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pointer and the word at `|`; a value is marked by `=`.
    fn at(text: &str) -> String {
        let offset = text.find('|').expect("a place");
        let text = text.replacen('|', "", 1);
        let cursor = Cursor::new(&text, offset);
        let sign = if cursor.is_value { "=" } else { " " };
        format!("{}{sign}{}", cursor.pointer, &text[cursor.start..offset])
    }

    #[test]
    fn indentation_leads_to_the_object_whose_key_is_typed() {
        let text = "paths:\n  /a:\n    get:\n      # a: b\n      description: >-\n        text: more\n\n      oper|\n";
        assert_eq!(at(text), "/paths/~1a/get oper");
        assert_eq!(at("a:\n  b: 1\nc|"), " c");
        assert_eq!(at("a:\n  'b c':\n    |"), "/a/b c ");
    }

    #[test]
    fn dashes_count_the_elements_of_a_list() {
        assert_eq!(at("a:\n  - x\n  - y: 1\n    z|"), "/a/1 z");
        assert_eq!(at("a:\n- x\n- y|"), "/a/1 y");
        assert_eq!(at("a:\n  - - x\n    - y|"), "/a/0/1 y");
        assert_eq!(at("a:\n  - b: 1\n    c:\n      - d: |"), "/a/0/c/0/d=");
    }

    #[test]
    fn brackets_on_the_line_are_followed() {
        assert_eq!(at("a: {b: {c: 1}, d: [x, \"y, z\", {e: f|"), "/a/d/2/e=f");
        assert_eq!(at("a:\n  - {$ref: \"#/comp|"), "/a/0/$ref=#/comp");
        assert_eq!(at("a: {type: string, max|"), "/a max");
        assert_eq!(at("a: [b, c|"), "/a/1 c");
    }

    #[test]
    fn a_value_follows_the_colon_of_its_key() {
        assert_eq!(at("a:\n  b: wor|"), "/a/b=wor");
        assert_eq!(at("a:\n  b:|"), "/a/b=");
        assert_eq!(at("a:\n  'b': \"é|"), "/a/b=é");
    }

    #[test]
    fn no_text_and_no_offset_is_too_strange() {
        let text = "a: {\u{1f600}: ['\n - ]}:\"\t- é: {{[\n\r\n? : - -\n";
        for offset in 0..text.len() + 3 {
            let cursor = Cursor::new(text, offset);
            assert!(cursor.start <= text.len());
        }
    }
}
