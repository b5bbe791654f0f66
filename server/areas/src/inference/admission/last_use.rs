//! The time of a secret's last use.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Utc};

use crate::inference::keys::secrets::Digest;

/// The time of a secret's last use, and whether it is in the database.
#[derive(Debug, Default)]
pub struct Use {
    /// The time of the last use, in Unix milliseconds.
    at: AtomicI64,
    /// The time in the database, in Unix milliseconds.
    written: AtomicI64,
    /// Whether it is among those to write.
    is_listed: AtomicBool,
    /// Nearly always absent, so boxed.
    rehashed: Mutex<Option<Box<Rehashed>>>,
}

/// A secret by its public id, and its use.
pub(super) type UsedSecret = (Arc<str>, Arc<Use>);

/// The keyed hash of a secret under an older server key and under the current one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rehashed {
    /// The hash in the database, unless the other one has replaced it.
    pub from: Digest,
    /// The hash that replaces it.
    pub to: Digest,
}

impl Use {
    /// Records a use.
    pub fn touch(&self, now: DateTime<Utc>) {
        let now = now.timestamp_millis();
        // Most uses are in the same millisecond as another.
        if self.at.load(Ordering::Relaxed) < now {
            self.at.fetch_max(now, Ordering::Relaxed);
        }
    }

    /// The time, if it is not in the database yet.
    pub fn pending(&self) -> Option<DateTime<Utc>> {
        let at = self.at.load(Ordering::Relaxed);
        match at > self.written.load(Ordering::Relaxed) {
            true => DateTime::from_timestamp_millis(at),
            false => None,
        }
    }

    /// Whether there is a time to write.
    pub fn is_pending(&self) -> bool {
        self.pending().is_some()
    }

    /// Records a keyed hash to be replaced, unless it is recorded already.
    pub(super) fn rehash(&self, from: &Digest, to: impl FnOnce() -> Digest) {
        let mut rehashed = self.rehashed.lock().unwrap_or_else(PoisonError::into_inner);
        if rehashed.as_ref().is_none_or(|known| known.from != *from) {
            let (from, to) = (*from, to());
            *rehashed = Some(Box::new(Rehashed { from, to }));
        }
    }

    /// Adds it to those to write. Returns whether it was not among them.
    pub fn list(&self) -> bool {
        // Nearly always listed already, and a load is cheaper than a swap.
        !self.is_listed.load(Ordering::Relaxed) && !self.is_listed.swap(true, Ordering::AcqRel)
    }

    /// Removes it from those to write. Uses after this list it again.
    pub fn unlist(&self) {
        self.is_listed.store(false, Ordering::Release);
    }

    /// Removes the recorded keyed hash. If storing it fails, the next use records it again.
    pub fn take_rehashed(&self) -> Option<Rehashed> {
        let mut rehashed = self.rehashed.lock().unwrap_or_else(PoisonError::into_inner);
        rehashed.take().map(|one| *one)
    }

    /// Records the time in the database.
    pub fn written(&self, at: DateTime<Utc>) {
        self.written
            .fetch_max(at.timestamp_millis(), Ordering::Relaxed);
    }
}
