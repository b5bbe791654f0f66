//! The usage of every key, by model and day.
//!
//! These are the rows in the database. A [`Ledger`](super::ledger::Ledger) counts, and writes about
//! every second and at the end of the service. Then it reads how much all replicas have used of the
//! budgets of the keys that call.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use super::period::Period;
use crate::inference::gateway::usage::Tokens;
use crate::params;
use crate::store::{Row, StoreError, Tx};

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
    /// Adds other counts.
    pub fn add(&mut self, other: Counts) {
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

/// The used part of the budgets of these keys. Keys without a budget, or without usage in its
/// period, are omitted.
pub fn spent(
    tx: &mut Tx<'_>,
    now: DateTime<Utc>,
    key_ids: &[String],
) -> Result<Vec<Spent>, StoreError> {
    let start = |period: Period| period.start(now.date_naive());
    let sql = format!(
        "SELECT l.key_id, l.budget_period, CAST(SUM({} + {}) AS BIGINT) \
         FROM inference_limits l JOIN inference_usage u ON u.key_id = l.key_id \
         WHERE l.key_id = $1 AND l.token_budget IS NOT NULL \
         AND u.day >= CASE l.budget_period WHEN '{}' THEN $2 ELSE $3 END \
         GROUP BY l.key_id, l.budget_period",
        within("u.input_tokens"),
        within("u.output_tokens"),
        Period::Day.as_str(),
    );
    let [day, month] = [Period::Day, Period::Month].map(|period| start(period).to_string());
    let query = |id: &String| (sql.as_str(), params![id, &day, &month].to_vec());
    let queries: Vec<_> = key_ids.iter().map(query).collect();
    let mut all = Vec::new();
    for row in tx.query_each(&queries)?.iter().flatten() {
        let period: String = row.get(1)?;
        if let Some(period) = Period::parse(&period) {
            all.push(Spent {
                key_id: row.get(0)?,
                start: start(period),
                used: row.get(2)?,
            });
        }
    }
    Ok(all)
}

/// The used tokens of a key since a day.
pub(super) fn tokens_since(
    tx: &mut Tx<'_>,
    key_id: &str,
    first: NaiveDate,
) -> Result<i64, StoreError> {
    let sql = format!(
        "SELECT CAST(COALESCE(SUM({} + {}), 0) AS BIGINT) \
         FROM inference_usage WHERE key_id = $1 AND day >= $2",
        within("input_tokens"),
        within("output_tokens"),
    );
    tx.query_integer(&sql, params![key_id, first.to_string()])
}

/// The columns that [`line()`] reads, of a table `u`.
pub fn columns() -> String {
    let counts = ["requests", "errors", "input_tokens", "output_tokens"];
    let counts = counts.map(|column| within(&format!("u.{column}")));
    format!("u.key_id, u.model, u.day, {}", counts.join(", "))
}

/// One row of [`columns()`].
pub fn line(row: &Row) -> Result<(Line, Counts), StoreError> {
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
pub fn read(tx: &mut Tx<'_>, from: NaiveDate) -> Result<Vec<(Line, Counts)>, StoreError> {
    let sql = format!(
        "SELECT {} FROM inference_usage u WHERE u.day >= $1 \
         ORDER BY u.day, u.key_id, u.model",
        columns()
    );
    let rows = tx.query(&sql, params![from.to_string()])?;
    rows.iter().map(line).collect()
}
