//! What every key has used, by model and day.
//!
//! Calls are counted in memory, where that costs next to nothing, and written
//! together every second and at the end of the service. What is written tells,
//! in the same transaction, how much of each budget is spent, by whichever
//! replica. A replica that is killed loses what it counted in its last second.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, NaiveDate, Utc};

use super::meter::Period;
use crate::inference::gateway::usage::Tokens;
use crate::params;
use crate::store::{Store, StoreError, Tx};

/// What is counted together.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Line {
    /// The key.
    pub key_id: String,
    /// The model, by its name.
    pub model: String,
    /// The day, in UTC.
    pub day: NaiveDate,
}

/// What is counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Calls that were let in.
    pub requests: i64,
    /// Those of them that were not answered.
    pub errors: i64,
    /// Tokens of answered calls.
    pub tokens: Tokens,
}

impl Counts {
    fn add(&mut self, other: Counts) {
        let Counts {
            requests,
            errors,
            tokens: Tokens { input, output },
        } = other;
        self.requests += requests;
        self.errors += errors;
        self.tokens.input += input;
        self.tokens.output += output;
    }
}

/// What is counted and not yet written.
#[derive(Debug, Default)]
pub struct Ledger(Mutex<HashMap<Line, Counts>>);

/// How much of a key's budget is spent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spent {
    /// The key.
    pub key_id: String,
    /// The first day of the period.
    pub start: NaiveDate,
    /// Tokens since.
    pub used: i64,
}

impl Ledger {
    /// Counts.
    pub fn add(&self, line: Line, counts: Counts) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.entry(line).or_default().add(counts);
    }

    /// Writes what was counted. What each key had counted, and how much of each
    /// budget is spent now.
    ///
    /// # Errors
    ///
    /// When the store fails; what was counted is kept and written later.
    pub async fn write(
        &self,
        store: &Store,
        now: DateTime<Utc>,
    ) -> Result<(HashMap<String, i64>, Vec<Spent>), StoreError> {
        let lines: Vec<(Line, Counts)> = {
            let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *lines).into_iter().collect()
        };
        let batch = lines.clone();
        let written = store.write(move |tx| {
            for (line, counts) in &batch {
                insert(tx, line, counts)?;
            }
            spent(tx, now)
        });
        match written.await {
            Ok(spent) => {
                let mut tokens: HashMap<String, i64> = HashMap::new();
                for (line, counts) in lines {
                    *tokens.entry(line.key_id).or_default() += counts.tokens.total();
                }
                Ok((tokens, spent))
            }
            Err(error) => {
                for (line, counts) in lines {
                    self.add(line, counts);
                }
                Err(error)
            }
        }
    }

    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.is_empty()
    }
}

fn insert(tx: &mut Tx<'_>, line: &Line, counts: &Counts) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO inference_usage \
         (key_id, model, day, requests, errors, input_tokens, output_tokens) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) \
         ON CONFLICT (key_id, model, day) DO UPDATE SET \
         requests = inference_usage.requests + excluded.requests, \
         errors = inference_usage.errors + excluded.errors, \
         input_tokens = inference_usage.input_tokens + excluded.input_tokens, \
         output_tokens = inference_usage.output_tokens + excluded.output_tokens",
        params![
            &line.key_id,
            &line.model,
            line.day.to_string(),
            counts.requests,
            counts.errors,
            counts.tokens.input,
            counts.tokens.output
        ],
    )?;
    Ok(())
}

/// How much of each budget is spent.
///
/// # Errors
///
/// When the store fails.
pub fn spent(tx: &mut Tx<'_>, now: DateTime<Utc>) -> Result<Vec<Spent>, StoreError> {
    let mut all = Vec::new();
    for period in [Period::Day, Period::Month] {
        let start = period.start(now.date_naive());
        let rows = tx.query(
            "SELECT l.key_id, CAST(SUM(u.input_tokens + u.output_tokens) AS BIGINT) \
             FROM inference_limits l JOIN inference_usage u ON u.key_id = l.key_id \
             WHERE l.token_budget IS NOT NULL AND l.budget_period = $1 AND u.day >= $2 \
             GROUP BY l.key_id",
            params![period.as_str(), start.to_string()],
        )?;
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

/// What was used from a day on, written by now, in the order of days.
///
/// # Errors
///
/// When the store fails.
pub fn read(tx: &mut Tx<'_>, from: NaiveDate) -> Result<Vec<(Line, Counts)>, StoreError> {
    let rows = tx.query(
        "SELECT key_id, model, day, requests, errors, input_tokens, output_tokens \
         FROM inference_usage WHERE day >= $1 ORDER BY day, key_id, model",
        params![from.to_string()],
    )?;
    let line = |row: &crate::store::Row| {
        let day: String = row.get(2)?;
        let line = Line {
            key_id: row.get(0)?,
            model: row.get(1)?,
            day: day
                .parse()
                .map_err(|_| StoreError::Statement(format!("{day} is no day")))?,
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
    };
    rows.iter().map(line).collect()
}
