//! The description of an operation for dropshot, taken from the document.
//!
//! Dropshot describes a server from the types of its handlers. Ours have none
//! to speak of, so the description is made of the document's own schemas: what
//! dropshot says it serves can then be compared with the document. Dropshot has
//! no words for cookies, arrays in a query, several media types or several
//! successes; there it says less.

mod document;
mod parts;
mod schema;
#[cfg(test)]
mod tests;
mod types;

use dropshot::{
    ApiEndpoint, ApiEndpointBodyContentType, ApiEndpointParameter, ApiEndpointParameterLocation,
    ApiEndpointResponse, Body, ExclusiveExtractor, ExtensionMode, ExtractorMetadata, FreeformBody,
    Header, HttpResponse, HttpResponseDeleted, HttpResponseHeaders, HttpResponseOk, Path, Query,
    ServerContext, SharedExtractor, TypedBody,
};
use http::Response as HttpMessage;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::marker::OperationMarker;
use crate::table::{Operation, ParameterIn, Status};

pub(crate) use document::Document;
pub(crate) use parts::described_body;
use parts::{json_media, success};
use types::{
    HeaderParameters, PathParameters, QueryParameters, RequestBody, ResponseBody, ResponseHeaders,
};

/// Parameters and body of an operation.
pub(crate) fn request<M: OperationMarker>(
    content_type: ApiEndpointBodyContentType,
) -> ExtractorMetadata {
    let of = |shared: fn(ApiEndpointBodyContentType) -> ExtractorMetadata| {
        shared(ApiEndpointBodyContentType::Json).parameters
    };
    let mut parameters = of(<Path<PathParameters<M>> as SharedExtractor>::metadata);
    parameters.extend(of(<Query<QueryParameters<M>> as SharedExtractor>::metadata));
    parameters.extend(of(
        <Header<HeaderParameters<M>> as SharedExtractor>::metadata,
    ));
    if M::OPERATION.body.is_some() {
        let body = <TypedBody<RequestBody<M>> as ExclusiveExtractor>::metadata(content_type);
        parameters.extend(body.parameters);
    }
    ExtractorMetadata {
        extension_mode: ExtensionMode::None,
        parameters,
    }
}

/// The first success of an operation; dropshot has words for one.
pub(crate) fn response<M: OperationMarker>() -> ApiEndpointResponse {
    let Some((status, response)) = success(M::OPERATION) else {
        return HttpMessage::<Body>::response_metadata();
    };
    let mut metadata = if response.media.is_empty() {
        HttpResponseDeleted::response_metadata()
    } else if json_media(response.media).is_some() {
        HttpResponseOk::<ResponseBody<M>>::response_metadata()
    } else {
        HttpResponseOk::<FreeformBody>::response_metadata()
    };
    type WithHeaders<M> = HttpResponseHeaders<HttpResponseOk<ResponseBody<M>>, ResponseHeaders<M>>;
    metadata.headers = WithHeaders::<M>::response_metadata().headers;
    metadata.success = Some(status);
    let document = Document::of(M::API);
    let responses = &document.at(M::OPERATION.pointer)["responses"];
    let written = match response.status {
        Status::Code(code) => &responses[code.to_string()],
        Status::Range(digit) => &responses[format!("{digit}XX")],
        Status::Default => &responses["default"],
    };
    let description = &document.resolve(written)["description"];
    metadata.description = description.as_str().map(str::to_owned);
    metadata
}

/// Fills in what an endpoint says about itself.
pub(crate) fn endpoint<C: ServerContext>(
    endpoint: &mut ApiEndpoint<C>,
    document: &Document,
    operation: &'static Operation,
) {
    let written = document.at(operation.pointer);
    let text = |name: &str| written[name].as_str().map(str::to_owned);
    endpoint.summary = text("summary");
    endpoint.description = text("description");
    let tags = written["tags"].as_array().into_iter().flatten();
    endpoint.tags = tags
        .filter_map(|tag| tag.as_str().map(str::to_owned))
        .collect();
    endpoint.deprecated = written["deprecated"].as_bool().unwrap_or(false);
}

/// A text parameter for each variable of a route, where a route serves several
/// operations or none.
pub(crate) fn route_variables(route: &str) -> Vec<ApiEndpointParameter> {
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Prototype {
        variable: String,
    }
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Rest {
        segments: Vec<String>,
    }
    variable_names(route)
        .flat_map(|name| {
            let content_type = ApiEndpointBodyContentType::Json;
            let (name, prototype) = match name.strip_suffix(":.*") {
                Some(name) => (
                    name,
                    <Path<Rest> as SharedExtractor>::metadata(content_type),
                ),
                None => (
                    name,
                    <Path<Prototype> as SharedExtractor>::metadata(content_type),
                ),
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

/// Whether the variables of an operation's route are its path parameters.
pub(crate) fn names_variables(operation: &Operation) -> bool {
    let parameters = operation.parameters.iter();
    let in_path = parameters.filter(|parameter| parameter.location == ParameterIn::Path);
    let mut declared: Vec<&str> = in_path.map(|parameter| parameter.name).collect();
    let mut variables: Vec<&str> = variable_names(operation.route).collect();
    declared.sort_unstable();
    variables.sort_unstable();
    declared == variables
}

fn variable_names(route: &str) -> impl Iterator<Item = &str> {
    route
        .split('/')
        .filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'))
}
