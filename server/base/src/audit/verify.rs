//! Verifies that the trail is unchanged.

use super::anchor::Anchor;
use super::chain::{self, Head};
use super::error::{Broken, VerifyError};
use super::event::{Entry, Id, Stored};
use super::walk::Walk;
use crate::kernel::ServerKeys;
use crate::store::Tx;

/// Number of entries that are verified at a time.
const PAGE: i64 = 1000;

/// An unchanged trail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// The end of its chain.
    pub head: Head,
    /// The last pruned event, if events were pruned.
    pub anchor: Option<Anchor>,
    /// The number of valid unsealed events.
    pub unsealed: i64,
}

impl Verified {
    /// The number of pruned events.
    pub fn pruned(&self) -> i64 {
        self.anchor.as_ref().map_or(0, |anchor| anchor.head.number)
    }

    /// The number of sealed events in the trail.
    pub fn events(&self) -> i64 {
        self.head.number - self.pruned()
    }
}

/// Verifies the whole trail, and that it still contains the `kept` seal, if there is one.
///
/// # Errors
///
/// [`Broken`] at the first event that was changed.
pub fn verify(
    tx: &mut Tx<'_>,
    server_keys: &ServerKeys,
    kept: Option<&Head>,
) -> Result<Verified, VerifyError> {
    let (head, anchor) = verify_chain(tx, server_keys, kept)?;
    let unsealed = verify_unsealed(tx, server_keys)?;
    Ok(Verified {
        head,
        anchor,
        unsealed,
    })
}

fn verify_chain(
    tx: &mut Tx<'_>,
    server_keys: &ServerKeys,
    kept: Option<&Head>,
) -> Result<(Head, Option<Anchor>), VerifyError> {
    let mut walk = Walk::begin(tx, server_keys)?;
    let begin = walk.last.clone();
    let mut seen = kept.is_none_or(|kept| *kept == begin || *kept == Head::default());
    loop {
        let rows = walk.page(tx, PAGE)?;
        if rows.is_empty() {
            break;
        }
        for row in &rows {
            walk.step(row)?;
            seen |= kept == Some(&walk.last);
        }
    }
    // The newest sealed event is never pruned.
    if walk.anchor.is_some() && walk.last == begin {
        return Err(Broken::Missing(begin.number + 1).into());
    }
    match (seen, kept) {
        (false, Some(kept)) if (1..begin.number).contains(&kept.number) => {
            Err(VerifyError::Pruned {
                kept: kept.clone(),
                pruned: begin.number,
            })
        }
        (false, Some(kept)) => Err(Broken::Shortened(kept.clone()).into()),
        _ => Ok((walk.last, walk.anchor)),
    }
}

fn verify_unsealed(tx: &mut Tx<'_>, server_keys: &ServerKeys) -> Result<i64, VerifyError> {
    let (mut from, mut found) = (Id::default(), 0);
    loop {
        let events = Stored::unsealed_after(tx, from, PAGE)?;
        let Some(last) = events.last() else {
            return Ok(found);
        };
        from = last.id;
        for Stored { entry, id, seal } in events {
            if !chain::has_mac(server_keys, &id, &entry, &seal) {
                let Entry {
                    action, subject, ..
                } = entry;
                return Err(Broken::Forged { action, subject }.into());
            }
            found += 1;
        }
    }
}
