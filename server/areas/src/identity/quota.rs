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

    /// What the request uses if it is admitted now, or else the seconds until it is.
    pub fn admit(&self, tx: &mut Tx<'_>, now: i64) -> Result<Result<Uses, i64>, StoreError> {
        let address = match self.address.admit(tx, now)? {
            Ok(address) => address,
            Err(seconds) => return Ok(Err(seconds)),
        };
        let of_client = match &self.client {
            Some(client) => client.admit(tx, now)?,
            None => Ok(None),
        };
        let client = match of_client {
            Ok(client) => client,
            Err(of_client) => match self.reserve.admit(tx, now)? {
                Ok(reserve) => reserve,
                Err(of_reserve) => return Ok(Err(of_client.min(of_reserve))),
            },
        };
        Ok(Ok(Uses { address, client }))
    }
}

/// The quotas that an admitted request uses.
#[derive(Debug)]
pub struct Uses {
    address: Option<Use>,
    client: Option<Use>,
}

impl Uses {
    /// Uses the quota of the address. Every admitted request does so.
    pub fn take_from_address(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        self.address
            .iter()
            .try_for_each(|of_address| of_address.take(tx))
    }

    /// Uses the quota of the client, or the reserve if there is nothing left. A request does so
    /// after authentication, so that a stranger cannot use up the quota with the client's name.
    pub fn take_from_client(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        self.client
            .iter()
            .try_for_each(|of_client| of_client.take(tx))
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

    /// Its use for one request, `None` without a limit, or else the seconds until it admits one.
    fn admit(&self, tx: &mut Tx<'_>, now: i64) -> Result<Result<Option<Use>, i64>, StoreError> {
        let Some(cost) = self.cost else {
            return Ok(Ok(None));
        };
        let full_at = self.full_at(tx, now)? + cost;
        let over = full_at - (now + MINUTE);
        Ok(match over > 0 {
            true => Err((over + 999) / 1000),
            false => Ok(Some(Use {
                subject: self.subject.clone(),
                full_at,
            })),
        })
    }

    /// When it is full again. A quota that would be full within two minutes, but not within one, was
    /// used by a replica whose clock is ahead, or by a request that began later: nothing is left of
    /// it. Beyond that, the clock was wrong, and it counts as full.
    fn full_at(&self, tx: &mut Tx<'_>, now: i64) -> Result<i64, StoreError> {
        let sql = "SELECT full_at FROM device_quotas WHERE subject = $1";
        let row = tx.query_opt(sql, params![&self.subject])?;
        let full_at = row.map_or(Ok(now), |row| row.get(0))?;
        Ok(match full_at > now + 2 * MINUTE {
            true => now,
            false => full_at.clamp(now, now + MINUTE),
        })
    }
}

/// The use of a quota.
#[derive(Debug)]
struct Use {
    subject: String,
    /// When the quota is full again after it, in Unix milliseconds.
    full_at: i64,
}

impl Use {
    fn take(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        let sql = "INSERT INTO device_quotas (subject, full_at) VALUES ($1, $2) \
                   ON CONFLICT (subject) DO UPDATE SET full_at = excluded.full_at";
        tx.execute(sql, params![&self.subject, self.full_at])?;
        Ok(())
    }
}

/// Deletes a batch of quotas that are full again. Returns their number.
pub fn sweep(tx: &mut Tx<'_>, now: i64) -> Result<u64, StoreError> {
    expiry::delete(tx, "device_quotas", "subject", "full_at", now)
}
