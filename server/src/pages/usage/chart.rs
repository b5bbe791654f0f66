//! Bars, one for each day, as an image in the page.

use chrono::NaiveDate;

use super::sums::grouped;

/// The height of the tallest bar, in units of the image.
const HEIGHT: f64 = 100.0;

/// A chart with two values of each day, one above the other.
#[derive(Debug)]
pub struct Chart {
    /// The identifier in the page.
    pub id: &'static str,
    /// The title of the chart.
    pub heading: &'static str,
    /// The names of the values, the lower one first.
    pub legend: [&'static str; 2],
    /// The bars.
    pub bars: Vec<Bar>,
    /// The value at the top of the image.
    pub top: String,
    /// The first day and the last day.
    pub ends: [String; 2],
}

/// The bar of a day.
#[derive(Debug)]
pub struct Bar {
    /// The day.
    pub day: String,
    /// The values, the lower one first.
    pub values: [String; 2],
    /// The left edge, in days.
    pub x: f64,
    /// The upper edges of both parts, from the top.
    pub y: [f64; 2],
    /// The heights of both parts.
    pub heights: [f64; 2],
}

impl Chart {
    /// A chart of these days.
    pub fn of(
        id: &'static str,
        heading: &'static str,
        legend: [&'static str; 2],
        days: &[(NaiveDate, [i64; 2])],
    ) -> Chart {
        let sum = |values: &[i64; 2]| values[0].saturating_add(values[1]);
        let most = days.iter().map(|(_, values)| sum(values)).max();
        let top = round_up(most.unwrap_or(0).max(1));
        let height = |value: i64| {
            let part = value.max(0) as f64 / top as f64;
            (part * HEIGHT * 100.0).round() / 100.0
        };
        let bar = |(index, (day, values)): (usize, &(NaiveDate, [i64; 2]))| {
            let heights = values.map(height);
            Bar {
                day: crate::pages::day::day(*day),
                values: values.map(grouped),
                x: index as f64 + 0.1,
                y: [HEIGHT - heights[0], HEIGHT - heights[0] - heights[1]],
                heights,
            }
        };
        let end = |day: Option<&(NaiveDate, [i64; 2])>| {
            day.map_or(String::new(), |(day, _)| day.format("%-d %b").to_string())
        };
        Chart {
            id,
            heading,
            legend,
            bars: days.iter().enumerate().map(bar).collect(),
            top: grouped(top),
            ends: [end(days.first()), end(days.last())],
        }
    }
}

/// The next number of the form 1, 2 or 5 times a power of ten.
fn round_up(number: i64) -> i64 {
    let mut step = 1_i64;
    loop {
        for factor in [1, 2, 5] {
            let rounded = step.saturating_mul(factor);
            if rounded >= number {
                return rounded;
            }
        }
        step = step.saturating_mul(10);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_stand_on_each_other_and_reach_the_rounded_top_at_most() {
        let day = |day| NaiveDate::from_ymd_opt(2026, 11, day).unwrap();
        let days = [(day(1), [30, 10]), (day(2), [0, 0]), (day(3), [1, 0])];
        let chart = Chart::of("tokens", "Tokens", ["Input", "Output"], &days);
        assert_eq!(chart.top, "50");
        assert_eq!(chart.bars[0].heights, [60.0, 20.0]);
        assert_eq!(chart.bars[0].y, [40.0, 20.0]);
        assert_eq!(chart.bars[1].heights, [0.0, 0.0]);
        assert_eq!(chart.ends, ["1 Nov".to_owned(), "3 Nov".to_owned()]);
    }

    #[test]
    fn the_top_is_a_round_number_for_every_number() {
        for (number, top) in [(1, 1), (3, 5), (11, 20), (50, 50), (51, 100)] {
            assert_eq!(round_up(number), top);
        }
        assert!(round_up(i64::MAX) == i64::MAX);
    }

    #[test]
    fn without_days_there_is_no_bar() {
        let chart = Chart::of("tokens", "Tokens", ["Input", "Output"], &[]);
        assert!(chart.bars.is_empty());
    }
}
