//! Responses of the few routes that no document describes.

use dropshot::{Body, ClientErrorStatusCode, HttpError};
use http::response::Builder;
use http::{HeaderValue, Method, Response, StatusCode, header};

/// A response with a text.
pub(crate) fn text(status: StatusCode, text: &str) -> Result<Response<Body>, HttpError> {
    let builder = Response::builder()
        .status(status)
        .header(header::CONTENT_TYPE, "text/plain; charset=utf-8")
        .header(header::CACHE_CONTROL, "no-store");
    build(builder, text.to_owned())
}

/// Redirects to a path of this server.
pub(crate) fn redirect(path: &str) -> Result<Response<Body>, HttpError> {
    let builder = Response::builder()
        .status(StatusCode::FOUND)
        .header(header::LOCATION, path);
    build(builder, Body::empty())
}

/// The error for a path without a resource. dropshot's `for_not_found` hides the message from the caller.
pub(crate) fn not_found(message: String) -> HttpError {
    HttpError::for_client_error(None, ClientErrorStatusCode::NOT_FOUND, message)
}

/// The error for a method that a path does not have.
pub(crate) fn method_not_allowed(allowed: &[Method]) -> HttpError {
    let status = ClientErrorStatusCode::METHOD_NOT_ALLOWED;
    let mut error = HttpError::for_client_error_with_status(None, status);
    if let Ok(allowed) = HeaderValue::try_from(allow(allowed)) {
        error.headers_mut().insert(header::ALLOW, allowed);
    }
    error
}

/// The value of `Allow` for these methods.
pub(crate) fn allow(methods: &[Method]) -> String {
    let names: Vec<_> = methods.iter().map(Method::as_str).collect();
    names.join(", ")
}

/// Adds a body to the head of a response.
pub(crate) fn build(builder: Builder, body: impl Into<Body>) -> Result<Response<Body>, HttpError> {
    builder
        .body(body.into())
        .map_err(|error| HttpError::for_internal_error(error.to_string()))
}
