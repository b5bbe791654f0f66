//! An event stream's bytes, back into events.
//!
//! Incremental: bytes may be cut anywhere, in the middle of a line end or of a
//! character. A field's line may end in LF, CR or CRLF; the text is UTF-8 with
//! an optional byte order mark.

/// One event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Event {
    /// Its name; empty when it has none.
    pub name: String,
    /// The lines of its data, joined by line feeds.
    pub data: String,
    /// The id it sets.
    pub id: Option<String>,
}

/// An event that does not end within the bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an event is larger than {limit} bytes")]
pub struct EventTooLarge {
    /// The bound.
    pub limit: usize,
}

/// Reads events from bytes as they come.
#[derive(Debug)]
pub struct EventParser {
    line: Vec<u8>,
    after_cr: bool,
    started: bool,
    event: Event,
    has_data: bool,
    size: usize,
    limit: usize,
}

impl Default for EventParser {
    /// A parser that takes events of up to 16 MiB.
    fn default() -> Self {
        EventParser::with_limit(16 << 20)
    }
}

impl EventParser {
    /// A parser that takes events of up to `limit` bytes.
    pub fn with_limit(limit: usize) -> Self {
        EventParser {
            line: Vec::new(),
            after_cr: false,
            started: false,
            event: Event::default(),
            has_data: false,
            size: 0,
            limit,
        }
    }

    /// Takes the next bytes and hands every event that they complete to
    /// `each`.
    pub fn feed(&mut self, bytes: &[u8], mut each: impl FnMut(Event)) -> Result<(), EventTooLarge> {
        for &byte in bytes {
            let after_cr = std::mem::take(&mut self.after_cr);
            match byte {
                b'\n' if after_cr => {}
                b'\n' | b'\r' => {
                    self.after_cr = byte == b'\r';
                    if let Some(event) = self.end_line() {
                        each(event);
                    }
                }
                _ => {
                    self.size += 1;
                    if self.size > self.limit {
                        return Err(EventTooLarge { limit: self.limit });
                    }
                    self.line.push(byte);
                }
            }
        }
        Ok(())
    }

    /// Whether an event has begun that has not ended: the stream was cut.
    pub fn is_within_event(&self) -> bool {
        !self.line.is_empty() || self.has_data
    }

    fn end_line(&mut self) -> Option<Event> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        let mut line: &str = &line;
        if !std::mem::replace(&mut self.started, true) {
            line = line.strip_prefix('\u{feff}').unwrap_or(line);
        }
        if line.is_empty() {
            self.size = 0;
            let event = std::mem::take(&mut self.event);
            return std::mem::take(&mut self.has_data).then_some(event);
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.event.data.push('\n');
                }
                self.event.data.push_str(value);
            }
            "event" => value.clone_into(&mut self.event.name),
            "id" if !value.contains('\0') => self.event.id = Some(value.to_owned()),
            // Comments, `retry` and what the future brings.
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(chunks: &[&[u8]]) -> Vec<Event> {
        let mut parser = EventParser::default();
        let mut events = Vec::new();
        for chunk in chunks {
            parser.feed(chunk, |event| events.push(event)).unwrap();
        }
        events
    }

    fn event(name: &str, data: &str) -> Event {
        Event {
            name: name.into(),
            data: data.into(),
            id: None,
        }
    }

    #[test]
    fn fields_lines_and_comments_are_read_as_the_standard_says() {
        let text = "\u{feff}: hello\n\ndata: a\ndata:b\ndata\n\nevent: x\ndata:  c\nretry: 3\n\nevent: lost\n\nid: 7\ndata: d\n\n";
        let mut expected = vec![event("", "a\nb\n"), event("x", " c"), event("", "d")];
        expected[2].id = Some("7".into());
        assert_eq!(parse(&[text.as_bytes()]), expected);
    }

    #[test]
    fn cuts_may_fall_anywhere() {
        let text = "event: ä\r\ndata: ö1\r\rdata: 2\n\r\ndata: 3\r\n\r\n".as_bytes();
        let whole = parse(&[text]);
        assert_eq!(whole, [event("ä", "ö1"), event("", "2"), event("", "3")]);
        for first in 0..text.len() {
            for second in first..text.len() {
                let chunks = [&text[..first], &text[first..second], &text[second..]];
                assert_eq!(parse(&chunks), whole, "{first} {second}");
            }
        }
    }

    #[test]
    fn an_event_has_a_bound_and_the_stream_has_none() {
        let mut parser = EventParser::with_limit(16);
        for _ in 0..10 {
            parser.feed(b"data: 1234\n\n", |_| {}).unwrap();
        }
        let result = parser.feed(b"data: 12345678901", |_| {});
        assert_eq!(result, Err(EventTooLarge { limit: 16 }));
    }

    #[test]
    fn a_cut_event_is_noticed() {
        let mut parser = EventParser::default();
        parser.feed(b"data: 1\n\n", |_| {}).unwrap();
        assert!(!parser.is_within_event());
        parser.feed(b"data: 2\n", |_| {}).unwrap();
        assert!(parser.is_within_event());
    }
}
