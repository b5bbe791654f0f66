//! Where a call comes from.

use std::net::IpAddr;
use std::sync::Arc;

use dropforge_runtime::Call;

use crate::app::App;

/// The address of whoever makes a call.
pub(super) fn caller_address(call: &Call<Arc<App>>) -> IpAddr {
    let proxies = &call.context().proxies;
    let caller = proxies.caller(call.remote_addr().ip(), call.headers());
    caller.address
}
