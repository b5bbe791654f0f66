//! The usage of every key, by model and day.
//!
//! These are the rows in the database. A [`Ledger`](super::ledger::Ledger) counts, and writes
//! about every second and at the end of the service. The same transaction reads how much of
//! each budget all replicas have spent.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use super::period::Period;
use crate::inference::gateway::usage::Tokens;
use crate::params;
use crate::store::{Row, StoreError, Tx, Value};

/// The key of a line of usage.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Line {
    /// The key.
    pub key_id: String,
    /// The model, by its name.
    pub model: String,
    /// The day, in UTC.
    pub day: NaiveDate,
}

/// The counts of a line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Admitted calls that have ended, or whose response has begun.
    pub requests: i64,
    /// Those of them without a response.
    pub errors: i64,
    /// Tokens of calls with a response.
    pub tokens: Tokens,
}

impl Counts {
    pub(super) fn add(&mut self, other: Counts) {
        let Counts {
            requests,
            errors,
            tokens: Tokens { input, output },
        } = other;
        let add = |sum: &mut i64, more: i64| *sum = sum.saturating_add(more);
        add(&mut self.requests, requests);
        add(&mut self.errors, errors);
        add(&mut self.tokens.input, input);
        add(&mut self.tokens.output, output);
    }
}

/// The used part of a key's budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spent {
    /// The key.
    pub key_id: String,
    /// The first day of the period.
    pub start: NaiveDate,
    /// Tokens since then.
    pub used: i64,
}

/// The maximum of each count in one row. No key reaches it in a day, and the sums of all rows stay
/// within 64 bits.
const MAX_COUNT: i64 = 1 << 48;

/// Adds to a line. A sum never exceeds the maximum of a row.
pub(super) fn insert(tx: &mut Tx<'_>, line: &Line, counts: &Counts) -> Result<(), StoreError> {
    let sums = ["requests", "errors", "input_tokens", "output_tokens"].map(|column| {
        // Each count is bounded before the addition, so that no sum exceeds 64 bits.
        let before = within(&format!("inference_usage.{column}"));
        let sum = format!("{before} + excluded.{column}");
        format!("{column} = {}", within(&sum))
    });
    let sql = format!(
        "INSERT INTO inference_usage \
         (key_id, model, day, requests, errors, input_tokens, output_tokens) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) \
         ON CONFLICT (key_id, model, day) DO UPDATE SET {}",
        sums.join(", ")
    );
    let within = |count: i64| count.clamp(-MAX_COUNT, MAX_COUNT);
    tx.execute(
        &sql,
        params![
            &line.key_id,
            &line.model,
            line.day.to_string(),
            within(counts.requests),
            within(counts.errors),
            within(counts.tokens.input),
            within(counts.tokens.output)
        ],
    )?;
    Ok(())
}

/// A count as an integer within bounds. In SQLite, an overflow in earlier versions of this program
/// could make it a floating point number.
fn within(count: &str) -> String {
    format!("CASE WHEN {count} > {MAX_COUNT} THEN {MAX_COUNT} ELSE CAST({count} AS BIGINT) END")
}

/// The used part of each budget, or of those of the keys whose changes exceed `since`.
///
/// # Errors
///
/// When the store fails.
pub fn spent(
    tx: &mut Tx<'_>,
    now: DateTime<Utc>,
    since: Option<i64>,
) -> Result<Vec<Spent>, StoreError> {
    let only_changed = match since {
        None => "",
        Some(_) => " AND l.key_id IN (SELECT id FROM inference_keys WHERE changed > $3)",
    };
    let mut all = Vec::new();
    for period in [Period::Day, Period::Month] {
        let start = period.start(now.date_naive());
        let sql = format!(
            "SELECT l.key_id, CAST(SUM({} + {}) AS BIGINT) \
             FROM inference_limits l JOIN inference_usage u ON u.key_id = l.key_id \
             WHERE l.token_budget IS NOT NULL AND l.budget_period = $1 AND u.day >= $2{only_changed} \
             GROUP BY l.key_id",
            within("u.input_tokens"),
            within("u.output_tokens"),
        );
        let mut parameters = params![period.as_str(), start.to_string()].to_vec();
        parameters.extend(since.map(Value::from));
        let rows = tx.query(&sql, &parameters)?;
        for row in rows {
            all.push(Spent {
                key_id: row.get(0)?,
                start,
                used: row.get(1)?,
            });
        }
    }
    Ok(all)
}

/// The columns that [`line()`] reads, of a table `u`.
pub(crate) fn columns() -> String {
    let counts = ["requests", "errors", "input_tokens", "output_tokens"];
    let counts = counts.map(|column| within(&format!("u.{column}")));
    format!("u.key_id, u.model, u.day, {}", counts.join(", "))
}

/// One row of [`columns()`].
pub(crate) fn line(row: &Row) -> Result<(Line, Counts), StoreError> {
    let day: String = row.get(2)?;
    let line = Line {
        key_id: row.get(0)?,
        model: row.get(1)?,
        day: day
            .parse()
            .map_err(|_| StoreError::Statement(format!("{day} is not a date")))?,
    };
    let counts = Counts {
        requests: row.get(3)?,
        errors: row.get(4)?,
        tokens: Tokens {
            input: row.get(5)?,
            output: row.get(6)?,
        },
    };
    Ok((line, counts))
}

/// The usage since a day that is in the database, in the order of days.
///
/// # Errors
///
/// When the store fails.
pub fn read(tx: &mut Tx<'_>, from: NaiveDate) -> Result<Vec<(Line, Counts)>, StoreError> {
    let sql = format!(
        "SELECT {} FROM inference_usage u WHERE u.day >= $1 \
         ORDER BY u.day, u.key_id, u.model",
        columns()
    );
    let rows = tx.query(&sql, params![from.to_string()])?;
    rows.iter().map(line).collect()
}
