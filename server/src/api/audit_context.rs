//! The caller of an operation and its address, for events of the audit trail.

use std::sync::Arc;

use dropforge_runtime::Call;

use crate::api::caller::caller_address;
use crate::app::App;
use crate::audit::{self, Actor, Event};
use crate::identity::Subject;
use crate::store::{StoreError, Tx};

/// The caller and the time of one call.
pub struct AuditContext {
    app: Arc<App>,
    user_id: String,
    origin: String,
    now: i64,
}

impl AuditContext {
    /// The context of this call.
    pub fn of(call: &Call<Arc<App>>, caller: &Subject) -> AuditContext {
        let app = Arc::clone(call.context());
        AuditContext {
            user_id: caller.user_id.clone(),
            origin: caller_address(call).to_string(),
            now: app.clock.now().timestamp_millis(),
            app,
        }
    }

    /// Records a change in the audit trail, in the transaction that makes it.
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
