//! The audit trail: the actor, action, subject, time and origin of each change.
//!
//! An event is written in the transaction of the change that it reports, so that neither exists
//! without the other. From the start it carries a keyed hash (HMAC-SHA-256 under the server's key)
//! of its content. A moment later it is [sealed](seal): it gets the next place in a chain, and a
//! keyed hash of itself, its place and the seal before it. A chain has one end, so all writers
//! would have to wait for each other. Only the sealer appends to it, and changes never wait.
//!
//! A seal begins with the name of its server key, and no newer event has a seal under an
//! older key. A retired key, even a leaked one, still verifies the events of its time. It
//! cannot add new ones, because the following seals contain the last of its seals.
//!
//! Somebody who can write to the database but does not have the key cannot change, invent or repeat
//! events, nor remove or reorder sealed ones: [`verify()`] notices it. To notice that the last
//! events were removed, keep a copy of a seal: it must still be in the chain.
//!
//! Old events can be [pruned](prune()). Then the chain begins at an [anchor](Anchor), which has a
//! keyed hash of its own.
//!
//! Events are for people who investigate an incident. They contain no secrets, and of the text in
//! forms only names and identifiers. Frequent operations (a poll, a refresh) are counted by metrics
//! instead.
//!
//! ```text
//! store.write(move |tx| {
//!     change(tx)?;
//!     context.record(tx, "inference.key.created", &key_id, "")
//! })
//! ```

mod anchor;
mod chain;
mod context;
mod error;
mod event;
mod prune;
mod seal;
mod verify;
mod walk;

use crate::params;
use crate::store::{StoreError, Tx};

pub use anchor::{Anchor, reseal};
pub use chain::Head;
pub use context::AuditContext;
pub use error::{Broken, VerifyError};
pub use event::{Actor, Entry};
pub use prune::prune;
pub use seal::{run, seal_all, unsealed};
pub use verify::{Verified, verify};

/// A filter for listed events.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Events whose action begins with this.
    pub action: Option<String>,
    /// Events of this actor, as it is displayed.
    pub actor: Option<String>,
    /// Events about this subject.
    pub subject: Option<String>,
}

/// The latest events that match a filter, `most` at most. The oldest of them is the first one, and
/// unsealed events are last.
pub fn list(tx: &mut Tx<'_>, filter: &Filter, most: i64) -> Result<Vec<Entry>, StoreError> {
    let Filter {
        action,
        actor,
        subject,
    } = filter;
    let action = action.as_deref().unwrap_or_default();
    let mut entries: Vec<Entry> = Vec::new();
    for condition in [
        "number IS NULL ORDER BY id DESC",
        "number IS NOT NULL ORDER BY number DESC",
    ] {
        let sql = format!(
            "SELECT {} FROM audit_trail \
             WHERE SUBSTR(action, 1, LENGTH($1)) = $1 AND actor = COALESCE($2, actor) \
             AND subject = COALESCE($3, subject) AND {condition} LIMIT $4",
            event::COLUMNS
        );
        let remaining = most - entries.len() as i64;
        let rows = tx.query(
            &sql,
            params![action, actor.as_deref(), subject.as_deref(), remaining],
        )?;
        for row in &rows {
            entries.push(Entry::read(row)?);
        }
    }
    entries.reverse();
    Ok(entries)
}
