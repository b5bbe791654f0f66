//! How many requests of devices may wait for their users at a time, for one
//! client and from one address.
//!
//! Pending grants are counted in the database, and the count is kept for a
//! second: what this replica adds within it is added to the count, what others
//! add is seen a second later. A cap against floods may be that imprecise, and
//! this way it costs a request nothing, where counting inside its transaction
//! would make requests of one client wait for each other.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::kernel::Kernel;
use crate::params;
use crate::store::{StoreError, Tx};

/// Milliseconds for which a count is good.
const FRESH: i64 = 1000;
/// Counts that are kept; names that nobody has must not fill the memory.
const KEPT: usize = 4096;

/// The counts of the last second.
#[derive(Default)]
pub struct Quotas {
    counts: Mutex<HashMap<String, Count>>,
}

#[derive(Clone, Copy)]
struct Count {
    at: i64,
    pending: i64,
}

/// What is capped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject<'s> {
    /// The requests of a client.
    Client(&'s str),
    /// The requests from an address.
    Address(&'s str),
}

impl Subject<'_> {
    fn key(self) -> String {
        match self {
            Subject::Client(id) => format!("client {id}"),
            Subject::Address(address) => format!("address {address}"),
        }
    }

    fn column(self) -> &'static str {
        match self {
            Subject::Client(_) => "client_id",
            Subject::Address(_) => "origin",
        }
    }

    fn value(self) -> String {
        match self {
            Subject::Client(value) | Subject::Address(value) => value.replace('\0', ""),
        }
    }
}

impl Quotas {
    /// Counts one more request; false when that is one too many.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn admit(
        &self,
        kernel: &Kernel,
        subject: Subject<'_>,
        most: i64,
        now: i64,
    ) -> Result<bool, StoreError> {
        let key = subject.key();
        let fresh = |count: &Count| (0..FRESH).contains(&(now - count.at));
        let known = self.lock().get(&key).copied().filter(fresh);
        let count = match known {
            Some(count) => count,
            None => {
                let (column, value) = (subject.column(), subject.value());
                let count = move |tx: &mut Tx<'_>| count(tx, column, &value, most, now);
                Count {
                    at: now,
                    pending: kernel.store.read(count).await?,
                }
            }
        };
        let mut counts = self.lock();
        if counts.len() >= KEPT {
            counts.retain(|_, count| fresh(count));
        }
        let count = counts
            .entry(key)
            .and_modify(|there| {
                if !fresh(there) {
                    *there = count;
                }
            })
            .or_insert(count);
        let admitted = count.pending < most;
        count.pending += i64::from(admitted);
        Ok(admitted)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Count>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Pending grants, as far as it matters: no more than `most` are counted.
fn count(
    tx: &mut Tx<'_>,
    column: &str,
    value: &str,
    most: i64,
    now: i64,
) -> Result<i64, StoreError> {
    let row = tx.query_opt(
        &format!(
            "SELECT COUNT(*) FROM (SELECT 1 FROM device_grants WHERE {column} = $1 \
             AND state = 'pending' AND expires_at > $2 LIMIT $3) AS pending"
        ),
        params![value, now, most],
    )?;
    row.map_or(Ok(0), |row| row.get(0))
}
