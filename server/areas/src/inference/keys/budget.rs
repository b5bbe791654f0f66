//! The token budgets of a compartment's keys, and how much of them is spent.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};

use crate::inference::Inference;
use crate::inference::admission::period::Period;
use crate::inference::admission::usage;
use crate::params;

use super::access::{self, Manager, Verb};
use super::error::KeyError;

/// The budget of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    /// The key.
    pub key_id: String,
    /// The display name of the key.
    pub display_name: String,
    /// Tokens in each period.
    pub tokens: i64,
    /// The used tokens in the present period.
    pub used: i64,
    /// The period.
    pub period: Period,
    /// The beginning of the next period.
    pub next: DateTime<Utc>,
}

/// Reads the budgets of the keys that have one.
///
/// # Errors
///
/// The caller needs [`Verb::Inspect`] in the compartment.
pub async fn list(
    inference: &Arc<Inference>,
    manager: &Manager,
    compartment_id: &str,
) -> Result<Vec<Budget>, KeyError> {
    inference.admission.write_usage(inference).await?;
    let now = crate::inference::now(inference);
    let (manager, compartment_id) = (manager.clone(), compartment_id.to_owned());
    inference
        .store
        .read(move |tx| {
            access::require(tx, &manager.principal, &compartment_id, Verb::Inspect)?;
            let rows = tx.query(
                "SELECT k.id, k.display_name, l.token_budget, l.budget_period \
                 FROM inference_limits l JOIN inference_keys k ON k.id = l.key_id \
                 WHERE k.region = $1 AND k.compartment_id = $2 AND k.deleted_at IS NULL \
                 AND l.token_budget IS NOT NULL ORDER BY k.name_order, k.id",
                params![&manager.region, &compartment_id],
            )?;
            let ids: Result<Vec<String>, _> = rows.iter().map(|row| row.get(0)).collect();
            let spent = usage::spent(tx, now, &ids?)?.into_iter();
            let spent: HashMap<String, i64> = spent.map(|one| (one.key_id, one.used)).collect();
            let mut budgets = Vec::new();
            for row in rows {
                let (key_id, period): (String, String) = (row.get(0)?, row.get(3)?);
                let Some(period) = Period::parse(&period) else {
                    continue;
                };
                budgets.push(Budget {
                    used: spent.get(&key_id).copied().unwrap_or(0),
                    key_id,
                    display_name: row.get(1)?,
                    tokens: row.get(2)?,
                    period,
                    next: now + TimeDelta::seconds(period.seconds_left(now)),
                });
            }
            Ok(budgets)
        })
        .await
}
