//! Reads one key or a page of keys.
//!
//! A page ends with the position of its last key in the order of the list, not with a count. So keys
//! that are created or deleted between two pages do not repeat or hide another key.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::inference::Inference;
use crate::store::{Tx, Value, cut_page};

use super::access::{self, Manager, Verb};
use super::error::KeyError;
use super::key::{Key, KeyResponse, LifecycleState};
use super::statement::Statement;
use super::{page_token, rows};

/// The order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SortBy {
    /// By the time of creation.
    Created,
    /// By the display name, bytewise.
    Name,
}

/// The filter and order of a list.
#[derive(Debug, Clone)]
pub struct Query {
    /// Only keys in this compartment.
    pub compartment_id: String,
    /// Only keys in this state. `Some(None)` is a state of the document that no key is ever in.
    pub lifecycle: Option<Option<LifecycleState>>,
    /// Only keys with this name.
    pub display_name: Option<String>,
    /// Only this key.
    pub id: Option<String>,
    /// The maximum on one page.
    pub limit: i64,
    /// The `accord-next-page` of the previous page.
    pub page: Option<String>,
    /// The order.
    pub sort_by: SortBy,
    /// Whether the order is descending.
    pub descending: bool,
}

/// One page.
#[derive(Debug, Clone)]
pub struct Page {
    /// The keys.
    pub keys: Vec<Key>,
    /// The time for which their states are computed.
    pub at: DateTime<Utc>,
    /// The beginning of the next page, if there is one.
    pub next: Option<String>,
}

/// The last key of a page, and the order of the list.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Mark {
    by: SortBy,
    descending: bool,
    value: String,
    id: String,
}

/// Reads one key, deleted or not.
///
/// # Errors
///
/// The caller needs [`Verb::Read`] in the key's compartment.
pub async fn get(
    inference: &Arc<Inference>,
    manager: &Manager,
    id: &str,
) -> Result<KeyResponse, KeyError> {
    inference.admission.write_last_used(inference).await?;
    let at = crate::inference::now(inference);
    let Manager {
        principal, region, ..
    } = manager.clone();
    let id = id.to_owned();
    inference
        .store
        .read(move |tx| {
            let key = rows::find(tx, &region, &id)?.ok_or(KeyError::NotFound)?;
            access::require(tx, &principal, &key.compartment_id, Verb::Read)?;
            Ok(KeyResponse::of(key, at))
        })
        .await
}

/// Reads one page of a compartment's keys.
///
/// # Errors
///
/// The caller needs [`Verb::Inspect`] in the compartment.
pub async fn list(
    inference: &Arc<Inference>,
    manager: &Manager,
    query: Query,
) -> Result<Page, KeyError> {
    inference.admission.write_last_used(inference).await?;
    let at = crate::inference::now(inference);
    let Manager {
        principal, region, ..
    } = manager.clone();
    inference
        .store
        .read(move |tx| {
            access::require(tx, &principal, &query.compartment_id, Verb::Inspect)?;
            page(tx, &region, &query, at)
        })
        .await
}

fn page(tx: &mut Tx<'_>, region: &str, query: &Query, at: DateTime<Utc>) -> Result<Page, KeyError> {
    let mark = page_token::read(query.page.as_deref(), |mark: &Mark| {
        mark.by == query.sort_by && mark.descending == query.descending
    })?;
    let Some(statement) = statement(region, query, mark, at) else {
        return Ok(Page {
            keys: Vec::new(),
            at,
            next: None,
        });
    };
    let rows = tx.query(&statement.sql, &statement.values)?;
    let keys = rows
        .iter()
        .map(rows::read_key)
        .collect::<Result<Vec<_>, _>>()?;
    let (mut keys, more) = cut_page(keys, query.limit);
    let next = match keys.last() {
        Some(last) if more => Some(page_token::write(&Mark {
            by: query.sort_by,
            descending: query.descending,
            value: match query.sort_by {
                SortBy::Created => last.created_at.timestamp_millis().to_string(),
                SortBy::Name => last.display_name.clone(),
            },
            id: last.id.clone(),
        })?),
        _ => None,
    };
    rows::attach_secrets(tx, &mut keys)?;
    Ok(Page { keys, at, next })
}

/// The statement that reads a page, and one key more. `None` if no key can match the query.
fn statement(
    region: &str,
    query: &Query,
    mark: Option<Mark>,
    at: DateTime<Utc>,
) -> Option<Statement> {
    let (deleted, active) = match query.lifecycle {
        None => ("deleted_at IS NULL", None),
        Some(None) => return None,
        Some(Some(LifecycleState::Deleted)) => ("deleted_at IS NOT NULL", None),
        Some(Some(LifecycleState::Active)) => ("deleted_at IS NULL", Some("EXISTS")),
        Some(Some(LifecycleState::Inactive)) => ("deleted_at IS NULL", Some("NOT EXISTS")),
    };
    let mut statement = Statement {
        sql: format!(
            "SELECT {} FROM inference_keys WHERE region = $1 AND compartment_id = $2 AND {deleted}",
            rows::KEY_COLUMNS
        ),
        values: vec![Value::from(region), Value::from(&query.compartment_id)],
    };
    if let Some(exists) = active {
        let now = statement.bind(at.into());
        statement.sql.push_str(&format!(
            " AND {exists} (SELECT 1 FROM inference_secrets s WHERE s.key_id = inference_keys.id \
             AND s.state = 'ACTIVE' AND s.expires_at > {now})"
        ));
    }
    if let Some(name) = &query.display_name {
        statement.and("display_name =", name.into());
    }
    if let Some(id) = &query.id {
        statement.and("id =", id.into());
    }
    let column = match query.sort_by {
        SortBy::Created => "created_at",
        SortBy::Name => "name_order",
    };
    let (direction, beyond) = match query.descending {
        true => ("DESC", "<"),
        false => ("ASC", ">"),
    };
    if let Some(mark) = mark {
        let value = match query.sort_by {
            SortBy::Created => Value::from(mark.value.parse::<i64>().ok()?),
            SortBy::Name => Value::from(mark.value.as_bytes()),
        };
        let (value, id) = (statement.bind(value), statement.bind(mark.id.into()));
        statement.sql.push_str(&format!(
            " AND ({column} {beyond} {value} OR ({column} = {value} AND id {beyond} {id}))"
        ));
    }
    let limit = statement.bind(Value::from(query.limit + 1));
    statement.sql.push_str(&format!(
        " ORDER BY {column} {direction}, id {direction} LIMIT {limit}"
    ));
    Some(statement)
}
