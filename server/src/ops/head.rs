//! `HEAD` for the routes that no document describes (RFC 9110, section 9.3.2).

use std::sync::Arc;

use dropshot::{ApiDescription, ApiDescriptionRegisterError, ApiEndpoint};
use http::Method;

use crate::app::App;

/// Registers an endpoint of `GET`, and the same for `HEAD`. `endpoint` makes it.
///
/// # Errors
///
/// When the route exists already.
pub(crate) fn register<E>(
    api: &mut ApiDescription<Arc<App>>,
    endpoint: fn() -> E,
) -> Result<(), ApiDescriptionRegisterError>
where
    E: Into<ApiEndpoint<Arc<App>>>,
{
    api.register(endpoint())?;
    let mut head: ApiEndpoint<_> = endpoint().into();
    head.method = Method::HEAD;
    head.operation_id.push_str("_head");
    api.register(head)
}
