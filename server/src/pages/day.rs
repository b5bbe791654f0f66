//! Days for people.

use chrono::NaiveDate;

/// A day, such as `24 Nov 2026`.
pub fn day(day: NaiveDate) -> String {
    day.format("%-d %b %Y").to_string()
}
