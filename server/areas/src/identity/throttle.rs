//! Limits on guessing: a subject with too many failures has to wait.
//!
//! Only failures are counted. The counts are in the database, so that all replicas count together
//! and a restart resets nothing. A subject is the thing that a limit applies to: a user, an
//! address, or a name that somebody tries passwords for.
//!
//! A failure that was counted while the clock was ahead is ignored once the clock is right again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::users::username;
use crate::config::identity::IdentityConfig;
use crate::kernel::ServerKeys;
use crate::kernel::expiry::BATCH;
use crate::params;
use crate::store::{StoreError, Tx};

/// The purpose of the keyed hashes of names that attempts count for.
pub const NAME: &str = "identity signin name";
/// Milliseconds by which the clock of another replica may be ahead. It is shorter than
/// [`CLOCK_SKEW`](super::CLOCK_SKEW): a failure from the future makes a user wait.
const REPLICA_LEAD: i64 = 5_000;
/// The number of subjects above which those without an attempt in progress are deleted.
const SWEEP_THRESHOLD: usize = 1_000;

/// The limit of failures.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// The number of failures after which a subject waits.
    pub failures: i64,
    /// Milliseconds after which failures expire.
    pub window: i64,
    /// Milliseconds to wait after too many failures.
    pub wait: i64,
}

impl Limit {
    /// Wrong passwords, by name and by address.
    pub fn passwords(config: &IdentityConfig) -> Limit {
        Limit {
            failures: config.password_failures,
            window: config.password_window_seconds * 1000,
            wait: config.password_wait_seconds * 1000,
        }
    }

    /// Links to set a password, by name: three, then none for the time in which wrong passwords
    /// count.
    pub fn links(config: &IdentityConfig) -> Limit {
        let window = config.password_window_seconds * 1000;
        Limit {
            failures: 3,
            window,
            wait: window,
        }
    }

    /// Wrong user codes of one user (RFC 8628, section 5.1).
    pub fn codes(config: &IdentityConfig) -> Limit {
        Limit {
            failures: config.code_failures,
            window: config.code_window_seconds * 1000,
            wait: config.code_wait_seconds * 1000,
        }
    }

    /// Wrong user codes from one address.
    pub fn codes_from_address(config: &IdentityConfig) -> Limit {
        Limit {
            failures: config.code_failures_per_address,
            ..Limit::codes(config)
        }
    }

    /// Wrong user codes of all users together. A thousand guesses in five minutes meet one of a
    /// hundred pending codes once in a hundred and fifty days.
    pub fn codes_of_all(config: &IdentityConfig) -> Limit {
        Limit {
            failures: config.code_failures_of_all,
            ..Limit::codes(config)
        }
    }
}

/// Deletes the counts for a user and for the user's name. Returns their number.
pub fn erase(
    tx: &mut Tx<'_>,
    server_keys: &ServerKeys,
    user_id: &str,
    email_address: &str,
) -> Result<u64, StoreError> {
    let of_user = ["code", "password", "passkey"].map(|kind| format!("{kind} user {user_id}"));
    let macs = server_keys.macs(NAME, username(email_address).as_bytes());
    let of_name = macs.iter().flat_map(|mac| {
        let mac = base16ct::lower::encode_string(mac);
        ["signin", "link"].map(|kind| format!("{kind} name {mac}"))
    });
    let mut deleted = 0;
    for subject in of_user.into_iter().chain(of_name) {
        let sql = "DELETE FROM failed_attempts WHERE subject = $1";
        deleted += tx.execute(sql, params![subject])?;
    }
    Ok(deleted)
}

/// The subject of a limit.
#[derive(Debug, Clone)]
pub struct Subject {
    key: String,
    limit: Limit,
}

impl Subject {
    /// The subject with this name.
    pub fn new(key: impl Into<String>, limit: Limit) -> Subject {
        let key = key.into();
        Subject { key, limit }
    }

    /// Its limit.
    pub fn limit(&self) -> Limit {
        self.limit
    }

    /// The state of a subject: the number of its failures, the first of them, and the end of its
    /// waiting time.
    fn failure_state(&self, tx: &mut Tx<'_>, now: i64) -> Result<FailureState, StoreError> {
        let row = tx.query_opt(
            "SELECT failures, started_at, blocked_until FROM failed_attempts WHERE subject = $1",
            params![&self.key],
        )?;
        let mut failure_state = FailureState {
            failures: 0,
            started_at: now,
            blocked_until: 0,
        };
        let Some(row) = row else {
            return Ok(failure_state);
        };
        let (started_at, until): (i64, i64) = (row.get(1)?, row.get(2)?);
        if started_at > now - self.limit.window && started_at <= now + REPLICA_LEAD {
            failure_state.failures = row.get(0)?;
            failure_state.started_at = started_at;
        }
        if until > now && until - self.limit.wait <= now + REPLICA_LEAD {
            failure_state.blocked_until = until;
        }
        Ok(failure_state)
    }
}

