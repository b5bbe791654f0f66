//! Event streams that stand in documents as examples.
//!
//! This reads what the HTML standard (section 9.2.6) defines, all of it at
//! once, and is strict where a browser would be silent: an author wants to
//! know that a field was misspelled or that the last event has no end.

/// One event.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Event {
    /// The last `event` field.
    pub name: Option<String>,
    /// The `data` fields, joined by line breaks.
    pub data: String,
}

/// The events of a stream, in order.
///
/// # Errors
///
/// What an author would want to know, in a sentence.
pub(super) fn parse(text: &str) -> Result<Vec<Event>, String> {
    let mut events = Vec::new();
    let mut name = None;
    let mut data: Vec<&str> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        if line.is_empty() {
            if !data.is_empty() {
                events.push(Event {
                    name: name.take(),
                    data: data.join("\n"),
                });
            }
            name = None;
            data.clear();
            continue;
        }
        if line.starts_with(':') {
            continue;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => data.push(value),
            "event" => name = Some(value.to_owned()),
            "id" | "retry" => {}
            other => {
                return Err(format!(
                    "line {number} of the stream: there is no field `{other}`"
                ));
            }
        }
    }
    if !data.is_empty() {
        return Err("the last event has no empty line behind it, so it is never sent".into());
    }
    Ok(events)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(name: Option<&str>, data: &str) -> Event {
        Event {
            name: name.map(str::to_owned),
            data: data.to_owned(),
        }
    }

    #[test]
    fn fields_are_put_together_until_an_empty_line() {
        let text =
            ": hello\nevent: a\ndata: 1\ndata:2\n\nid: 7\ndata\n\nevent: lost\n\ndata: 3\r\n\r\n";
        assert_eq!(
            parse(text),
            Ok(vec![
                event(Some("a"), "1\n2"),
                event(None, ""),
                event(None, "3")
            ])
        );
    }

    #[test]
    fn what_a_browser_would_swallow_is_told() {
        assert!(parse("date: 1\n\n").is_err_and(|e| e.contains("`date`")));
        assert!(parse("data: 1\n").is_err_and(|e| e.contains("never sent")));
    }
}
