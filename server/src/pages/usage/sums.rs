//! Sums of usage by day, by key and by model.

use std::collections::BTreeMap;

use chrono::{Days, NaiveDate};

use crate::inference::admission::usage::{Counts, Line};
use crate::inference::keys::usage::Sum;

/// Sums of the rows of a number of days.
#[derive(Debug)]
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

/// Adds up rows one after the other, so that a page does not hold the rows of all its days.
#[derive(Debug)]
pub struct Adder {
    days: BTreeMap<NaiveDate, Counts>,
    /// By the id of the key: its display name and the sum.
    keys: BTreeMap<String, (String, Counts)>,
    models: BTreeMap<String, Counts>,
    total: Counts,
}

impl Adder {
    /// Without a row yet, for a number of days from `first` on.
    pub fn new(first: NaiveDate, days: u64) -> Adder {
        let all = (0..days).filter_map(|day| first.checked_add_days(Days::new(day)));
        Adder {
            days: all.map(|day| (day, Counts::default())).collect(),
            keys: BTreeMap::new(),
            models: BTreeMap::new(),
            total: Counts::default(),
        }
    }

    /// Adds a row, unless its day is outside.
    pub fn add(&mut self, row: Sum) {
        let Sum {
            line: Line { key_id, model, day },
            counts,
            display_name,
        } = row;
        let Some(sum) = self.days.get_mut(&day) else {
            return;
        };
        sum.add(counts);
        let key = self.keys.entry(key_id);
        let (_, sum) = key.or_insert((display_name, Counts::default()));
        sum.add(counts);
        self.models.entry(model).or_default().add(counts);
        self.total.add(counts);
    }

    /// The sums. The keys and the models with the most tokens are first.
    pub fn sums(self) -> Sums {
        let keys = self.keys.into_iter();
        let mut keys: Vec<_> = keys.map(|(id, (name, sum))| (id, name, sum)).collect();
        keys.sort_by_key(|(.., counts)| std::cmp::Reverse(counts.tokens.total()));
        let mut models: Vec<_> = self.models.into_iter().collect();
        models.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.tokens.total()));
        Sums {
            days: self.days.into_iter().collect(),
            keys,
            models,
            total: self.total,
        }
    }
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
    use crate::inference::gateway::usage::Tokens;

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
        let mut adder = Adder::new(first, 3);
        rows.into_iter().for_each(|row| adder.add(row));
        let sums = adder.sums();
        let days: Vec<_> = sums
            .days
            .iter()
            .map(|(_, one)| one.tokens.total())
            .collect();
        assert_eq!(days, [8, 0, 3]);
        let keys: Vec<_> = sums
            .keys
            .iter()
            .map(|(id, _, one)| (&**id, one.tokens.total()))
            .collect();
        assert_eq!(keys, [("b", 9), ("a", 2)]);
        let models: Vec<_> = sums
            .models
            .iter()
            .map(|(name, one)| (&**name, one.tokens.total()))
            .collect();
        assert_eq!(models, [("small", 8), ("large", 3)]);
        assert_eq!((sums.total.requests, sums.total.tokens.total()), (3, 11));
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
