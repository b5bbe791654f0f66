//! Days for people.

use chrono::{DateTime, NaiveDate};

/// A day, such as `24 Nov 2026`.
pub fn day(day: NaiveDate) -> String {
    day.format("%-d %b %Y").to_string()
}

/// The day of a time in Unix milliseconds.
pub fn day_of(millis: i64) -> String {
    let time = DateTime::from_timestamp_millis(millis).unwrap_or_default();
    day(time.date_naive())
}
