//! Responses to `HEAD` (RFC 9110, section 9.3.2).

use dropshot::Body;
use http::{HeaderValue, Response, header};
use http_body::Body as _;

/// The response to `HEAD`, from the response to `GET`: the same headers with the length of the
/// body, and no body.
///
/// hyper leaves out the body over HTTP/1.1, but not over HTTP/2.
pub fn without_body(response: Response<Body>) -> Response<Body> {
    let (mut head, body) = response.into_parts();
    if let Some(length @ 1..) = body.size_hint().exact() {
        let length = HeaderValue::from(length);
        head.headers.entry(header::CONTENT_LENGTH).or_insert(length);
    }
    Response::from_parts(head, Body::empty())
}
