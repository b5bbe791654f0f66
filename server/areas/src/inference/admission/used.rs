//! The secrets whose times of last use are to be written.

use std::ops::Deref;
use std::sync::{Arc, PoisonError};

use chrono::{DateTime, Utc};

use super::credential::Credential;
use super::last_use::{Rehashed, Use, UsedSecret};
use super::state::Admission;
use crate::inference::Inference;
use crate::inference::keys::KeyError;
use crate::inference::keys::rows::announce_change;
use crate::params;
use crate::store::StoreError;

impl Admission {
    /// Lists a use to be written. A secret that is used often is listed once.
    pub(super) fn list_use(&self, credential: &Credential) {
        if credential.last_use.list() {
            let public_id = Arc::clone(&credential.public_id);
            let one = (public_id, Arc::clone(&credential.last_use));
            let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
            used.push(one);
        }
    }

    /// Writes the times of last use from memory, and the keyed hashes that replace those under an
    /// older server key. Returns the number of secrets.
    ///
    /// # Errors
    ///
    /// When the store fails. The times stay in memory and are written later.
    pub async fn write_last_used(&self, inference: &Inference) -> Result<u64, KeyError> {
        let _writing = self.writing_uses.lock().await;
        let used = Used::take(self);
        // A hash under a key that was replaced meanwhile is computed again.
        let is_current = |one: &Rehashed| inference.server_keys.is_current(&one.to);
        let mut written: Vec<(&Use, DateTime<Utc>)> = Vec::new();
        let mut batch: Vec<(Arc<str>, DateTime<Utc>, Option<Rehashed>)> = Vec::new();
        for (id, one) in used.iter() {
            if let Some(at) = one.pending() {
                written.push((one, at));
                batch.push((Arc::clone(id), at, one.take_rehashed().filter(is_current)));
            }
        }
        if batch.is_empty() {
            return Ok(0);
        }
        let is_rehashed = batch.iter().any(|(_, _, rehashed)| rehashed.is_some());
        inference
            .store
            .write(move |tx| {
                for (id, at, rehashed) in &batch {
                    tx.execute(
                        "UPDATE inference_secrets SET last_used_at = $2 WHERE public_id = $1 \
                         AND (last_used_at IS NULL OR last_used_at < $2)",
                        params![&**id, *at],
                    )?;
                    if let Some(Rehashed { from, to }) = rehashed {
                        tx.execute(
                            "UPDATE inference_secrets SET digest = $3 \
                             WHERE public_id = $1 AND digest = $2",
                            params![&**id, from, to],
                        )?;
                    }
                }
                if is_rehashed {
                    announce_change(tx)?;
                }
                Ok::<_, StoreError>(())
            })
            .await?;
        let count = written.len() as u64;
        for (one, at) in written {
            one.written(at);
        }
        if is_rehashed {
            self.invalidate();
        }
        Ok(count)
    }
}

/// The uses that are being written, sorted by secret. Those that are not written when this is
/// dropped are listed again: writing fails if the database is unreachable, and ends early if its
/// caller leaves.
struct Used<'a> {
    admission: &'a Admission,
    taken: Vec<UsedSecret>,
}

impl<'a> Used<'a> {
    /// Takes the listed uses.
    fn take(admission: &'a Admission) -> Self {
        let mut used = admission
            .used
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let mut taken = std::mem::take(&mut *used);
        drop(used);
        for (_, one) in &taken {
            one.unlist();
        }
        // Two replicas that write the same rows in the same order do not deadlock.
        taken.sort_by(|(one, _), (other, _)| one.cmp(other));
        Used { admission, taken }
    }
}

impl Deref for Used<'_> {
    type Target = [UsedSecret];

    fn deref(&self) -> &[UsedSecret] {
        &self.taken
    }
}

impl Drop for Used<'_> {
    fn drop(&mut self) {
        let unwritten = self
            .taken
            .drain(..)
            .filter(|(_, one)| one.is_pending() && one.list());
        let mut used = self
            .admission
            .used
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        used.extend(unwritten);
    }
}
