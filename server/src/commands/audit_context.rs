//! The operator who runs a command, for events of the audit trail.

use std::sync::Arc;

use accord_server::app::App;
use accord_server::audit::{self, Actor, Event};
use accord_server::store::{StoreError, Tx};

use super::options::operator;

/// The operator and the time of one command.
#[derive(Clone)]
pub struct AuditContext {
    app: Arc<App>,
    operator: String,
    now: i64,
}

impl AuditContext {
    /// The context of the running command.
    pub fn of(app: &Arc<App>) -> AuditContext {
        AuditContext {
            operator: operator(),
            now: app.clock.now().timestamp_millis(),
            app: Arc::clone(app),
        }
    }

    /// Records a change in the audit trail, in the transaction that makes it.
    pub fn record(
        &self,
        tx: &mut Tx<'_>,
        action: &'static str,
        subject: &str,
        detail: &str,
    ) -> Result<(), StoreError> {
        let event = Event {
            at: self.now,
            actor: Actor::Operator(&self.operator),
            action,
            subject,
            origin: "console",
            detail,
        };
        audit::record(tx, &self.app.server_keys, &event)
    }
}
