//! Block scalars (`|` and `>`), whose lines are text: no sign in them has a meaning.

use super::indentation::width;
use super::open::without_properties;
use crate::document::cursor::Line;

/// Whether the line that begins at an offset of a text is a line of a block scalar.
pub(super) fn is_in_block(text: &str, start: usize) -> bool {
    let line = text[start..].lines().next().unwrap_or_default();
    // The lowest indentation of the lines so far, and that of the last one.
    let mut lowest = width(line);
    let mut below = lowest;
    for above in text[..start].lines().rev() {
        if above.trim().is_empty() {
            continue;
        }
        if width(above) < lowest
            && let Some(header) = Header::parse(above)
        {
            let indentation = header.indentation.unwrap_or(below);
            if lowest >= indentation && lowest > header.column {
                return true;
            }
        }
        below = width(above);
        lowest = lowest.min(below);
    }
    false
}

/// The line above a block.
struct Header {
    /// The column of the key or dash that has the block as its value.
    column: usize,
    /// The indentation of the text, if the header has it. Otherwise the first line of the text does.
    indentation: Option<usize>,
}

impl Header {
    fn parse(line: &str) -> Option<Header> {
        let parsed = Line::parse(line);
        let column = parsed.last_column()?;
        let value = without_properties(parsed.rest);
        let value = value.split(" #").next().unwrap_or_default().trim_end();
        let indicators = value.strip_prefix(['|', '>'])?;
        let is_sign = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-');
        let step = indicators.bytes().find(u8::is_ascii_digit);
        indicators.chars().all(is_sign).then_some(Header {
            column,
            indentation: step.map(|digit| column + usize::from(digit - b'0')),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the last line of a text is in a block.
    fn is_last_in_block(text: &str) -> bool {
        let start = text.trim_end().rfind('\n').map_or(0, |end| end + 1);
        is_in_block(text, start)
    }

    #[test]
    fn the_lines_below_a_header_are_in_its_block() {
        for text in [
            "a: |\n  b\n",
            "a: >-\n  b\n\n    c\n  d\n",
            "- a: |+ # text\n    b\n",
            "- |\n  b\n",
            "a: &b |\n  c\n",
            "a: |2\n     b\n  c\n",
            "a: |\n  b: |\n  c\n",
        ] {
            assert!(is_last_in_block(text), "{text}");
        }
    }

    #[test]
    fn other_lines_are_in_no_block() {
        for text in [
            "a: b\n",
            "a: |\n",
            "a: |\n  b\nc: d\n",
            "- a: |\n    b\n  c: d\n",
            "a: |\n    b\n  c: d\n",
            "a: b |\n  c\n",
            "a: '|'\n  b\n",
            "a: |\n  b\n# c\n  d\n",
        ] {
            assert!(!is_last_in_block(text), "{text}");
        }
    }
}
