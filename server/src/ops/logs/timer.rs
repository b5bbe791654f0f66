//! The time at the beginning of a log line.

use std::cell::RefCell;
use std::fmt;

use chrono::{DateTime, SecondsFormat, Timelike, Utc};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;

/// Writes the UTC time by RFC 3339, with microseconds. The date and the second are formatted once a
/// second: formatting them for each line would cost 0.6 % of a chat.
#[derive(Debug, Clone, Copy)]
pub(super) struct Timer;

#[derive(Default)]
struct Second {
    timestamp: i64,
    /// The time up to the seconds: `2026-11-23T05:15:05`.
    text: String,
}

thread_local! {
    static LAST: RefCell<Second> = RefCell::default();
}

impl FormatTime for Timer {
    fn format_time(&self, writer: &mut Writer<'_>) -> fmt::Result {
        write(writer, Utc::now())
    }
}

fn write(writer: &mut impl fmt::Write, now: DateTime<Utc>) -> fmt::Result {
    LAST.with_borrow_mut(|last| {
        if last.timestamp != now.timestamp() || last.text.is_empty() {
            last.timestamp = now.timestamp();
            last.text = now.to_rfc3339_opts(SecondsFormat::Secs, true);
            last.text.pop();
        }
        // In a leap second, chrono counts beyond 999,999 microseconds.
        let micros = now.nanosecond() / 1_000 % 1_000_000;
        write!(writer, "{}.{micros:06}Z", last.text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_rfc_3339() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00.000000Z"),
            (1, "1970-01-01T00:00:00.001000Z"),
            (1_795_411_599_999, "2026-11-23T05:26:39.999000Z"),
            (1_795_411_600_000, "2026-11-23T05:26:40.000000Z"),
            (-1, "1969-12-31T23:59:59.999000Z"),
        ] {
            let mut written = String::new();
            let time = DateTime::from_timestamp_millis(millis).expect("a time");
            write(&mut written, time).expect("text");
            assert_eq!(written, text);
        }
    }
}
