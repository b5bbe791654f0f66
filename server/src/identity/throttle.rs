//! Limits on guessing: who has been wrong too often waits.
//!
//! Failures are counted in the database, so that all replicas count together
//! and a restart forgives nothing. A subject is what is being limited: a
//! session, an address, a name that somebody tries passwords for.

use crate::params;
use crate::store::{StoreError, Tx};

/// How many failures are too many.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// Failures that are let pass.
    pub failures: i64,
    /// Milliseconds after which failures are forgotten.
    pub window: i64,
    /// Milliseconds to wait after one too many.
    pub wait: i64,
}

/// Wrong user codes, per session and per address (RFC 8628, section 5.1).
pub const CODES: Limit = Limit {
    failures: 5,
    window: 300_000,
    wait: 60_000,
};

/// Wrong user codes of everybody together. Whoever guesses from many addresses
/// with many accounts gets no further than this: a thousand guesses in five
/// minutes meet one of a hundred pending codes once in a hundred and fifty days.
pub const ALL_CODES: Limit = Limit {
    failures: 1000,
    window: 300_000,
    wait: 60_000,
};

/// Wrong passwords, per name and per address.
pub const PASSWORDS: Limit = Limit {
    failures: 10,
    window: 900_000,
    wait: 60_000,
};

/// Seconds that a subject still has to wait, if it has to.
///
/// # Errors
///
/// When the store fails.
pub fn wait(tx: &mut Tx<'_>, subjects: &[String], now: i64) -> Result<Option<i64>, StoreError> {
    let mut longest = None;
    for subject in subjects {
        let row = tx.query_opt(
            "SELECT blocked_until FROM failed_attempts WHERE subject = $1 AND blocked_until > $2",
            params![subject, now],
        )?;
        if let Some(row) = row {
            let until: i64 = row.get(0)?;
            longest = longest.max(Some((until - now + 999) / 1000));
        }
    }
    Ok(longest)
}

/// Counts a failure.
///
/// # Errors
///
/// When the store fails.
pub fn fail(
    tx: &mut Tx<'_>,
    limit: Limit,
    subjects: &[String],
    now: i64,
) -> Result<(), StoreError> {
    for subject in subjects {
        let row = tx.query_opt(
            "SELECT failures, started_at FROM failed_attempts WHERE subject = $1",
            params![subject],
        )?;
        let (failures, started_at) = match row {
            Some(row) if row.get::<i64>(1)? > now - limit.window => (row.get(0)?, row.get(1)?),
            _ => (0, now),
        };
        let failures: i64 = failures + 1;
        let blocked_until = match failures >= limit.failures {
            true => now + limit.wait,
            false => 0,
        };
        tx.execute(
            "INSERT INTO failed_attempts (subject, failures, started_at, blocked_until) \
             VALUES ($1, $2, $3, $4) ON CONFLICT (subject) DO UPDATE SET \
             failures = excluded.failures, started_at = excluded.started_at, \
             blocked_until = excluded.blocked_until",
            params![subject, failures, started_at, blocked_until],
        )?;
    }
    Ok(())
}

/// Forgets the failures of a subject that has been right.
///
/// # Errors
///
/// When the store fails.
pub fn forgive(tx: &mut Tx<'_>, subjects: &[String]) -> Result<(), StoreError> {
    for subject in subjects {
        tx.execute(
            "DELETE FROM failed_attempts WHERE subject = $1",
            params![subject],
        )?;
    }
    Ok(())
}

/// Takes back one failure of a subject, which was none.
///
/// # Errors
///
/// When the store fails.
pub fn pardon(tx: &mut Tx<'_>, subjects: &[String]) -> Result<(), StoreError> {
    for subject in subjects {
        tx.execute(
            "UPDATE failed_attempts SET failures = failures - 1, blocked_until = 0 \
             WHERE subject = $1 AND failures > 0",
            params![subject],
        )?;
    }
    Ok(())
}

/// Removes what has been forgotten.
///
/// # Errors
///
/// When the store fails.
pub fn sweep(tx: &mut Tx<'_>, now: i64) -> Result<(), StoreError> {
    let oldest = now - CODES.window.max(PASSWORDS.window);
    tx.execute(
        "DELETE FROM failed_attempts WHERE started_at < $1 AND blocked_until < $2",
        params![oldest, now],
    )?;
    Ok(())
}
