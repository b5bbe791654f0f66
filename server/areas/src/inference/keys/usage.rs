//! Reads the usage of a compartment's keys, one page at a time.
//!
//! The rows are those that [`admission::usage`](crate::inference::admission::usage)
//! writes. As with lists of keys, a page ends with the position of its last row.

use std::sync::Arc;

use chrono::NaiveDate;

use crate::inference::Inference;
use crate::inference::admission::usage::{self, Counts, Line};
use crate::store::{Tx, Value, cut_page};

use super::access::{self, Manager, Verb};
use super::error::KeyError;
use super::page_token;
use super::statement::Statement;

/// The filter and order of a list of usage.
#[derive(Debug, Clone)]
pub struct Query {
    /// Only keys in this compartment.
    pub compartment_id: String,
    /// Only this key.
    pub key_id: Option<String>,
    /// Only this model.
    pub model: Option<String>,
    /// The first day.
    pub first_day: Option<NaiveDate>,
    /// The last day.
    pub last_day: Option<NaiveDate>,
    /// The maximum on one page.
    pub limit: i64,
    /// The `accord-next-page` of the previous page.
    pub page: Option<String>,
    /// Whether the latest day is first.
    pub descending: bool,
}

/// The usage of one key, model and day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sum {
    /// The key, the model and the day.
    pub line: Line,
    /// The counts.
    pub counts: Counts,
    /// The key's display name.
    pub display_name: String,
}

/// One page.
#[derive(Debug, Clone)]
pub struct Page {
    /// The rows.
    pub sums: Vec<Sum>,
    /// The beginning of the next page, if there is one.
    pub next: Option<String>,
}

/// Reads one page of the usage of a compartment's keys, with the counts of this replica.
///
/// # Errors
///
/// The caller needs [`Verb::Inspect`] in the compartment.
pub async fn list(
    inference: &Arc<Inference>,
    manager: &Manager,
    query: Query,
) -> Result<Page, KeyError> {
    inference.admission.write_usage(inference).await?;
    let Manager {
        principal, region, ..
    } = manager.clone();
    inference
        .store
        .read(move |tx| {
            access::require(tx, &principal, &query.compartment_id, Verb::Inspect)?;
            page(tx, &region, &query)
        })
        .await
}

/// Whether the list is descending, and the last row of a page: day, key and model.
type Mark = (bool, NaiveDate, String, String);

fn page(tx: &mut Tx<'_>, region: &str, query: &Query) -> Result<Page, KeyError> {
    let is_of_list = |mark: &Mark| mark.0 == query.descending;
    let mark = page_token::read(query.page.as_deref(), is_of_list)?;
    let (direction, beyond) = match query.descending {
        true => ("DESC", "<"),
        false => ("ASC", ">"),
    };
    let mut statement = Statement {
        sql: format!(
            "SELECT {}, k.display_name FROM inference_usage u \
             JOIN inference_keys k ON k.id = u.key_id \
             WHERE k.region = $1 AND k.compartment_id = $2",
            usage::columns()
        ),
        values: vec![Value::from(region), Value::from(&query.compartment_id)],
    };
    if let Some(id) = &query.key_id {
        statement.and("u.key_id =", id.into());
    }
    if let Some(model) = &query.model {
        statement.and("u.model =", model.into());
    }
    if let Some(day) = query.first_day {
        statement.and("u.day >=", day.to_string().into());
    }
    if let Some(day) = query.last_day {
        statement.and("u.day <=", day.to_string().into());
    }
    if let Some((_, day, key_id, model)) = mark {
        let last = [day.to_string(), key_id, model].map(|value| statement.bind(value.into()));
        statement.sql.push_str(&format!(
            " AND (u.day, u.key_id, u.model) {beyond} ({})",
            last.join(", ")
        ));
    }
    let limit = statement.bind(Value::from(query.limit + 1));
    statement.sql.push_str(&format!(
        " ORDER BY u.day {direction}, u.key_id {direction}, u.model {direction} LIMIT {limit}"
    ));
    let mut sums = Vec::new();
    for row in tx.query(&statement.sql, &statement.values)? {
        let (line, counts) = usage::line(&row)?;
        sums.push(Sum {
            line,
            counts,
            display_name: row.get(7)?,
        });
    }
    let (sums, more) = cut_page(sums, query.limit);
    let next = match sums.last() {
        Some(last) if more => {
            let Line { key_id, model, day } = &last.line;
            Some(page_token::write(&(query.descending, day, key_id, model))?)
        }
        _ => None,
    };
    Ok(Page { sums, next })
}
