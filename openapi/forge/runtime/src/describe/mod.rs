//! What dropshot is told about an operation, taken from the document.

use dropshot::{
    ApiEndpointBodyContentType, ApiEndpointParameter, ApiEndpointParameterLocation,
    ApiEndpointResponse, ExtensionMode, ExtractorMetadata, HttpResponse, SharedExtractor,
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::kept::OperationMarker;

/// A document in memory.
pub(crate) struct Document;

impl Document {
    pub(crate) fn of(_: &'static crate::table::Api) -> Self {
        Document
    }
}

/// Fills in what an endpoint says about itself.
pub(crate) fn endpoint<C: dropshot::ServerContext>(
    _: &mut dropshot::ApiEndpoint<C>,
    _: &'static crate::table::Api,
    _: &'static crate::table::Operation,
) {
}

/// Parameters and body.
pub(crate) fn request<M: OperationMarker>(_: ApiEndpointBodyContentType) -> ExtractorMetadata {
    ExtractorMetadata {
        extension_mode: ExtensionMode::None,
        parameters: route_variables(M::OPERATION.route),
    }
}

/// The first success.
pub(crate) fn response<M: OperationMarker>() -> ApiEndpointResponse {
    http::Response::<dropshot::Body>::response_metadata()
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct OneVariable {
    variable: String,
}

/// A text parameter for each variable of a route.
pub(crate) fn route_variables(route: &str) -> Vec<ApiEndpointParameter> {
    let names = route
        .split('/')
        .filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'));
    names
        .flat_map(|name| {
            let prototype = <dropshot::Path<OneVariable> as SharedExtractor>::metadata(
                ApiEndpointBodyContentType::Json,
            );
            let location = ApiEndpointParameterLocation::Path;
            prototype.parameters.into_iter().map(move |prototype| {
                ApiEndpointParameter::new_named(
                    &location,
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
