//! The `text/event-stream` format of the HTML standard, section 9.2.6, read piece by piece.
//!
//! Pieces end anywhere: between the bytes of a character, between `\r` and `\n`, in the middle of a field name. The
//! parser buffers only the incomplete line and event.
//!
//! The crate `eventsource-stream` would replace most of this crate. But it wraps a stream, while the contract
//! guard has pieces. It does not bound the size of an event, and invalid UTF-8 is an error.

use std::fmt;
use std::time::Duration;

/// One complete event.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Event {
    /// The `event` field; empty when the event has none, which the standard reads as `message`.
    pub name: String,
    /// The `data` fields, joined by line feeds.
    pub data: String,
    /// The last `id` field so far.
    pub id: String,
}

/// An event is larger than the limit of the parser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct EventTooLarge {
    /// The maximum number of bytes that the parser buffers.
    pub limit: usize,
}

impl fmt::Display for EventTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an event is longer than {} bytes", self.limit)
    }
}

impl std::error::Error for EventTooLarge {}

/// Reads events out of pieces of a stream.
#[derive(Debug)]
pub struct EventParser {
    /// The bytes of the line that has not ended yet.
    line: Vec<u8>,
    /// The last byte was a carriage return: a line feed that follows belongs to it.
    after_return: bool,
    /// No line has been read yet, so a byte order mark may come.
    start: bool,
    name: String,
    data: String,
    has_data: bool,
    id: String,
    retry: Option<Duration>,
    limit: usize,
}

impl Default for EventParser {
    fn default() -> Self {
        Self {
            line: Vec::new(),
            after_return: false,
            start: true,
            name: String::new(),
            data: String::new(),
            has_data: false,
            id: String::new(),
            retry: None,
            limit: 16 * 1024 * 1024,
        }
    }
}

