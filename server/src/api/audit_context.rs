//! Who makes a call, and from where: what the audit trail is told of it.

use std::sync::Arc;

use dropforge_runtime::Call;

use crate::api::caller_address;
use crate::app::App;
use crate::audit::{self, Actor, Event};
use crate::identity::Subject;
use crate::store::{StoreError, Tx};

/// One call of a user.
pub struct AuditContext {
    app: Arc<App>,
    user_id: String,
    origin: String,
    now: i64,
}

impl AuditContext {
    /// The call of this caller.
    pub fn of(call: &Call<Arc<App>>, caller: &Subject) -> AuditContext {
        let app = Arc::clone(call.context());
        AuditContext {
            user_id: caller.user_id.clone(),
            origin: caller_address(call).to_string(),
            now: app.clock.now().timestamp_millis(),
            app,
        }
    }

    /// Tells of a change, in the transaction that makes it.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn record(
        &self,
        tx: &mut Tx<'_>,
        action: &'static str,
        subject: &str,
        detail: &str,
    ) -> Result<(), StoreError> {
        let event = Event {
            at: self.now,
            actor: Actor::User(&self.user_id),
            action,
            subject,
            origin: &self.origin,
            detail,
        };
        audit::record(tx, &self.app.server_keys, &event)
    }
}
