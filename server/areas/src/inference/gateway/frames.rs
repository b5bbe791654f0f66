//! Cuts a stream's bytes at the ends of events.
//!
//! A parser of events, such as `dropforge-events`, copies each line. This module passes whole
//! events on as they arrived, and copies only an event that ends in a later piece.

use bytes::{Bytes, BytesMut};

/// The maximum size of an event. The clients of this service have the same limit.
const MAX_EVENT_BYTES: usize = 16 << 20;
/// A byte order mark in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The incomplete last event of a stream. Each byte is scanned once.
#[derive(Debug, Default)]
pub struct Frames {
    /// The beginning of an incomplete event.
    held: BytesMut,
    /// Whether the first events have been returned.
    has_begun: bool,
}

/// An event that exceeds the maximum size.
#[derive(Debug, thiserror::Error)]
#[error("an event is larger than {MAX_EVENT_BYTES} bytes")]
pub struct EventTooLarge;

impl Frames {
    /// The buffered bytes and `piece`, up to the end of the last whole event.
    ///
    /// # Errors
    ///
    /// When an event exceeds the maximum size.
    pub fn take_whole(&mut self, piece: Bytes) -> Result<Option<Bytes>, EventTooLarge> {
        let events = if self.held.is_empty() {
            let end = end_of_last(&piece);
            self.held.extend_from_slice(&piece[end..]);
            piece.slice(..end)
        } else {
            // The buffer has no empty line, but may end with up to three of the four bytes CR LF CR LF.
            let from = self.held.len().saturating_sub(3);
            self.held.extend_from_slice(&piece);
            match end_of_last(&self.held[from..]) {
                0 => Bytes::new(),
                end => self.held.split_to(from + end).freeze(),
            }
        };
        if self.held.len() > MAX_EVENT_BYTES {
            return Err(EventTooLarge);
        }
        Ok(Some(self.without_byte_order_mark(events)).filter(|events| !events.is_empty()))
    }

    /// The buffered bytes at the end of the stream, as if an empty line followed.
    pub fn take_rest(&mut self) -> Option<Bytes> {
        let mut rest = std::mem::take(&mut self.held);
        if rest.is_empty() {
            return None;
        }
        rest.extend_from_slice(b"\n\n");
        Some(self.without_byte_order_mark(rest.freeze()))
    }

    /// The first events without a byte order mark, which does not belong to them, and all others
    /// unchanged.
    fn without_byte_order_mark(&mut self, events: Bytes) -> Bytes {
        let is_first = !self.has_begun && !events.is_empty();
        self.has_begun |= is_first;
        match is_first && events.starts_with(BYTE_ORDER_MARK) {
            true => events.slice(BYTE_ORDER_MARK.len()..),
            false => events,
        }
    }
}

/// The end of the last whole event in `bytes`: after the last empty line. A line ends with CR LF,
/// LF or CR (WHATWG HTML, section 9.2.5).
fn end_of_last(bytes: &[u8]) -> usize {
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let mut end = bytes.len();
    while let Some(at) = bytes[..end].iter().rposition(is_end) {
        let line_end = match bytes[..at].last() {
            Some(b'\r') if bytes[at] == b'\n' => at - 1,
            _ => at,
        };
        if bytes[..line_end].last().is_some_and(is_end) {
            return at + 1;
        }
        end = line_end;
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_ends_at_an_empty_line_of_any_line_end() {
        for (text, end) in [
            ("", 0),
            ("data: 1", 0),
            ("data: 1\n", 0),
            ("data: 1\r\n", 0),
            ("data: 1\n\n", 9),
            ("data: 1\r\n\r\n", 11),
            ("data: 1\r\r", 9),
            ("data: 1\n\ndata: 2\n", 9),
            ("data: 1\n\ndata: 2\n\n: x", 18),
        ] {
            assert_eq!(end_of_last(text.as_bytes()), end, "{text:?}");
        }
    }

    #[test]
    fn an_event_in_many_pieces_is_scanned_once() {
        // A scan of the whole buffer for each piece would read 2^41 bytes.
        let mut frames = Frames::default();
        let pieces = MAX_EVENT_BYTES / 64 - 1;
        for _ in 0..pieces {
            let piece = Bytes::from_static(&[b'x'; 64]);
            assert!(
                frames
                    .take_whole(piece)
                    .expect("within the bound")
                    .is_none()
            );
        }
        for piece in ["\r", "\n\r"] {
            assert!(frames.take_whole(piece.into()).is_ok());
        }
        let rest = frames.take_whole("\ny\n\n".into()).expect("a whole event");
        assert_eq!(rest.as_deref(), Some(&b"\ny\n\n"[..]));
    }
}
