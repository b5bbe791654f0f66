//! What all areas ask of a call: who makes it, where it comes from, and its retry token.

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

/// `Idempotency-Key` and `accord-retry-token` have different values.
pub(super) struct DifferentTokens;

/// The token of the headers `Idempotency-Key` and `accord-retry-token`; `None` without
/// either.
pub(super) fn retry_token(
    idempotency_key: Option<String>,
    retry_token: Option<String>,
) -> Result<Option<String>, DifferentTokens> {
    match (idempotency_key, retry_token) {
        (Some(key), Some(token)) if key != token => Err(DifferentTokens),
        (key, token) => Ok(key.or(token)),
    }
}
