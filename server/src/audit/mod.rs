//! The audit trail: who did what, to what, when and from where.
//!
//! An event is written in the transaction of the change that it reports, so that
//! neither is there without the other. Events form a chain: each is sealed with
//! a keyed hash (HMAC-SHA-256 under the server's key) of its content and of the
//! seal before it. Whoever can write to the database but does not have the key
//! cannot change, remove, insert or reorder events without [`verify`] noticing.
//! Removing the last events is noticed by whoever has kept a seal: it must still
//! be in the chain.
//!
//! Events are for people who look into what happened; they hold no secrets, and
//! nothing that was typed into a form. What happens all the time (a poll, a
//! refresh) is counted by metrics instead.
//!
//! ```text
//! store.write(move |tx| {
//!     change(tx)?;
//!     audit::record(tx, &pepper, &Event {
//!         at: now,
//!         actor: Actor::User(&caller),
//!         action: "inference.key.created",
//!         subject: &key_id,
//!         origin: &address,
//!         detail: "",
//!     })
//! })
//! ```

mod chain;

use crate::kernel::Pepper;
use crate::params;
use crate::store::{Row, StoreError, Tx};

pub use chain::{Broken, Head, VerifyError, verify};

/// Who did something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor<'a> {
    /// A hub user, by identifier.
    User(&'a str),
    /// An application, by client identifier.
    Client(&'a str),
    /// Whoever may run commands on the server, by the name they have there.
    Operator(&'a str),
    /// The service itself.
    Service,
    /// Somebody who has not said who they are, or could not prove it.
    Unknown,
}

impl std::fmt::Display for Actor<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Actor::User(id) => write!(f, "user:{id}"),
            Actor::Client(id) => write!(f, "client:{id}"),
            Actor::Operator(name) => write!(f, "operator:{name}"),
            Actor::Service => f.write_str("service"),
            Actor::Unknown => f.write_str("unknown"),
        }
    }
}

/// Something that happened.
#[derive(Debug, Clone, Copy)]
pub struct Event<'a> {
    /// When, in Unix milliseconds.
    pub at: i64,
    /// Who did it.
    pub actor: Actor<'a>,
    /// What was done: area, thing and past participle, with dots between
    /// (`identity.session.started`).
    pub action: &'static str,
    /// What it was done to: an identifier, with its kind before a colon where
    /// the action leaves that open.
    pub subject: &'a str,
    /// The address that it came from; `console` for commands.
    pub origin: &'a str,
    /// What else there is to say. Never a secret.
    pub detail: &'a str,
}

/// An event as the trail holds it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Entry {
    /// Its place in the trail, from 1 on.
    pub number: i64,
    /// When, in Unix milliseconds.
    pub at: i64,
    /// Who did it, as [`Actor`] is displayed.
    pub actor: String,
    /// What was done.
    pub action: String,
    /// What it was done to.
    pub subject: String,
    /// Where it came from.
    pub origin: String,
    /// What else there is to say.
    pub detail: String,
}

/// Adds an event to the trail.
///
/// # Errors
///
/// When the store fails.
pub fn record(tx: &mut Tx<'_>, pepper: &Pepper, event: &Event<'_>) -> Result<(), StoreError> {
    let before = chain::head(tx)?;
    // Identifiers that came from outside may hold what no text column takes.
    let text = |text: &str| text.replace('\0', "\u{fffd}");
    let entry = Entry {
        number: before.number + 1,
        at: event.at,
        actor: text(&event.actor.to_string()),
        action: event.action.to_owned(),
        subject: text(event.subject),
        origin: text(event.origin),
        detail: text(event.detail),
    };
    let seal = chain::seal(pepper, &before.seal, &entry);
    tx.execute(
        "INSERT INTO audit_trail (number, at, actor, action, subject, origin, detail, seal) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        params![
            entry.number,
            entry.at,
            entry.actor,
            entry.action,
            entry.subject,
            entry.origin,
            entry.detail,
            seal,
        ],
    )?;
    Ok(())
}

/// Which events to list.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Those whose action begins so.
    pub action: Option<String>,
    /// Those of this actor, as it is displayed.
    pub actor: Option<String>,
    /// Those about this subject.
    pub subject: Option<String>,
}

/// The latest events that a filter lets through, the oldest of them first.
///
/// # Errors
///
/// When the store fails.
pub fn list(tx: &mut Tx<'_>, filter: &Filter, most: i64) -> Result<Vec<Entry>, StoreError> {
    let Filter {
        action,
        actor,
        subject,
    } = filter;
    let action = action.as_deref().unwrap_or_default();
    let rows = tx.query(
        "SELECT number, at, actor, action, subject, origin, detail FROM audit_trail \
         WHERE SUBSTR(action, 1, LENGTH($1)) = $1 AND actor = COALESCE($2, actor) \
         AND subject = COALESCE($3, subject) ORDER BY number DESC LIMIT $4",
        params![action, actor.as_deref(), subject.as_deref(), most],
    )?;
    let mut entries: Vec<_> = rows.iter().map(entry).collect::<Result<_, _>>()?;
    entries.reverse();
    Ok(entries)
}

fn entry(row: &Row) -> Result<Entry, StoreError> {
    Ok(Entry {
        number: row.get(0)?,
        at: row.get(1)?,
        actor: row.get(2)?,
        action: row.get(3)?,
        subject: row.get(4)?,
        origin: row.get(5)?,
        detail: row.get(6)?,
    })
}
