//! Event streams in the examples of documents.
//!
//! A browser ignores malformed events. This check is strict: an author wants to know that a field
//! was misspelled or that the last event has no end.

use dropforge_events::{Event, EventParser};

/// The events of a stream, in order.
///
/// # Errors
///
/// The first defect, in a sentence.
pub(super) fn parse(text: &str) -> Result<Vec<Event>, String> {
    for (index, line) in text.lines().enumerate() {
        let field = line.split(':').next().unwrap_or_default();
        if !matches!(field, "" | "data" | "event" | "id" | "retry") {
            let number = index + 1;
            return Err(format!(
                "line {number} of the stream: there is no field `{field}`"
            ));
        }
    }
    let mut events = Vec::new();
    let mut parser = EventParser::default();
    let end = if text.ends_with('\n') { "" } else { "\n" };
    for part in [text, end] {
        let read = parser.feed(part.as_bytes(), |event| events.push(event));
        read.map_err(|error| error.to_string())?;
    }
    match parser.is_within_event() {
        true => Err("the last event has no empty line after it, so clients ignore it".into()),
        false => Ok(events),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(name: &str, data: &str, id: &str) -> Event {
        let mut event = Event::default();
        (event.name, event.data, event.id) = (name.into(), data.into(), id.into());
        event
    }

    #[test]
    fn fields_are_put_together_until_an_empty_line() {
        let text =
            ": hello\nevent: a\ndata: 1\ndata:2\n\nid: 7\ndata\n\nevent: lost\n\ndata: 3\r\n\r\n";
        assert_eq!(
            parse(text),
            Ok(vec![
                event("a", "1\n2", ""),
                event("", "", "7"),
                event("", "3", "7")
            ])
        );
    }

    #[test]
    fn what_a_browser_would_swallow_is_told() {
        assert!(parse("date: 1\n\n").is_err_and(|e| e.contains("`date`")));
        assert!(parse("data: 1\n").is_err_and(|e| e.contains("clients ignore it")));
    }
}
