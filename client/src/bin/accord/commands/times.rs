//! Times, as people read and write them.

use chrono::{DateTime, Utc};

/// A time, as tables show it: in UTC, which the last letter says.
pub(super) fn time(time: DateTime<Utc>) -> String {
    time.format("%Y-%m-%d %H:%MZ").to_string()
}

/// An optional time.
pub(super) fn optional_time(time: Option<DateTime<Utc>>) -> String {
    time.map(self::time).unwrap_or_else(|| "-".to_owned())
}

/// A time that a person writes: RFC 3339, a date, or a number of days from now.
pub(super) fn parse_time(text: &str) -> Result<DateTime<Utc>, String> {
    if let Ok(time) = DateTime::parse_from_rfc3339(text) {
        return Ok(time.to_utc());
    }
    if let Some(days) = text.strip_suffix('d').and_then(|days| days.parse().ok()) {
        let then =
            chrono::TimeDelta::try_days(days).and_then(|days| Utc::now().checked_add_signed(days));
        return then.ok_or_else(|| "the time is too far away".to_owned());
    }
    let date: Option<chrono::NaiveDate> = text.parse().ok();
    let midnight = date.and_then(|date| date.and_hms_opt(0, 0, 0));
    midnight
        .map(|time| time.and_utc())
        .ok_or_else(|| "write 90d, 2027-02-19 or 2027-02-19T00:00:00Z".to_owned())
}

#[cfg(test)]
mod tests {
    use super::parse_time;

    #[test]
    fn times_are_written_in_three_ways() {
        let date = parse_time("2027-02-19").expect("a date");
        assert_eq!(parse_time("2027-02-19T01:00:00+01:00"), Ok(date));
        assert!(parse_time("90d").is_ok());
        assert!(parse_time("soon").is_err_and(|help| help.contains("90d")));
        assert!(parse_time("99999999999999d").is_err());
    }
}
