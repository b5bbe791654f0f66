//! Endpoints in dropshot's form, and their registration.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use dropshot::{
    ApiDescription, ApiEndpoint, ApiEndpointBodyContentType, ApiEndpointParameter,
    ApiEndpointParameterLocation, ApiEndpointVersions, Body, HttpError, Path, RawRequest,
    RequestContext, ServerContext, SharedExtractor,
};
use futures::future::BoxFuture;
use http::{Method, Response};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::serve::panic_text;
use crate::table::Operation;

/// Every method that dropshot's router and a document can both have.
pub const METHODS: [Method; 8] = [
    Method::GET,
    Method::HEAD,
    Method::PUT,
    Method::POST,
    Method::DELETE,
    Method::PATCH,
    Method::OPTIONS,
    Method::TRACE,
];

/// Handles a request that dropshot has not read: dropshot would reject an invalid body before
/// missing credentials.
pub(super) type Handler<C> = Arc<
    dyn Fn(RequestContext<C>, RawRequest) -> BoxFuture<'static, Result<Response<Body>, HttpError>>
        + Send
        + Sync,
>;

/// Operations of one method that share a route, and the handler of all of them.
pub(super) struct Group<C: ServerContext> {
    pub(super) operations: Vec<&'static Operation>,
    pub(super) handler: Handler<C>,
}

/// Why an operation cannot be registered: its route clashes with one that is already there, of
/// this document or of another.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("operation {operation} ({method} {route}) cannot be registered: {message}")]
pub struct RegisterError {
    /// Its id.
    pub operation: String,
    /// Its method.
    pub method: Method,
    /// Its route.
    pub route: String,
    /// Dropshot's message.
    pub message: String,
}

/// Registers an endpoint. A panic of dropshot becomes an error as well.
pub(super) fn register<C: ServerContext>(
    description: &mut ApiDescription<C>,
    id: &str,
    method: &Method,
    route: &str,
    handler: Handler<C>,
) -> Result<(), RegisterError> {
    let mut endpoint = ApiEndpoint::new(
        id.to_owned(),
        move |rqctx, request| handler(rqctx, request),
        method.clone(),
        dropshot::CONTENT_TYPE_JSON,
        route,
        ApiEndpointVersions::All,
    )
    .visible(false);
    endpoint.parameters = variables(route);
    let registered = catch_unwind(AssertUnwindSafe(|| description.register(endpoint)));
    let message = match registered {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(error)) => error.to_string(),
        Err(panic) => panic_text(&*panic).to_owned(),
    };
    Err(RegisterError {
        operation: id.to_owned(),
        method: method.clone(),
        route: route.to_owned(),
        message,
    })
}

/// A parameter for each variable of a route. Dropshot requires them to register the route.
fn variables(route: &str) -> Vec<ApiEndpointParameter> {
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Segment {
        segment: String,
    }
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Rest {
        segments: Vec<String>,
    }
    let names = route
        .split('/')
        .filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'));
    names
        .flat_map(|name| {
            let content_type = ApiEndpointBodyContentType::Json;
            let (name, prototype) = match name.strip_suffix(":.*") {
                Some(name) => (name, Path::<Rest>::metadata(content_type)),
                None => (name, Path::<Segment>::metadata(content_type)),
            };
            prototype.parameters.into_iter().map(move |prototype| {
                ApiEndpointParameter::new_named(
                    &ApiEndpointParameterLocation::Path,
                    name.to_owned(),
                    None,
                    true,
                    prototype.schema,
                    Vec::new(),
                )
            })
        })
        .collect()
}
