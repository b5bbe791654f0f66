//! Sums of usage by day, by key and by model.

use std::collections::BTreeMap;

use chrono::{Days, NaiveDate};

use crate::inference::admission::usage::Counts;
use crate::inference::gateway::usage::Tokens;
use crate::inference::keys::usage::Sum;

/// Sums of the rows of a number of days.
#[derive(Debug, Default)]
pub struct Sums {
    /// Each day, also those without usage.
    pub days: Vec<(NaiveDate, Counts)>,
    /// Each key with usage, by its id: the display name and the sum.
    pub keys: Vec<(String, String, Counts)>,
    /// Each model with usage.
    pub models: Vec<(String, Counts)>,
    /// The sum of everything.
    pub total: Counts,
}

impl Sums {
    /// Adds up rows from `first` on, for a number of days.
    pub fn of(rows: &[Sum], first: NaiveDate, days: u64) -> Sums {
        let all = (0..days).filter_map(|day| first.checked_add_days(Days::new(day)));
        let mut by_day: BTreeMap<NaiveDate, Counts> =
            all.map(|day| (day, Counts::default())).collect();
        let mut by_key = BTreeMap::<&str, (&str, Counts)>::new();
        let mut by_model = BTreeMap::<&str, Counts>::new();
        let mut total = Counts::default();
        for row in rows {
            let Some(day) = by_day.get_mut(&row.line.day) else {
                continue;
            };
            add(day, row.counts);
            let key = by_key.entry(row.line.key_id.as_str());
            let (_, key) = key.or_insert((row.display_name.as_str(), Counts::default()));
            add(key, row.counts);
            add(
                by_model.entry(row.line.model.as_str()).or_default(),
                row.counts,
            );
            add(&mut total, row.counts);
        }
        let key =
            |(id, (name, counts)): (&str, (&str, Counts))| (id.to_owned(), name.to_owned(), counts);
        let mut keys: Vec<_> = by_key.into_iter().map(key).collect();
        keys.sort_by_key(|(.., counts)| std::cmp::Reverse(tokens(counts)));
        let models = by_model.into_iter();
        let mut models: Vec<_> = models.map(|(name, sum)| (name.to_owned(), sum)).collect();
        models.sort_by_key(|(_, counts)| std::cmp::Reverse(tokens(counts)));
        Sums {
            days: by_day.into_iter().collect(),
            keys,
            models,
            total,
        }
    }
}

/// Input and output tokens together.
pub fn tokens(counts: &Counts) -> i64 {
    counts.tokens.input.saturating_add(counts.tokens.output)
}

fn add(sum: &mut Counts, more: Counts) {
    let add = |sum: &mut i64, more: i64| *sum = sum.saturating_add(more);
    add(&mut sum.requests, more.requests);
    add(&mut sum.errors, more.errors);
    let Tokens { input, output } = more.tokens;
    add(&mut sum.tokens.input, input);
    add(&mut sum.tokens.output, output);
}

/// A number with a comma between each three digits.
pub fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    match number < 0 {
        true => format!("-{text}"),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inference::admission::usage::Line;

    fn row(key: &str, model: &str, day: u32, input: i64) -> Sum {
        Sum {
            line: Line {
                key_id: key.into(),
                model: model.into(),
                day: NaiveDate::from_ymd_opt(2026, 11, day).unwrap(),
            },
            counts: Counts {
                requests: 1,
                errors: 0,
                tokens: Tokens { input, output: 1 },
            },
            display_name: format!("name of {key}"),
        }
    }

    #[test]
    fn usage_is_added_up_by_day_key_and_model_and_days_outside_are_left_out() {
        let first = NaiveDate::from_ymd_opt(2026, 11, 21).unwrap();
        let rows = [
            row("a", "small", 20, 100),
            row("a", "small", 21, 1),
            row("b", "small", 21, 5),
            row("b", "large", 23, 2),
        ];
        let sums = Sums::of(&rows, first, 3);
        let days: Vec<_> = sums.days.iter().map(|(_, one)| tokens(one)).collect();
        assert_eq!(days, [8, 0, 3]);
        let keys: Vec<_> = sums
            .keys
            .iter()
            .map(|(id, _, one)| (&**id, tokens(one)))
            .collect();
        assert_eq!(keys, [("b", 9), ("a", 2)]);
        let models: Vec<_> = sums
            .models
            .iter()
            .map(|(name, one)| (&**name, tokens(one)))
            .collect();
        assert_eq!(models, [("small", 8), ("large", 3)]);
        assert_eq!((sums.total.requests, tokens(&sums.total)), (3, 11));
    }

    #[test]
    fn digits_are_grouped_by_three() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (-1_234_567, "-1,234,567"),
        ] {
            assert_eq!(grouped(number), text);
        }
    }
}
