//! The quotas of device requests: per minute, for a client and for an address.
//!
//! A request is admitted while the quota of a minute is not used up, and the quota refills
//! evenly. So a rejected caller waits a second or less for the next request, and not for
//! minutes. The quotas are in the database, so that all replicas count together.
//!
//! Everybody can name a public client. So each address has a reserve, which admits a few requests
//! while others have used up the quota of the client.

use crate::config::identity::IdentityConfig;
use crate::kernel::expiry;
use crate::params;
use crate::store::{StoreError, Tx};

/// The quota of this many milliseconds can be used at once.
const MINUTE: i64 = 60_000;
/// Requests a minute that an address may send beyond the quota of a client.
pub const RESERVE: i64 = 6;

/// The quotas of a request.
#[derive(Debug, Clone)]
pub struct Quotas {
    address: Quota,
    reserve: Quota,
    client: Option<Quota>,
}

impl Quotas {
    /// The quotas of a request from a network, with the name of a client if it has one.
    pub fn new(config: &IdentityConfig, network: &str, client: Option<&str>) -> Quotas {
        let of_address = config.device_requests_per_address;
        let of_client = config.device_requests_per_client;
        // No client has such a name, and PostgreSQL does not accept a text with a NUL.
        let client = client.filter(|name| !name.contains('\0'));
        Quotas {
            address: Quota::new(format!("address {network}"), of_address),
            reserve: Quota::new(format!("reserve {network}"), RESERVE),
            client: client.map(|name| Quota::new(format!("client {name}"), of_client)),
        }
    }

    /// Seconds until the request is admitted. `None` if it is now.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn wait(&self, tx: &mut Tx<'_>, now: i64) -> Result<Option<i64>, StoreError> {
        let of_address = self.address.wait(tx, now)?;
        if of_address.is_some() {
            return Ok(of_address);
        }
        let Some(of_client) = self.wait_for_client(tx, now)? else {
            return Ok(None);
        };
        let of_reserve = self.reserve.wait(tx, now)?;
        Ok(of_reserve.map(|seconds| seconds.min(of_client)))
    }

    /// Uses the quota of the address. Every admitted request does so.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn take_from_address(&self, tx: &mut Tx<'_>, now: i64) -> Result<(), StoreError> {
        self.address.take(tx, now)
    }

    /// Uses the quota of the client, or the reserve if there is nothing left. A request does so
    /// after authentication, so that a stranger cannot use up the quota with the client's name.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn take_from_client(&self, tx: &mut Tx<'_>, now: i64) -> Result<(), StoreError> {
        match (self.wait_for_client(tx, now)?, &self.client) {
            (None, Some(client)) => client.take(tx, now),
            (Some(_), _) => self.reserve.take(tx, now),
            (None, None) => Ok(()),
        }
    }

    fn wait_for_client(&self, tx: &mut Tx<'_>, now: i64) -> Result<Option<i64>, StoreError> {
        match &self.client {
            Some(client) => client.wait(tx, now),
            None => Ok(None),
        }
    }
}

/// One quota.
#[derive(Debug, Clone)]
struct Quota {
    subject: String,
    /// Milliseconds in which the quota for one request refills. `None` for no limit.
    cost: Option<i64>,
}

impl Quota {
    /// The quota of a subject. A rate of 0 sets no limit.
    fn new(subject: String, per_minute: i64) -> Quota {
        let cost = (per_minute > 0).then(|| (MINUTE / per_minute).max(1));
        Quota { subject, cost }
    }

    /// Seconds until it admits a request. `None` if it does now.
    fn wait(&self, tx: &mut Tx<'_>, now: i64) -> Result<Option<i64>, StoreError> {
        let Some(cost) = self.cost else {
            return Ok(None);
        };
        let over = self.full_at(tx, now)? + cost - (now + MINUTE);
        Ok((over > 0).then_some((over + 999) / 1000))
    }

    /// Uses it for one request.
    fn take(&self, tx: &mut Tx<'_>, now: i64) -> Result<(), StoreError> {
        let Some(cost) = self.cost else {
            return Ok(());
        };
        let full_at = self.full_at(tx, now)? + cost;
        let sql = "INSERT INTO device_quotas (subject, full_at) VALUES ($1, $2) \
                   ON CONFLICT (subject) DO UPDATE SET full_at = excluded.full_at";
        tx.execute(sql, params![&self.subject, full_at])?;
        Ok(())
    }

    /// When it is full again. A quota that would be full more than a minute from now was used
    /// while the clock was ahead, and counts as full.
    fn full_at(&self, tx: &mut Tx<'_>, now: i64) -> Result<i64, StoreError> {
        let sql = "SELECT full_at FROM device_quotas WHERE subject = $1";
        let row = tx.query_opt(sql, params![&self.subject])?;
        let full_at = row.map_or(Ok(now), |row| row.get(0))?;
        Ok(match (now..=now + MINUTE).contains(&full_at) {
            true => full_at,
            false => now,
        })
    }
}

/// Deletes a batch of quotas that are full again. Returns their number.
///
/// # Errors
///
/// When the store fails.
pub fn sweep(tx: &mut Tx<'_>, now: i64) -> Result<u64, StoreError> {
    expiry::delete(tx, "device_quotas", "subject", "full_at", now)
}