struct FailureState {
    failures: i64,
    started_at: i64,
    blocked_until: i64,
}

/// Seconds that one of these subjects still has to wait. Never more than its limit's `wait`.
pub fn wait(tx: &mut Tx<'_>, subjects: &[Subject], now: i64) -> Result<Option<i64>, StoreError> {
    let mut longest = None;
    for subject in subjects {
        let until = subject.failure_state(tx, now)?.blocked_until;
        if until > now {
            let left = (until - now).min(subject.limit.wait);
            longest = longest.max(Some((left + 999) / 1000));
        }
    }
    Ok(longest)
}

/// The number of failures of a subject within its limit's window.
pub fn failures(tx: &mut Tx<'_>, subject: &Subject, now: i64) -> Result<i64, StoreError> {
    Ok(subject.failure_state(tx, now)?.failures)
}

/// Counts a failure of each subject.
pub fn fail(tx: &mut Tx<'_>, subjects: &[Subject], now: i64) -> Result<(), StoreError> {
    for subject in subjects {
        let before = subject.failure_state(tx, now)?;
        let failures = before.failures + 1;
        let blocked_until = match failures >= subject.limit.failures {
            true => now + subject.limit.wait,
            // A wait may outlast the failures that caused it.
            false => before.blocked_until,
        };
        tx.execute(
            "INSERT INTO failed_attempts (subject, failures, started_at, blocked_until) \
             VALUES ($1, $2, $3, $4) ON CONFLICT (subject) DO UPDATE SET \
             failures = excluded.failures, started_at = excluded.started_at, \
             blocked_until = excluded.blocked_until",
            params![&subject.key, failures, before.started_at, blocked_until],
        )?;
    }
    Ok(())
}

/// Deletes the failures of a subject that succeeded.
pub fn reset(tx: &mut Tx<'_>, subjects: &[Subject]) -> Result<(), StoreError> {
    for subject in subjects {
        tx.execute(
            "DELETE FROM failed_attempts WHERE subject = $1",
            params![&subject.key],
        )?;
    }
    Ok(())
}

/// Deletes a batch of counts that have expired, or that a clock ahead of this one has written.
pub const SWEEP: &str = "DELETE FROM failed_attempts WHERE subject IN \
     (SELECT subject FROM failed_attempts WHERE (started_at < $1 AND blocked_until < $2) \
     OR (started_at > $3 AND blocked_until > $4) LIMIT $5)";

/// Deletes the counts that have expired, at most [`BATCH`]. Returns their number.
pub fn sweep(tx: &mut Tx<'_>, config: &IdentityConfig, now: i64) -> Result<u64, StoreError> {
    let (codes, passwords) = (Limit::codes(config), Limit::passwords(config));
    let oldest = now - codes.window.max(passwords.window);
    let wait = codes.wait.max(passwords.wait).max(passwords.window);
    let ahead = now + REPLICA_LEAD;
    tx.execute(SWEEP, params![oldest, now, ahead, ahead + wait, BATCH])
}

/// Attempts in progress. An attempt counts once it has failed, so many concurrent attempts could be
/// checked before the first is counted. Therefore this replica checks only as many attempts of a
/// subject at a time as its limit allows. The others wait for their turn.
#[derive(Debug, Default)]
pub struct Attempts(Mutex<HashMap<String, Weak<Semaphore>>>);

impl Attempts {
    /// Waits for the turn of a subject's attempt, which lasts until the permit is dropped. `None`
    /// when the service stops.
    pub async fn enter(&self, subject: &Subject) -> Option<OwnedSemaphorePermit> {
        let turns = {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if all.len() >= SWEEP_THRESHOLD {
                all.retain(|_, turns| turns.strong_count() > 0);
            }
            match all.get(&subject.key).and_then(Weak::upgrade) {
                Some(turns) => turns,
                None => {
                    let most = usize::try_from(subject.limit.failures).unwrap_or(1);
                    let turns = Arc::new(Semaphore::new(most.clamp(1, 1000)));
                    all.insert(subject.key.clone(), Arc::downgrade(&turns));
                    turns
                }
            }
        };
        turns.acquire_owned().await.ok()
    }
}
