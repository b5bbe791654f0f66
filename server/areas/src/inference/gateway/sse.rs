//! The bytes of an event stream as blocks: the lines of one event and the empty
//! line that ends it (WHATWG HTML, section 9.2.5).
//!
//! A line ends with CR LF, LF or CR. A reader must split a stream as its receiver does; otherwise a
//! comment with a CR in it hides an event.
//!
//! The crate `dropforge-events` returns the texts of events. The gateway also needs their bytes,
//! because it passes most events on unchanged. So a block borrows from the stream.

use std::borrow::Cow;

use memchr::memchr2;

/// One event: its lines and the empty line after them. A block without fields is a comment, or a
/// single empty line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block<'a>(&'a [u8]);

/// Splits whole events into blocks. The last block may lack its empty line.
pub fn blocks(events: &[u8]) -> impl Iterator<Item = Block<'_>> {
    let mut rest = events;
    std::iter::from_fn(move || {
        let begin = rest;
        while let Some((line, after)) = split_line(rest) {
            rest = after;
            if line.is_empty() {
                break;
            }
        }
        let length = begin.len() - rest.len();
        (length > 0).then(|| Block(&begin[..length]))
    })
}

/// The first line, and the text after its end.
fn split_line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    if bytes.is_empty() {
        return None;
    }
    let Some(end) = memchr2(b'\n', b'\r', bytes) else {
        return Some((bytes, &[]));
    };
    let next = match &bytes[end..] {
        [b'\r', b'\n', ..] => end + 2,
        _ => end + 1,
    };
    Some((&bytes[..end], &bytes[next..]))
}

impl<'a> Block<'a> {
    /// The block, unchanged.
    pub fn bytes(self) -> &'a [u8] {
        self.0
    }

    /// The lines, without their ends.
    pub fn lines(self) -> impl Iterator<Item = &'a [u8]> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let (line, after) = split_line(rest)?;
            rest = after;
            Some(line)
        })
    }

    /// The event's name, if it has one.
    pub fn name(self) -> Option<&'a [u8]> {
        self.lines().filter_map(|line| field(line, b"event")).last()
    }

    /// The lines of data, joined by line feeds. `None` for a block that is not
    /// an event.
    pub fn data(self) -> Option<Cow<'a, [u8]>> {
        let mut lines = self.lines().filter_map(|line| field(line, b"data"));
        let first = lines.next()?;
        let mut data = Cow::Borrowed(first);
        for line in lines {
            let joined = data.to_mut();
            joined.push(b'\n');
            joined.extend_from_slice(line);
        }
        Some(data)
    }
}

/// The value of a line that is a field of this name.
pub fn field<'a>(line: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    match line.strip_prefix(name)? {
        [] => Some(&[]),
        [b':', b' ', value @ ..] | [b':', value @ ..] => Some(value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(Option<&str>, Option<String>)> {
        fn text_of(bytes: &[u8]) -> &str {
            std::str::from_utf8(bytes).expect("text")
        }
        let blocks = blocks(text.as_bytes());
        blocks
            .map(|block| {
                let data = block.data().map(|data| text_of(&data).to_owned());
                (block.name().map(text_of), data)
            })
            .collect()
    }

    #[test]
    fn lines_of_every_end_are_split_as_a_receiver_splits_them() {
        let one = (Some("a"), Some("1".to_owned()));
        let two = (None, Some("2\n3".to_owned()));
        for text in [
            "event: a\ndata: 1\n\ndata: 2\ndata:3\n\n",
            "event: a\rdata: 1\r\rdata: 2\rdata:3\r\r",
            "event: a\r\ndata: 1\r\n\r\ndata: 2\r\ndata:3\r\n\r\n",
            "event: a\ndata: 1\n\ndata: 2\ndata:3",
        ] {
            assert_eq!(read(text), [one.clone(), two.clone()], "{text:?}");
        }
        assert_eq!(read(": x\rdata: 1\n\n"), [(None, Some("1".to_owned()))]);
        assert_eq!(read(": beat\n\n"), [(None, None)]);
        assert_eq!(
            read("\ndata\n\n"),
            [(None, None), (None, Some(String::new()))]
        );
        assert_eq!(read("datax: 1\n\n"), [(None, None)]);
        assert_eq!(read(""), []);
    }

    #[test]
    fn blocks_together_are_what_was_received() {
        let text = b"\n: x\r\rdata: 1\r\n\r\ndata";
        let bytes: Vec<u8> = blocks(text)
            .flat_map(|block| block.bytes().to_vec())
            .collect();
        assert_eq!(bytes, text);
    }
}
