//! Endpoints as dropshot takes them, and their registration.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use dropshot::{ApiEndpoint, ApiEndpointVersions, HttpError, RequestContext, ServerContext};
use http::Method;

use super::{RegisterError, Routes};
use crate::describe;
use crate::kept::{Kept, Served};
use crate::marker::OperationMarker;
use crate::observe::Observe;
use crate::table::{Codec, Operation};

impl<C: Observe + ServerContext> Routes<'_, C> {
    /// An endpoint that dropshot's document leaves out.
    pub(super) fn invisible<M, H, Fut>(
        &self,
        id: &str,
        handler: H,
        method: Method,
        route: &str,
    ) -> ApiEndpoint<C>
    where
        M: OperationMarker,
        H: Fn(RequestContext<C>, Kept<M>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Served<M>, HttpError>> + Send + 'static,
    {
        let mut endpoint = ApiEndpoint::new(
            id.to_owned(),
            handler,
            method,
            dropshot::CONTENT_TYPE_JSON,
            route,
            ApiEndpointVersions::All,
        )
        .visible(false);
        endpoint.parameters = describe::route_variables(route);
        endpoint
    }

    pub(super) fn register(
        &mut self,
        id: &str,
        route: &'static str,
        endpoint: ApiEndpoint<C>,
    ) -> Result<(), RegisterError> {
        let method = endpoint.method.clone();
        let description = &mut *self.description;
        let registered = catch_unwind(AssertUnwindSafe(|| description.register(endpoint)));
        match registered {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                return Err(RegisterError::Refused {
                    operation: id.to_owned(),
                    method,
                    route: route.to_owned(),
                    message: error.to_string(),
                });
            }
            Err(panic) => {
                return Err(RegisterError::Route {
                    operation: id.to_owned(),
                    method,
                    route: route.to_owned(),
                    message: message(&*panic),
                });
            }
        }
        match self.routes.iter_mut().find(|(known, _)| *known == route) {
            Some((_, methods)) => methods.push(method),
            None => self.routes.push((route, vec![method])),
        }
        Ok(())
    }
}

/// What dropshot calls the body; it knows four kinds.
pub(super) fn content_type(operation: &Operation) -> &'static str {
    match describe::described_body(operation).map(|media| media.codec) {
        Some(Codec::Form) => dropshot::CONTENT_TYPE_URL_ENCODED,
        Some(Codec::Multipart) => dropshot::CONTENT_TYPE_MULTIPART_FORM_DATA,
        Some(Codec::Text | Codec::Binary | Codec::EventStream) => {
            dropshot::CONTENT_TYPE_OCTET_STREAM
        }
        Some(Codec::Json) | None => dropshot::CONTENT_TYPE_JSON,
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_default()
}
