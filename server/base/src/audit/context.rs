//! The actor, origin and time of a change.

use chrono::{DateTime, Utc};

use super::chain;
use super::event::{self, Actor, Entry};
use crate::kernel::ServerKeys;
use crate::params;
use crate::store::{StoreError, Tx};

/// The actor, origin and time of changes, and the key of their keyed hashes.
#[derive(Debug, Clone)]
pub struct AuditContext {
    server_keys: ServerKeys,
    actor: String,
    origin: String,
    now: i64,
}

impl AuditContext {
    /// A context. `origin` is the address that a request came from, or `console` for
    /// commands; `now` is in Unix milliseconds.
    pub fn new(server_keys: &ServerKeys, actor: Actor<'_>, origin: &str, now: i64) -> AuditContext {
        AuditContext {
            server_keys: server_keys.clone(),
            actor: actor.to_string(),
            origin: origin.to_owned(),
            now,
        }
    }

    /// The context of a command: an operator's.
    pub fn of_operator(server_keys: &ServerKeys, name: &str, now: i64) -> AuditContext {
        AuditContext::new(server_keys, Actor::Operator(name), "console", now)
    }

    /// The same for a user who has just authenticated.
    #[must_use]
    pub fn of_user(self, user_id: &str) -> AuditContext {
        let actor = Actor::User(user_id).to_string();
        AuditContext { actor, ..self }
    }

    /// The server keys.
    pub fn server_keys(&self) -> &ServerKeys {
        &self.server_keys
    }

    /// The time of the changes, in Unix milliseconds.
    pub fn now(&self) -> i64 {
        self.now
    }

    /// The time of the changes.
    pub fn time(&self) -> DateTime<Utc> {
        DateTime::from_timestamp_millis(self.now).unwrap_or_default()
    }

    /// Adds an event to the trail, in the transaction of the change that it reports.
    ///
    /// - `action`: area, thing and past participle, with dots between
    ///   (`identity.session.started`).
    /// - `subject`: an identifier, with its kind before a colon where the action leaves
    ///   that open.
    /// - `detail`: what else there is to say. Never a secret.
    pub fn record(
        &self,
        tx: &mut Tx<'_>,
        action: &'static str,
        subject: &str,
        detail: &str,
    ) -> Result<(), StoreError> {
        // Identifiers from outside may contain characters that a text column rejects.
        let text = |text: &str| text.replace('\0', "\u{fffd}");
        let entry = Entry {
            number: None,
            at: self.now,
            actor: text(&self.actor),
            action: action.to_owned(),
            subject: text(subject),
            origin: text(&self.origin),
            detail: text(detail),
        };
        let id = event::next_id(entry.at);
        let mac = chain::mac(&self.server_keys, &id, &entry);
        tx.add(
            "INSERT INTO audit_trail (id, at, actor, action, subject, origin, detail, seal) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            params![
                id,
                entry.at,
                entry.actor,
                entry.action,
                entry.subject,
                entry.origin,
                entry.detail,
                mac,
            ],
        )
    }
}
