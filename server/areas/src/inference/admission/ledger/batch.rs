//! Adds segments to the database, each of them once.
//!
//! Lines that the database rejects are logged and omitted: no line blocks those of other keys.
//!
//! A batch reads nothing that its writes depend on, so a snapshot suffices: only writers of the same
//! rows conflict. The budgets are read afterwards, in a transaction of their own.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveDate, Utc};

use crate::inference::admission::allocation::{self, Allocated};
use crate::inference::admission::usage::{self, Counts, Line, Spent};
use crate::params;
use crate::store::{Store, StoreError, Tx};

/// The result of a batch.
#[derive(Debug, Default)]
pub struct Written {
    /// The used part of the budgets of the keys that were written, and of the followed ones.
    pub spent: Vec<Spent>,
    lines: Vec<(Line, Counts)>,
}

impl Written {
    /// The number of the written lines of usage.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// The tokens of a key since a day that this batch has written.
    pub fn tokens(&self, key_id: &str, from: NaiveDate) -> i64 {
        let lines = self.lines.iter();
        let of_key = lines.filter(|(line, _)| line.key_id == key_id && line.day >= from);
        of_key.fold(0, |sum: i64, (_, counts)| {
            sum.saturating_add(counts.tokens.total())
        })
    }
}

/// The other writes and reads of a batch.
#[derive(Debug, Clone, Default)]
pub struct Others {
    /// The ids of segments without a file, which are deleted.
    pub forgotten: Vec<String>,
    /// The keys whose used budget is read, beside those of the batch.
    pub followed: Vec<String>,
    /// The tokens of budgets that this replica may use, before the batch.
    pub allocated: Vec<Allocated>,
}

/// Adds segments in one transaction, and then reads the used part of the budgets of their keys. If the
/// second fails, the segments are in the database: another call adds none of them again.
pub async fn write_batch(
    store: &Store,
    batch: Vec<(String, Vec<(Line, Counts)>)>,
    others: Others,
    now: DateTime<Utc>,
) -> Result<Written, StoreError> {
    match try_batch(store, batch.clone(), others.clone(), now).await {
        Err(error) if is_rejected(&error) => {
            tracing::error!(%error, "usage is written row by row");
            let mut accepted = Vec::new();
            for (id, lines) in batch {
                accepted.push((id, acceptable(store, lines).await?));
            }
            try_batch(store, accepted, others, now).await
        }
        outcome => outcome,
    }
}

async fn try_batch(
    store: &Store,
    batch: Vec<(String, Vec<(Line, Counts)>)>,
    others: Others,
    now: DateTime<Utc>,
) -> Result<Written, StoreError> {
    let mut keys: BTreeSet<String> = others.followed.iter().cloned().collect();
    for (line, _) in batch.iter().flat_map(|(_, segment)| segment) {
        keys.insert(line.key_id.clone());
    }
    let keys: Vec<_> = keys.into_iter().collect();
    // Includes segments that the database already has: they are there since an attempt with an
    // unknown outcome, so no meter knows it yet.
    let segments = batch.iter().map(|(_, segment)| segment);
    let mut written = Written {
        spent: Vec::new(),
        lines: segments.flatten().cloned().collect(),
    };
    let mut rest = others.allocated.clone();
    for one in &mut rest {
        let used = written.tokens(&one.key_id, one.period);
        one.tokens = one.tokens.saturating_sub(used);
    }
    rest.sort_by(|a, b| a.key_id.cmp(&b.key_id));
    let write = move |tx: &mut Tx<'_>| {
        // Each row once, and in the same order on every replica, so that two replicas that write
        // the same rows do not deadlock.
        let mut lines = BTreeMap::<Line, Counts>::new();
        for (id, segment) in &batch {
            if insert_segment(tx, id, now)? {
                for (line, counts) in segment {
                    lines.entry(line.clone()).or_default().add(*counts);
                }
            }
        }
        for (line, counts) in &lines {
            usage::insert(tx, line, counts)?;
        }
        for id in &others.forgotten {
            let sql = "DELETE FROM inference_usage_segments WHERE id = $1";
            tx.execute(sql, params![id])?;
        }
        for one in &rest {
            allocation::put(tx, one)?;
        }
        Ok::<_, StoreError>(())
    };
    store.write_snapshot(write).await?;
    let spent = store.read(move |tx| usage::spent(tx, now, &keys));
    written.spent = spent.await?;
    Ok(written)
}

/// Whether the database rejects the content, so that a retry would fail too.
fn is_rejected(error: &StoreError) -> bool {
    matches!(
        error,
        StoreError::Constraint { .. }
            | StoreError::Statement(_)
            | StoreError::Aborted
            | StoreError::Column { .. }
            | StoreError::Nul
    )
}

/// A transaction to be rolled back, or an error.
enum Tried {
    Accepted,
    Failed(StoreError),
}

impl From<StoreError> for Tried {
    fn from(error: StoreError) -> Self {
        Tried::Failed(error)
    }
}

/// The lines that the database accepts, each tried alone. The others are logged: no line blocks
/// those of other keys.
async fn acceptable(
    store: &Store,
    lines: Vec<(Line, Counts)>,
) -> Result<Vec<(Line, Counts)>, StoreError> {
    let mut accepted = Vec::new();
    for (line, counts) in lines {
        let tried = line.clone();
        let outcome = store.write_snapshot(move |tx| {
            usage::insert(tx, &tried, &counts)?;
            Err::<(), _>(Tried::Accepted)
        });
        match outcome.await {
            Ok(()) | Err(Tried::Accepted) => accepted.push((line, counts)),
            Err(Tried::Failed(error)) if is_rejected(&error) => {
                let Line { key_id, model, day } = &line;
                tracing::error!(key_id, model, %day, ?counts, %error, "usage that the database rejects was omitted");
            }
            Err(Tried::Failed(error)) => return Err(error),
        }
    }
    Ok(accepted)
}

/// Records that this transaction adds a segment. Returns whether it is new.
fn insert_segment(tx: &mut Tx<'_>, id: &str, now: DateTime<Utc>) -> Result<bool, StoreError> {
    let inserted = tx.execute(
        "INSERT INTO inference_usage_segments (id, written_at) VALUES ($1, $2) \
         ON CONFLICT (id) DO NOTHING",
        params![id, now],
    )?;
    Ok(inserted > 0)
}
