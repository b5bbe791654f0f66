//! The caller of an operation, and the caller's address.

use std::net::IpAddr;
use std::sync::Arc;

use dropforge_runtime::Call;

use crate::app::App;
use crate::audit::{Actor, AuditContext};
use crate::identity::Subject;

/// The caller's address.
pub(super) fn caller_address(call: &Call<Arc<App>>) -> IpAddr {
    let proxies = &call.context().proxies;
    let caller = proxies.caller(call.remote_addr().ip(), call.headers());
    caller.address
}

/// The caller, for the audit trail.
pub(super) fn audit_context(call: &Call<Arc<App>>, caller: &Subject) -> AuditContext {
    let app = call.context();
    let origin = caller_address(call).to_string();
    let now = app.clock.now().timestamp_millis();
    AuditContext::new(&app.server_keys, Actor::User(&caller.user_id), &origin, now)
}
