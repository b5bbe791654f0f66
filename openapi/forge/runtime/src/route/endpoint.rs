//! Endpoints in dropshot's form, and their registration.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use dropshot::{
    ApiEndpoint, ApiEndpointBodyContentType, ApiEndpointParameter, ApiEndpointParameterLocation,
    ApiEndpointVersions, Path, ServerContext, SharedExtractor,
};
use http::Method;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Handler, RegisterError, Routes};
use crate::observe::Observe;

impl<C: Observe + ServerContext> Routes<'_, C> {
    pub(super) fn register(
        &mut self,
        id: &str,
        method: Method,
        route: &'static str,
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
        let description = &mut *self.description;
        let registered = catch_unwind(AssertUnwindSafe(|| description.register(endpoint)));
        let message = match registered {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(panic) => Some(message(&*panic)),
        };
        if let Some(message) = message {
            return Err(RegisterError {
                operation: id.to_owned(),
                method,
                route: route.to_owned(),
                message,
            });
        }
        match self.routes.iter_mut().find(|(known, _)| *known == route) {
            Some((_, methods)) => methods.push(method),
            None => self.routes.push((route, vec![method])),
        }
        Ok(())
    }
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

fn message(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_default()
}
