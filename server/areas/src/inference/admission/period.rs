//! The periods of budgets.

use chrono::{DateTime, Datelike, Days, Months, NaiveDate, Utc};

/// The period of a budget, in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Period {
    /// Each day.
    Day,
    /// Each month, on its first day.
    Month,
}

crate::names! {
    /// The period's name in the database.
    Period { Day = "day", Month = "month" }
}

impl Period {
    /// The first day of the period that contains `day`.
    pub fn start(self, day: NaiveDate) -> NaiveDate {
        match self {
            Period::Day => day,
            Period::Month => day.with_day(1).unwrap_or(day),
        }
    }

    /// Seconds from `now` to the next period, at least one.
    pub fn seconds_left(self, now: DateTime<Utc>) -> i64 {
        let start = self.start(now.date_naive());
        let next = match self {
            Period::Day => start.checked_add_days(Days::new(1)),
            Period::Month => start.checked_add_months(Months::new(1)),
        };
        let next = next.unwrap_or(start).and_time(chrono::NaiveTime::MIN);
        (next.and_utc() - now).num_seconds().max(0) + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_ends_with_its_last_day() {
        let now = "2026-02-28T23:59:50Z".parse().expect("a time");
        assert_eq!(Period::Month.seconds_left(now), 11);
        let first = Period::Month.start(now.date_naive());
        assert_eq!(first.to_string(), "2026-02-01");
    }
}