impl EventParser {
    /// Reads a piece and passes every completed event to `sink`.
    pub fn feed(
        &mut self,
        mut piece: &[u8],
        mut sink: impl FnMut(Event),
    ) -> Result<(), EventTooLarge> {
        if self.after_return && !piece.is_empty() {
            self.after_return = false;
            piece = piece.strip_prefix(b"\n").unwrap_or(piece);
        }
        while let Some(end) = piece.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            self.keep(&piece[..end])?;
            if let Some(event) = self.end_line() {
                sink(event);
            }
            let returned = piece[end] == b'\r';
            piece = &piece[end + 1..];
            if returned {
                match piece.first() {
                    Some(b'\n') => piece = &piece[1..],
                    Some(_) => {}
                    None => self.after_return = true,
                }
            }
        }
        self.keep(piece)
    }

    /// Sets the maximum number of bytes of an event. The default is 16 MiB.
    pub fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
    }

    /// The last `retry` field so far: the time to wait before a client connects again.
    pub fn retry(&self) -> Option<Duration> {
        self.retry
    }

    /// Whether an event has begun that has not ended: the stream was cut off.
    pub fn is_within_event(&self) -> bool {
        !self.line.is_empty() || self.has_data
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<(), EventTooLarge> {
        if self.line.len() + self.data.len() + bytes.len() > self.limit {
            return Err(EventTooLarge { limit: self.limit });
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    /// Reads the line that is complete; a blank one ends the event.
    fn end_line(&mut self) -> Option<Event> {
        let bytes = std::mem::take(&mut self.line);
        let mut bytes = bytes.as_slice();
        if std::mem::take(&mut self.start) {
            bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        }
        if bytes.is_empty() {
            return self.dispatch();
        }
        let line = String::from_utf8_lossy(bytes);
        let (field, value) = match line.split_once(':') {
            // A comment.
            Some(("", _)) => return None,
            Some((field, value)) => (field, value.strip_prefix(' ').unwrap_or(value)),
            None => (&*line, ""),
        };
        match field {
            "event" => self.name = value.to_owned(),
            "data" => {
                if self.has_data {
                    self.data.push('\n');
                }
                self.has_data = true;
                self.data.push_str(value);
            }
            "id" if !value.contains('\0') => self.id = value.to_owned(),
            "retry" if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) => {
                // A number that is too large is ignored.
                self.retry = value.parse().ok().map(Duration::from_millis).or(self.retry);
            }
            // Unknown fields are ignored.
            _ => {}
        }
        None
    }

    fn dispatch(&mut self) -> Option<Event> {
        let name = std::mem::take(&mut self.name);
        let data = std::mem::take(&mut self.data);
        // The standard drops an event without data.
        std::mem::take(&mut self.has_data).then(|| Event {
            name,
            data,
            id: self.id.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pieces: &[&[u8]]) -> Vec<Event> {
        let mut parser = EventParser::default();
        let mut events = Vec::new();
        for piece in pieces {
            parser
                .feed(piece, |event| events.push(event))
                .expect("small events");
        }
        events
    }

    fn data(events: &[Event]) -> Vec<&str> {
        events.iter().map(|event| event.data.as_str()).collect()
    }

    #[test]
    fn events_end_at_a_blank_line() {
        let events = read(&[b"event: a\ndata: 1\n\ndata:2\n\ndata: lost"]);
        assert_eq!(data(&events), ["1", "2"]);
        assert_eq!(
            (events[0].name.as_str(), events[1].name.as_str()),
            ("a", "")
        );
    }

    #[test]
    fn every_split_reads_the_same() {
        let text = "\u{feff}: hi\r\nid: 7\r\ndata: gr\u{fc}n\r\ndata\r\ndata: x\r\n\r\nevent: b\rdata: \u{1f33f}\r\rdata: y\n\n".as_bytes();
        let whole = read(&[text]);
        assert_eq!(data(&whole), ["gr\u{fc}n\n\nx", "\u{1f33f}", "y"]);
        assert_eq!(whole[2].id, "7");
        for at in 0..=text.len() {
            assert_eq!(read(&[&text[..at], &text[at..]]), whole, "split at {at}");
        }
        let bytes: Vec<&[u8]> = text.chunks(1).collect();
        assert_eq!(read(&bytes), whole);
    }

    #[test]
    fn an_event_without_data_is_dropped() {
        assert_eq!(read(&[b"event: ping\n\nid: 3\n\n: only a comment\n\n"]), []);
        assert_eq!(data(&read(&[b"data\n\n"])), [""]);
    }

    #[test]
    fn an_event_beyond_the_limit_is_refused() {
        let mut parser = EventParser::default();
        parser.set_limit(16);
        for _ in 0..10 {
            parser
                .feed(b"data: 1234\n\n", |_| {})
                .expect("small events");
        }
        assert_eq!(
            parser.feed(b"data: 12345678901", |_| {}),
            Err(EventTooLarge { limit: 16 })
        );
    }

    #[test]
    fn an_event_that_is_cut_off_is_noticed() {
        let mut parser = EventParser::default();
        for (piece, expected) in [
            ("data: 1\n\n", false),
            ("da", true),
            ("ta: 2\n", true),
            ("\n", false),
        ] {
            parser.feed(piece.as_bytes(), |_| {}).expect("small events");
            assert_eq!(parser.is_within_event(), expected, "{piece:?}");
        }
    }

    #[test]
    fn the_time_to_wait_before_another_connection_is_read() {
        let mut parser = EventParser::default();
        for (field, expected) in [
            ("retry: soon", None),
            ("retry: 1500", Some(1500)),
            ("retry", Some(1500)),
            ("retry: +7", Some(1500)),
            ("retry: 99999999999999999999", Some(1500)),
            ("retry:0", Some(0)),
        ] {
            let line = format!("{field}\n");
            parser.feed(line.as_bytes(), |_| {}).expect("a small line");
            assert_eq!(
                parser.retry(),
                expected.map(Duration::from_millis),
                "{field}"
            );
        }
    }
}
