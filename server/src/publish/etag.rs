//! Entity tags and the conditions that name them (RFC 9110, sections 8.8.3 and 13.1).

use bytes::Bytes;
use dropshot::{Body, ClientErrorStatusCode, HttpError};
use http::response::Builder;
use http::{HeaderMap, HeaderName, Response, StatusCode, header};
use sha2::{Digest, Sha256};

use crate::ops::reply;

/// Responds with a text, which a client validates before each reuse.
pub(super) fn respond(
    request: &HeaderMap,
    builder: Builder,
    text: String,
) -> Result<Response<Body>, HttpError> {
    let tag = digest([text.as_bytes()]);
    let builder = builder.header(header::CACHE_CONTROL, "no-cache");
    respond_with(request, builder, &tag, text.into())
}

/// Responds with `body`, whose entity tag is `tag` in quotes, or as the conditions of the request
/// require: with 412 if `If-Match` does not name the tag, or with 304 if `If-None-Match` does.
pub(super) fn respond_with(
    request: &HeaderMap,
    builder: Builder,
    tag: &str,
    body: Bytes,
) -> Result<Response<Body>, HttpError> {
    let tag = format!("\"{tag}\"");
    if request.contains_key(header::IF_MATCH) && !names(request, header::IF_MATCH, &tag) {
        let status = ClientErrorStatusCode::PRECONDITION_FAILED;
        return Err(HttpError::for_client_error_with_status(None, status));
    }
    let is_known = names(request, header::IF_NONE_MATCH, &tag);
    let builder = builder.header(header::ETAG, tag);
    if !is_known {
        return reply::build(builder, body);
    }
    let mut response = reply::build(builder.status(StatusCode::NOT_MODIFIED), Body::empty())?;
    // A 304 has only the headers that update a stored response (RFC 9110, section 15.4.5).
    for name in [header::CONTENT_TYPE, header::CONTENT_ENCODING] {
        response.headers_mut().remove(name);
    }
    Ok(response)
}

/// The first half of the SHA-256 digest of the parts, in hexadecimal digits.
pub(super) fn digest<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update(part);
    }
    base16ct::lower::encode_string(&digest.finalize()[..16])
}

/// Whether `If-Match` or `If-None-Match` names this tag. Only the latter accepts weak tags.
fn names(request: &HeaderMap, condition: HeaderName, tag: &str) -> bool {
    let accepts_weak = condition == header::IF_NONE_MATCH;
    let values = request.get_all(condition).iter();
    let mut values = values.filter_map(|value| value.to_str().ok());
    values.any(|value| matches(value, tag, accepts_weak))
}

/// Compares a tag with a list or `*` (RFC 9110, section 8.8.3.2).
fn matches(value: &str, tag: &str, accepts_weak: bool) -> bool {
    let is_this = |one: &str| match one.strip_prefix("W/") {
        Some(opaque) if accepts_weak => opaque == tag,
        _ => one == tag,
    };
    value.trim() == "*" || value.split(',').map(str::trim).any(is_this)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_found_in_a_list_weak_or_strong() {
        for (value, is_weakly, is_strongly) in [
            ("\"a\", \"b\"", true, true),
            ("\"a\", W/\"b\"", true, false),
            ("*", true, true),
            ("\"bb\"", false, false),
        ] {
            assert_eq!(matches(value, "\"b\"", true), is_weakly, "{value}");
            assert_eq!(matches(value, "\"b\"", false), is_strongly, "{value}");
        }
    }
}
