//! The secrets whose times of last use are to be written.

use std::ops::Deref;
use std::sync::{Arc, PoisonError};

use super::credential::Credential;
use super::last_use::UsedSecret;
use super::state::Admission;

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
}

/// The uses that are being written, sorted by secret. Those that are not written when this is dropped are listed again:
/// writing fails if the database is away, and ends early if its caller leaves.
pub(super) struct Used<'a> {
    admission: &'a Admission,
    taken: Vec<UsedSecret>,
}

impl<'a> Used<'a> {
    /// Takes the listed uses.
    pub(super) fn take(admission: &'a Admission) -> Self {
        let mut used = admission
            .used
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let mut taken = std::mem::take(&mut *used);
        drop(used);
        for (_, one) in &taken {
            one.unlist();
        }
        // Replicas that write the same rows take their locks in the same order.
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
